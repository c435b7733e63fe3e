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
import dev.purser.tables.TableName;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads the body of a registration. Every rule here speaks about public facts; nothing is read off data. */
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
        Optional<String> title = in.nullable("title").string(1, 200);
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
                    "neighboringRelation must be \"add-or-remove-one\" for a table: how many rows it has is not public");
        }
        Optional<Long> maxRows = in.required("maxRows").integer(1, MAX_ROWS);
        Optional<Accountant> accountant = in.has("accountant")
                ? in.required("accountant").label(accountants(), Accountant::name)
                : Optional.of(new PureAccountant());
        Optional<PrivacyAmount> budget = in.required("budget").object(sent -> LimitReader.declared(sent, accountant));
        Optional<Boolean> declaredPublic = in.optional("declaredPublic").bool();
        Optional<String> sharesAccountWith = in.nullable("sharesAccountWith").string(ID, ID_FORM);
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
            return in.complete(PrivacyUnit.Row::new);
        }
        Optional<String> column = in.required("column").string(1, 128);
        Optional<Long> maxRows = in.required("maxRows").integer(1, 1_000_000);
        return in.complete(() -> new PrivacyUnit.Column(column.orElseThrow(), Math.toIntExact(maxRows.orElseThrow())));
    }

    private static Optional<Source> source(ObjectReader in) {
        Optional<String> type = in.required("type").label(new String[] {"upload", "table"}, label -> label);
        if (type.filter("table"::equals).isEmpty()) {
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
                in.refuse("columns", "column names must differ, \"" + column.name() + "\" stands twice");
            }
        }
        if (unit.orElse(null) instanceof PrivacyUnit.Column(String name, int maxRows) && names.contains(name)) {
            in.refuse(
                    "columns",
                    "the column \"" + name + "\" names the privacy unit and cannot be asked about: leave it out here");
        }
    }

    private static Optional<Column> column(ObjectReader in, boolean ofTable) {
        Optional<Column> column = column(in);
        if (ofTable && column.filter(read -> read.missing() == null).isPresent()) {
            in.refuse("missing", "missing must be a value: no upload is there that could be refused");
        }
        return column;
    }

    private static Optional<Column> column(ObjectReader in) {
        Optional<String> name = in.required("name").string(1, 128);
        Optional<String> type =
                in.required("type").label(new String[] {"integer", "decimal", "category"}, label -> label);
        return switch (type.orElse("")) {
            case "integer" -> numeric(in, name, Column.Numeric.Type.INTEGER);
            case "decimal" -> numeric(in, name, Column.Numeric.Type.DECIMAL);
            case "category" -> category(in, name);
            default -> Optional.empty();
        };
    }

    private static Optional<Column> numeric(ObjectReader in, Optional<String> name, Column.Numeric.Type type) {
        ValueReader sentResolution =
                type == Column.Numeric.Type.DECIMAL ? in.required("resolution") : in.optional("resolution");
        Optional<BigDecimal> resolution = in.has("resolution")
                ? sentResolution.decimal()
                : Optional.of(BigDecimal.ONE).filter(one -> type == Column.Numeric.Type.INTEGER);
        if (resolution.filter(sent -> sent.signum() <= 0).isPresent()) {
            sentResolution.refuse("resolution must be above zero, was "
                    + resolution.orElseThrow().toPlainString());
        }
        Optional<Grid> grid = resolution.filter(sent -> sent.signum() > 0).map(Grid::new);
        Optional<Long> lower = gridValue(in, "lower", in.required("lower"), grid);
        Optional<Long> upper = gridValue(in, "upper", in.required("upper"), grid);
        boolean ordered = lower.isEmpty() || upper.isEmpty() || lower.orElseThrow() <= upper.orElseThrow();
        if (!ordered) {
            in.refuse("upper", "upper must be at least lower");
        }
        ValueReader sentMissing = in.optional("missing");
        Optional<Long> missing = sentMissing.isText(REJECT)
                ? Optional.empty()
                : gridValue(in, "missing", sentMissing, grid).filter(value -> isWithin(in, value, lower, upper));
        return in.complete(() -> new Column.Numeric(
                name.orElseThrow(),
                type,
                grid.orElseThrow(),
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

    private static Optional<Long> gridValue(ObjectReader in, String field, ValueReader value, Optional<Grid> grid) {
        return value.decimal()
                .flatMap(sent -> grid.flatMap(known -> {
                    Optional<Long> steps = known.toGrid(sent);
                    if (steps.isEmpty()) {
                        in.refuse(
                                field,
                                field + " must be a multiple of the resolution "
                                        + known.resolution().toPlainString() + " and at most 2^40 times it, was "
                                        + sent.toPlainString());
                    }
                    return steps;
                }));
    }

    private static Optional<Column> category(ObjectReader in, Optional<String> name) {
        Optional<List<String>> categories = in.required("categories").strings(1, MAX_CATEGORIES, 0, 256);
        if (categories.filter(list -> new HashSet<>(list).size() < list.size()).isPresent()) {
            in.refuse("categories", "categories must differ from each other");
        }
        ValueReader sentMissing = in.optional("missing");
        Optional<String> missing = sentMissing.isText(REJECT) ? Optional.empty() : sentMissing.string(0, 256);
        if (missing.isPresent()
                && categories
                        .filter(list -> !list.contains(missing.orElseThrow()))
                        .isPresent()) {
            in.refuse("missing", "missing must be \"reject\" or one of the categories");
        }
        return in.complete(() -> {
            List<String> list = categories.orElseThrow();
            return new Column.Category(
                    name.orElseThrow(), list, missing.map(list::indexOf).orElse(null));
        });
    }
}
