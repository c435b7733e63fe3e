package dev.purser.dataset;

import dev.purser.accounting.Accountant;
import dev.purser.accounting.Accountants;
import dev.purser.accounting.PureAccountant;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.privacy.NeighboringRelation;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.PrivacyUnit;
import dev.purser.privacy.PrivacyUnit.IdType;
import dev.purser.tables.TableName;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads the body of a registration. Every rule here concerns public facts; none depends on data. */
public final class RegistrationReader {
    /** The ids of datasets. */
    public static final Pattern ID = Pattern.compile("[a-z][a-z0-9-]{0,62}");

    /** {@link #ID} in words; it completes "must be". */
    public static final String ID_FORM = "a lower-case letter and up to 62 lower-case letters, digits or hyphens";

    private static final long MAX_ROWS = 100_000_000_000L;
    private static final int MAX_COLUMNS = 1_000;

    private static final Accountant BY_DEFAULT = new PureAccountant();
    private static final FieldType.Choice UNIT_TYPES = new FieldType.Choice(List.of("row", "column"));
    private static final FieldType.Choice SOURCE_TYPES = new FieldType.Choice(List.of("upload", "table"));

    /** Of registrations, and of datasets that are shown. */
    private static final FieldType.ObjectOf UNIT = new FieldType.ObjectOf(
            "PrivacyUnit",
            "Whose contribution is protected.",
            List.of(
                    Field.required("type", UNIT_TYPES, ""),
                    Field.optional(
                            "column",
                            FieldType.TEXT,
                            "With type column: the header of the column that names the unit."),
                    Field.optional(
                            "maxRows", FieldType.INTEGER, "With type column: the most rows of one unit that are kept."),
                    Field.optional(
                            "idType",
                            FieldType.Choice.of(IdType.values()),
                            "With type column: whether its values are compared as text, as they are written, or as"
                                    + " integers: then 1, 01 and +1 are one unit, and an upload with anything else than"
                                    + " integers is refused. `text` if it is not sent.")));

    /** Of registrations, and of datasets that are shown. */
    private static final FieldType.ObjectOf SOURCE = new FieldType.ObjectOf(
            "DatasetSource",
            "Where the rows come from.",
            List.of(
                    Field.required("type", SOURCE_TYPES, ""),
                    Field.optional(
                                    "connection",
                                    FieldType.TEXT,
                                    "With type table: a connection of the service's own configuration, by its name.")
                            .withExample("warehouse"),
                    Field.optional(
                                    "table",
                                    FieldType.TEXT,
                                    "With type table: schema and table, as the database has them. Its rows are read as"
                                            + " they are when a question is asked, and stay with one account for ever.")
                            .withExample("census.people")));

    /** The body as the API describes it. */
    public static final FieldType.ObjectOf FORM = new FieldType.ObjectOf(
            "DatasetRegistration",
            "",
            List.of(
                    Field.required("id", new FieldType.Text(ID), "").withExample("adult"),
                    Field.optional("title", FieldType.TEXT, "At most 200 characters.")
                            .withExample("Census income, 1994"),
                    Field.required("columns", new FieldType.ListOf(ColumnReader.FORM), ""),
                    Field.required("privacyUnit", UNIT, ""),
                    Field.required(
                            "neighboringRelation",
                            FieldType.Choice.of(NeighboringRelation.values()),
                            "Which datasets count as neighbours: one unit more or less (its number stays private), or"
                                    + " one unit replaced (its number is public)."),
                    Field.required(
                                    "maxRows",
                                    new FieldType.Plain(long.class),
                                    "The most rows the dataset may hold; public.")
                            .withExample(1_000_000),
                    Field.required("budget", LimitReader.BUDGET, ""),
                    Field.optional(
                                    "accountant",
                                    new FieldType.Choice(Accountants.ALL.stream()
                                            .map(Accountant::name)
                                            .toList()),
                                    "How losses add up: `pure` (epsilons), `approximate` (epsilons and deltas), `zcdp`"
                                            + " (rhos: epsilon e is charged e·tanh(e/2), up to the rho that the"
                                            + " budget's epsilon and delta allow).")
                            .withDefault(BY_DEFAULT.name())
                            .withoutExample(),
                    Field.optional("source", SOURCE, ""),
                    Field.optional(
                                    "declaredPublic",
                                    new FieldType.Plain(boolean.class),
                                    "The rows are public or synthetic; every answer's guarantee says so. Such rows may"
                                            + " be uploaded again under another account.")
                            .withDefault(false)
                            .withoutExample(),
                    Field.optional(
                                    "declaredOtherPeople",
                                    new FieldType.Plain(boolean.class),
                                    "Your statement that the rows are about other people than equal rows of another"
                                            + " account, which happens by chance in files of few and short rows. It is"
                                            + " not checked; every answer's guarantee says so. Uploads only.")
                            .withDefault(false)
                            .withoutExample(),
                    Field.optional("blocks", BlocksReader.FORM, ""),
                    Field.optional(
                                    "sharesAccountWith",
                                    FieldType.TEXT,
                                    "A dataset of yours, deleted or not, that holds the same rows: both debit one"
                                            + " account. Repeat its budget, accountant, neighboringRelation and"
                                            + " privacyUnit here.")
                            .withExample("adult-2")));

