package dev.purser.dataset;

import dev.purser.accounting.Accountant;
import dev.purser.accounting.Accountants;
import dev.purser.accounting.PureAccountant;
import dev.purser.json.ObjectReader;
import dev.purser.json.ValueReader;
import dev.purser.privacy.Grid;
import dev.purser.privacy.NeighboringRelation;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.PrivacyUnit;
import dev.purser.privacy.PrivacyUnit.IdType;
import dev.purser.tables.TableName;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Reads the body of a registration. Every rule here concerns public facts; none depends on data. */
public final class RegistrationReader {
    /** The most rows a dataset can be registered for. */
    public static final long MAX_ROWS = 100_000_000_000L;

    /** The most columns a dataset can be registered with. */
    public static final int MAX_COLUMNS = 1_000;

    /** The most categories a column can have. */
    public static final int MAX_CATEGORIES = 10_000;

    private static final Pattern ID = Pattern.compile("[a-z][a-z0-9-]{0,62}");
    private static final String ID_FORM = "a lower-case letter and up to 62 lower-case letters, digits or hyphens";
    private static final String REJECT = "reject";

    private RegistrationReader() {}

    /** Reads a whole registration. */
    public static Optional<Registration> read(ObjectReader in) {
        Optional<String> id = in.required("id").string(ID, ID_FORM);
        Optional<String> title = in.optional("title").string(1, 200);
        Optional<PrivacyUnit> unit = in.required("privacyUnit").object(RegistrationReader::privacyUnit);
        Optional<Source> source = in.has("source")
                ? in.required("source").object(RegistrationReader::source)
                : Optional.of(new Source.Upload());
        boolean ofTable = source.orElse(null) instanceof Source.Table;
        Optional<List<Column>> columns = in.required("columns").objects(1, MAX_COLUMNS, sent -> column(sent, ofTable));
        columns.ifPresent(read -> checkNames(in, read, unit));
        Optional<NeighboringRelation> relation =
                in.required("neighboringRelation").label(NeighboringRelation.values(), NeighboringRelation::label);
        if (ofTable && relation.filter(NeighboringRelation.REPLACE_ONE::equals).isPresent()) {
            in.refuse(
                    "neighboringRelation",
                    "neighboringRelation must be \"add-or-remove-one\" for a table:"
                            + " how many rows it has is not public");
        }
        Optional<Long> maxRows = in.required("maxRows").integer(1, MAX_ROWS);
        Optional<Accountant> accountant = in.has("accountant")
                ? in.required("accountant").label(accountants(), Accountant::name)
                : Optional.of(new PureAccountant());
        Optional<PrivacyAmount> budget = in.required("budget").object(sent -> LimitReader.declared(sent, accountant));
        Optional<Boolean> declaredPublic = in.optional("declaredPublic").bool();
        Optional<String> sharesAccountWith = in.optional("sharesAccountWith").string(ID, ID_FORM);
        return in.complete(() -> new Registration(
                id.orElseThrow(),
                title,
                columns.orElseThrow(),
                unit.orElseThrow(),
                relation.orElseThrow(),
                maxRows.orElseThrow(),
                budget.orElseThrow(),
                accountant.orElseThrow(),
                source.orElseThrow(),
                declaredPublic.orElse(false),
                sharesAccountWith));
    }

    private static Accountant[] accountants() {
        return Accountants.ALL.toArray(Accountant[]::new);
    }

    private static Optional<PrivacyUnit> privacyUnit(ObjectReader in) {
        Optional<String> type = in.required("type").label(new String[] {"row", "column"}, label -> label);
        if (type.filter("column"::equals).isEmpty()) {
            in.notInThisForm("column", "maxRows", "idType");
            return in.complete(PrivacyUnit.Row::new);
        }
        Optional<String> column = in.required("column").string(1, 128);
        Optional<Long> maxRows = in.required("maxRows").integer(1, 1_000_000);
        Optional<IdType> idType = in.optional("idType").label(IdType.values(), IdType::label);
        return in.complete(() -> new PrivacyUnit.Column(
                column.orElseThrow(), Math.toIntExact(maxRows.orElseThrow()), idType.orElse(IdType.TEXT)));
    }

    private static Optional<Source> source(ObjectReader in) {
        Optional<String> type = in.required("type").label(new String[] {"upload", "table"}, label -> label);
        if (type.filter("table"::equals).isEmpty()) {
            in.notInThisForm("connection", "table");
            return in.complete(Source.Upload::new);
        }
        Optional<String> connection = in.required("connection").string(ID, ID_FORM);
        Optional<String> sentTable = in.required("table").string(1, TableName.MAX_LENGTH);
        Optional<TableName> table = sentTable.flatMap(TableName::parse);
        if (sentTable.isPresent() && table.isEmpty()) {
            in.refuse(
                    "table", "table must be a schema and a table with a dot between them, at most 128 characters each");
        }
        return in.complete(() -> new Source.Table(connection.orElseThrow(), table.orElseThrow()));
    }

