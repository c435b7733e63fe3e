package dev.purser.dataset;

import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.json.ValueReader;
import dev.purser.privacy.Blocks;
import dev.purser.privacy.Grid;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/** Reads the division into blocks of a registration. */
final class BlocksReader {
    private static final FieldType.Choice WIDTHS = new FieldType.Choice(List.of("day", "week", "month"));
    private static final int MAX_DELAY_DAYS = 3_660;

    /** Labels are numbers of 64 bits: steps of the grid times this. */
    private static final BigDecimal MAX_RESOLUTION = new BigDecimal(1 << 20);

    private static final long MAX_WIDTH = Grid.MAX_MAGNITUDE << 20;

    /** The object as the API describes it. */
    static final FieldType.ObjectOf FORM = new FieldType.ObjectOf(
            "DatasetBlocks",
            "How the rows are divided by the values of one column. Each block has the whole budget, and at most maxRows"
                    + " rows; privacyUnit.maxRows bounds the rows of a unit in a block. There are at most "
                    + Blocks.MOST + " blocks.",
            List.of(
                    Field.required("column", FieldType.TEXT, "A column of type date or integer that is listed."),
                    Field.required(
                                    "width",
                                    new FieldType.Plain(BlockWidth.class),
                                    "Of dates `day`, `week` (from Monday) or `month`; of integers how many, a multiple"
                                            + " of the column's resolution.")
                            .withExample("day"),
                    Field.optional(
                            "rowsKeepTheirBlock",
                            new FieldType.Plain(boolean.class),
                            "Required of a table, and then true: the value of a row in this column never changes. If it"
                                    + " does, each value is a new budget for the same row."),
                    Field.optional(
                                    "delayDays",
                                    FieldType.INTEGER,
                                    "Of a table divided by dates: how many days after its last day (UTC) a block can be"
                                            + " asked about.")
                            .withDefault(0)
                            .withoutExample()));

    private BlocksReader() {}

    /**
     * Reads a division.
     *
     * @param columns of the dataset; empty if they are not as they should be
     * @param ofTable whether the rows are in a table
     */
    static Optional<BlockDivision> read(ObjectReader in, Optional<List<Column>> columns, boolean ofTable) {
        ValueReader sentColumn = in.required("column");
        Optional<Column.Numeric> column =
                sentColumn.string(1, 128).flatMap(name -> columns.flatMap(listed -> find(sentColumn, name, listed)));
        ValueReader sentWidth = in.required("width");
        Optional<Blocks> blocks = column.filter(found -> hasWholeSteps(in, found))
                .flatMap(found -> width(sentWidth, found).flatMap(width -> blocks(in, found, width)));
        checkRowsKeepTheirBlock(in, ofTable);
        Optional<Long> delayDays = in.optional("delayDays").integer(0, MAX_DELAY_DAYS);
        if (in.has("delayDays")
                && !(ofTable && column.filter(BlocksReader::isOfDates).isPresent())) {
            in.refuse("delayDays", "delayDays is only of a table that is divided by dates: leave it out");
        }
        return in.complete(() -> new BlockDivision(blocks.orElseThrow(), Math.toIntExact(delayDays.orElse(0L))));
    }

    private static Optional<Column.Numeric> find(ValueReader sent, String name, List<Column> columns) {
        List<Column.Numeric> possible = columns.stream()
                .filter(Column.Numeric.class::isInstance)
                .map(Column.Numeric.class::cast)
                .filter(column -> isOfDates(column) || isOfIntegers(column))
                .toList();
        return possible.stream()
                .filter(column -> column.name().equals(name))
                .findFirst()
                .or(() -> possible.isEmpty()
                        ? sent.broken("a column of type date or integer, and none is listed in columns")
                        : sent.unlisted(
                                "a listed column of type date or integer: ",
                                possible.stream().map(Column::name)));
    }

    private static boolean isOfDates(Column.Numeric column) {
        return column.notation() instanceof Notation.Dates;
    }

    private static boolean isOfIntegers(Column.Numeric column) {
        return column.notation() instanceof Notation.Numbers numbers && numbers.whole();
    }

    private static boolean hasWholeSteps(ObjectReader in, Column.Numeric column) {
        BigDecimal resolution = column.grid().resolution();
        boolean whole = resolution.scale() <= 0 && resolution.compareTo(MAX_RESOLUTION) <= 0;
        if (!whole) {
            in.refuse(
                    "column",
                    "the resolution of a column of blocks must be an integer of at most "
                            + MAX_RESOLUTION.toPlainString() + ", was " + resolution.toPlainString());
        }
        return whole;
    }

    private static Optional<Blocks.Width> width(ValueReader sent, Column.Numeric column) {
        if (isOfDates(column)) {
            return sent.word(WIDTHS).map(Blocks.Width::of);
        }
        long resolution = column.grid().resolution().longValueExact();
        return sent.integer(1, MAX_WIDTH)
                .flatMap(size -> size % resolution == 0
                        ? Optional.of(new Blocks.Integers(size))
                        : sent.broken("a multiple of the column's resolution " + resolution));
    }

    private static Optional<Blocks> blocks(ObjectReader in, Column.Numeric column, Blocks.Width width) {
        long resolution = column.grid().resolution().longValueExact();
        long lower = column.lower() * resolution;
        long upper = column.upper() * resolution;
        long count = Blocks.between(width, lower, upper);
        if (count > Blocks.MOST) {
            in.refuse(
                    "width",
                    "width must make at most " + Blocks.MOST + " blocks of the column's values, " + width.text()
                            + " makes " + count + ": choose a larger width, or closer bounds of the column");
            return Optional.empty();
        }
        return Optional.of(Blocks.over(column.name(), width, lower, upper));
    }

    /** The guarantee of each block is for rows that stay in it. Those of an upload cannot change. */
    private static void checkRowsKeepTheirBlock(ObjectReader in, boolean ofTable) {
        Optional<Boolean> stated = in.optional("rowsKeepTheirBlock").bool();
        if (ofTable && !in.has("rowsKeepTheirBlock")) {
            in.refuse(
                    "rowsKeepTheirBlock",
                    "rowsKeepTheirBlock is required for a table: state true if no row's value in the column of blocks"
                            + " ever changes, and register without blocks otherwise");
        }
        if (stated.filter(keep -> !keep).isPresent()) {
            in.refuse(
                    "rowsKeepTheirBlock",
                    "rowsKeepTheirBlock must be true, was false: each block a row moves to would be another budget for"
                            + " it; divide by a column that never changes, or register without blocks");
        }
    }
}