    /** An example: the dataset of the README. */
    public static final String VISITS = """
            {
              "id": "visits",
              "title": "Visits to a clinic (invented)",
              "columns": [
                {"name": "age", "type": "integer", "lower": 0, "upper": 110},
                {"name": "minutes", "type": "decimal", "lower": 0, "upper": 120, "resolution": 0.5},
                {"name": "ward", "type": "category", "categories": ["emergency", "maternity", "outpatient", "surgery"]},
                {"name": "sex", "type": "category", "categories": ["Female", "Male"]}
              ],
              "privacyUnit": {"type": "row"},
              "neighboringRelation": "add-or-remove-one",
              "maxRows": 10000,
              "budget": {"epsilon": "5", "delta": "0"},
              "accountant": "pure",
              "source": {"type": "upload"}
            }""";

    /** An example for kinds of questions that need a public number of rows. */
    public static final String VISITS_PUBLIC = """
            {
              "id": "visits-public",
              "title": "Visits to a clinic (invented), their number public",
              "columns": [{"name": "age", "type": "integer", "lower": 0, "upper": 110}],
              "privacyUnit": {"type": "row"},
              "neighboringRelation": "replace-one",
              "maxRows": 10000,
              "budget": {"epsilon": "10", "delta": "0.000001"},
              "accountant": "zcdp",
              "declaredPublic": true
            }""";

    /** An example of a dataset that grows every day. */
    public static final String VISITS_DAILY = """
            {
              "id": "visits-daily",
              "title": "Visits to a clinic (invented), a file and a budget for each day",
              "columns": [
                {"name": "day", "type": "date", "lower": "2026-01-01", "upper": "2026-12-31"},
                {"name": "ward", "type": "category", "categories": ["emergency", "maternity", "outpatient", "surgery"]}
              ],
              "privacyUnit": {"type": "row"},
              "neighboringRelation": "add-or-remove-one",
              "maxRows": 10000,
              "budget": {"epsilon": "1"},
              "blocks": {"column": "day", "width": "day"}
            }""";

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
        Optional<List<Column>> columns =
                in.required("columns").objects(1, MAX_COLUMNS, sent -> ColumnReader.read(sent, ofTable));
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
                ? in.required("accountant").label(Accountants.ALL.toArray(Accountant[]::new), Accountant::name)
                : Optional.of(BY_DEFAULT);
        Optional<PrivacyAmount> budget = in.required("budget").object(sent -> LimitReader.declared(sent, accountant));
        Optional<BlockDivision> blocks =
                in.optional("blocks").object(sent -> BlocksReader.read(sent, columns, ofTable));
        Optional<Boolean> declaredPublic = in.optional("declaredPublic").bool();
        Optional<Boolean> declaredOtherPeople =
                in.optional("declaredOtherPeople").bool();
        if (ofTable && declaredOtherPeople.orElse(false)) {
            in.refuse(
                    "declaredOtherPeople",
                    "declaredOtherPeople is for uploads: a table that is read again is about the same people");
        }
        Optional<String> sharesAccountWith = in.optional("sharesAccountWith").string(ID, ID_FORM);
        if (in.has("blocks")) {
            checkPermitsBlocks(in, relation);
        }
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
                declaredOtherPeople.orElse(false),
                blocks,
                sharesAccountWith));
    }

    private static void checkPermitsBlocks(ObjectReader in, Optional<NeighboringRelation> relation) {
        if (relation.filter(NeighboringRelation.REPLACE_ONE::equals).isPresent()) {
            in.refuse(
                    "neighboringRelation",
                    "neighboringRelation must be \"add-or-remove-one\" for a dataset with blocks:"
                            + " a replaced row may be in another block");
        }
        if (in.has("sharesAccountWith")) {
            in.refuse(
                    "sharesAccountWith",
                    "a dataset with blocks has an account of its own: leave sharesAccountWith out, or blocks");
        }
    }

    private static Optional<PrivacyUnit> privacyUnit(ObjectReader in) {
        Optional<String> type = in.required("type").word(UNIT_TYPES);
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
        Optional<String> type = in.required("type").word(SOURCE_TYPES);
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
}
