package dev.purser.dataset;

import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.json.Shape;
import dev.purser.json.ValueReader;
import dev.purser.privacy.Blocks;
import dev.purser.privacy.Grid;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/** Reads the division into blocks of a registration. */
final class BlocksReader {
    private static final FieldType<String> WIDTHS = FieldType.choice("day", "week", "month");

    /** Keeps labels within 64 bits. A label is a number of grid steps times the resolution. */
    private static final BigDecimal MAX_RESOLUTION = new BigDecimal(1 << 20);

    private static final long MAX_WIDTH = Grid.MAX_MAGNITUDE << 20;

    private static final Field<String> COLUMN =
            Field.required("column", FieldType.text(1, 128), "A column of type date or integer that is listed.");
    private static final Field<ValueReader> WIDTH = Field.required(
            "width",
            FieldType.unread(new Shape.Of(BlockWidth.class)),
            "Of dates `day`, `week` (from Monday) or `month`; of integers how many, a multiple"
                    + " of the column's resolution.",
            "day");
    private static final Field<Boolean> ROWS_KEEP_THEIR_BLOCK = Field.optional(
            "rowsKeepTheirBlock",
            FieldType.BOOLEAN,
            "Required of a table, and then true: the value of a row in this column never changes. If it"
                    + " does, each value is a new budget for the same row.");
    private static final Field<Integer> DELAY_DAYS = Field.optional(
                    "delayDays",
                    FieldType.integer(0, 3_660),
                    "Of a table divided by dates: how many days after its last day (UTC) a block can be asked about.")
            .withDefault(0)
            .withoutExample();

    /** The object as the API describes it. */
    static final Shape.ObjectOf FORM = new Shape.ObjectOf(
            "DatasetBlocks",
            "How the rows are divided by the values of one column. Each block has the whole budget, and at most maxRows"
                    + " rows; privacyUnit.maxRows bounds the rows of a unit in a block. There are at most "
                    + Blocks.MOST + " blocks.",
            List.of(COLUMN, WIDTH, ROWS_KEEP_THEIR_BLOCK, DELAY_DAYS));

    private BlocksReader() {}

    /**
     * Reads a division.
     *
     * @param columns the columns of the dataset; empty if they broke a rule
     * @param ofTable whether the rows are in a table
     */
    static Optional<BlockDivision> read(ObjectReader in, Optional<List<Column>> columns, boolean ofTable) {
        Optional<Column.Numeric> column =
                in.read(COLUMN, (sent, name) -> columns.flatMap(listed -> find(sent, name, listed)));
        Optional<ValueReader> sentWidth = in.read(WIDTH);
        Optional<Blocks> blocks = column.filter(found -> requireWholeSteps(in, found))
                .flatMap(found ->
                        sentWidth.flatMap(sent -> width(sent, found)).flatMap(width -> blocks(in, found, width)));
        checkRowsKeepTheirBlock(in, ofTable);
        Optional<Integer> delayDays = in.read(DELAY_DAYS);
        if (in.has(DELAY_DAYS)
                && !(ofTable && column.filter(BlocksReader::isOfDates).isPresent())) {
            in.refuse(DELAY_DAYS, "delayDays is only of a table that is divided by dates: leave it out");
        }
        return in.complete(() -> new BlockDivision(blocks.orElseThrow(), delayDays.orElseThrow()));
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

    /** Refuses the division, and returns false, if the labels of the column are no integers. */
    private static boolean requireWholeSteps(ObjectReader in, Column.Numeric column) {
        BigDecimal resolution = column.grid().resolution();
        boolean whole = resolution.scale() <= 0 && resolution.compareTo(MAX_RESOLUTION) <= 0;
        if (!whole) {
            in.refuse(
                    COLUMN,
                    "the resolution of a column of blocks must be an integer of at most "
                            + MAX_RESOLUTION.toPlainString() + ", was " + resolution.toPlainString());
        }
        return whole;
    }

    private static Optional<Blocks.Width> width(ValueReader sent, Column.Numeric column) {
        if (isOfDates(column)) {
            return WIDTHS.read(sent).map(Blocks.Width::of);
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
                    WIDTH,
                    "width must make at most " + Blocks.MOST + " blocks of the column's values, " + width.text()
                            + " makes " + count + ": choose a larger width, or closer bounds of the column");
            return Optional.empty();
        }
        return Optional.of(Blocks.over(column.name(), width, lower, upper));
    }

    /**
     * Refuses a table unless its rows stay in their blocks. The guarantee of a block requires this. Uploaded rows
     * cannot change.
     */
    private static void checkRowsKeepTheirBlock(ObjectReader in, boolean ofTable) {
        Optional<Boolean> stated = in.read(ROWS_KEEP_THEIR_BLOCK);
        if (ofTable && !in.has(ROWS_KEEP_THEIR_BLOCK)) {
            in.refuse(
                    ROWS_KEEP_THEIR_BLOCK,
                    "rowsKeepTheirBlock is required for a table: state true if no row's value in the column of blocks"
                            + " ever changes, and register without blocks otherwise");
        }
        if (stated.filter(keep -> !keep).isPresent()) {
            in.refuse(
                    ROWS_KEEP_THEIR_BLOCK,
                    "rowsKeepTheirBlock must be true, was false: each block a row moves to would be another budget for"
                            + " it; divide by a column that never changes, or register without blocks");
        }
    }
}