    private static void checkNames(ObjectReader in, List<Column> columns, Optional<PrivacyUnit> unit) {
        Set<String> names = new HashSet<>();
        for (Column column : columns) {
            if (!names.add(column.name())) {
                in.refuse("columns", "column names must differ, \"" + column.name() + "\" occurs twice");
            }
        }
        if (unit.orElse(null) instanceof PrivacyUnit.Column(String name, int _, IdType _) && names.contains(name)) {
            in.refuse(
                    "columns",
                    "the column \"" + name + "\" names the privacy unit and cannot be asked about: leave it out here");
        }
    }

    private static Optional<Column> column(ObjectReader in, boolean ofTable) {
        Optional<Column> column = column(in);
        if (ofTable && column.filter(read -> read.missing() == null).isPresent()) {
            in.refuse("missing", "missing must be a value: a table has no upload that could be refused");
        }
        return column;
    }

    private static Optional<Column> column(ObjectReader in) {
        Optional<String> name = in.required("name").string(1, 128);
        String[] types = {"integer", "decimal", "boolean", "date", "timestamp", "category"};
        Optional<String> type = in.required("type").label(types, label -> label);
        in.notInThisForm("lower", "upper", "resolution", "categories");
        return switch (type.orElse("")) {
            case "integer" -> numeric(in, name, resolution(in, false), grid -> new Notation.Numbers(true, grid));
            case "decimal" -> numeric(in, name, resolution(in, true), grid -> new Notation.Numbers(false, grid));
            case "date" -> numeric(in, name, Optional.of(Grid.ONE), day -> new Notation.Dates());
            case "timestamp" -> numeric(in, name, resolution(in, false), Notation.Timestamps::new);
            case "boolean" -> category(in, name.map(Column.Category::ofTruth));
            case "category" -> category(in, named(in, name));
            default -> Optional.empty();
        };
    }

    /** The grid of a resolution. An optional resolution defaults to 1. */
    private static Optional<Grid> resolution(ObjectReader in, boolean required) {
        ValueReader sent = required ? in.required("resolution") : in.optional("resolution");
        if (!required && !in.has("resolution")) {
            return Optional.of(Grid.ONE);
        }
        return sent.decimal()
                .flatMap(resolution ->
                        resolution.signum() > 0 ? Optional.of(new Grid(resolution)) : sent.broken("above zero"));
    }

    private static Optional<Column> numeric(
            ObjectReader in, Optional<String> name, Optional<Grid> grid, Function<Grid, Notation> notation) {
        Optional<Long> lower = gridValue(in.required("lower"), grid, notation);
        Optional<Long> upper = gridValue(in.required("upper"), grid, notation);
        boolean ordered = lower.isEmpty() || upper.isEmpty() || lower.orElseThrow() <= upper.orElseThrow();
        if (!ordered) {
            in.refuse("upper", "upper must be at least lower");
        }
        ValueReader sentMissing = in.optional("missing");
        Optional<Long> missing = sentMissing.isText(REJECT)
                ? Optional.empty()
                : gridValue(sentMissing, grid, notation).filter(value -> isWithin(in, value, lower, upper));
        return in.complete(() -> new Column.Numeric(
                name.orElseThrow(),
                notation.apply(grid.orElseThrow()),
                lower.orElseThrow(),
                upper.orElseThrow(),
                missing.orElse(null)));
    }

    private static boolean isWithin(ObjectReader in, long missing, Optional<Long> lower, Optional<Long> upper) {
        boolean within = missing >= lower.orElse(Long.MIN_VALUE) && missing <= upper.orElse(Long.MAX_VALUE);
        if (!within) {
            in.refuse("missing", "missing must be \"reject\" or a value between lower and upper");
        }
        return within;
    }

    /** Reads a value on the grid. Without a grid only the form of the value is checked. */
    private static Optional<Long> gridValue(ValueReader sent, Optional<Grid> grid, Function<Grid, Notation> notation) {
        if (grid.isEmpty()) {
            notation.apply(Grid.ONE).number(sent);
            return Optional.empty();
        }
        return notation.apply(grid.orElseThrow()).read(sent);
    }

    private static Optional<Column.Category> named(ObjectReader in, Optional<String> name) {
        Optional<List<String>> categories = in.required("categories").strings(1, MAX_CATEGORIES, 0, 256);
        if (categories.filter(list -> new HashSet<>(list).size() < list.size()).isPresent()) {
            in.refuse("categories", "categories must differ from each other");
        }
        return name.flatMap(known -> categories.map(list -> Column.Category.ofNames(known, list)));
    }

    private static Optional<Column> category(ObjectReader in, Optional<Column.Category> rejecting) {
        ValueReader sentMissing = in.optional("missing");
        Optional<Integer> missing =
                sentMissing.isText(REJECT) ? Optional.empty() : rejecting.flatMap(column -> column.read(sentMissing));
        return in.complete(() -> rejecting.orElseThrow().substituting(missing.orElse(null)));
    }
}
