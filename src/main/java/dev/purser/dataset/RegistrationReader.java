package dev.purser.dataset;

import dev.purser.accounting.Accountant;
import dev.purser.accounting.Accountants;
import dev.purser.accounting.PureAccountant;
import dev.purser.json.Elements;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.json.Shape;
import dev.purser.json.ValueReader;
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

/** Reads the body of a registration. Every rule here depends on public facts alone, never on data. */
public final class RegistrationReader {
    /** The ids of datasets. */
    public static final Pattern ID = Pattern.compile("[a-z][a-z0-9-]{0,62}");

    /** {@link #ID} in words; it completes "must be". */
    public static final String ID_FORM = "a lower-case letter and up to 62 lower-case letters, digits or hyphens";

    private static final Accountant BY_DEFAULT = new PureAccountant();

    private static final Field<String> UNIT_TYPE = Field.required("type", FieldType.choice("row", "column"), "");
    private static final Field<String> UNIT_COLUMN = Field.optional(
            "column", FieldType.text(1, 128), "With type column: the header of the column that names the unit.");
    private static final Field<Integer> UNIT_ROWS = Field.optional(
            "maxRows", FieldType.integer(1, 1_000_000), "With type column: the most rows of one unit that are kept.");
    private static final Field<IdType> ID_TYPE = Field.optional(
            "idType",
            FieldType.choice(IdType.values()),
            "With type column: whether its values are compared as text, as they are written, or as"
                    + " integers: then 1, 01 and +1 are one unit, and an upload with anything else than"
                    + " integers is refused. `text` if it is not sent.");
    private static final Field<PrivacyUnit> UNIT = Field.required(
            "privacyUnit",
            FieldType.object(
                    new Shape.ObjectOf(
                            "PrivacyUnit",
                            "Whose contribution is protected.",
                            List.of(UNIT_TYPE, UNIT_COLUMN, UNIT_ROWS, ID_TYPE)),
                    RegistrationReader::privacyUnit),
            "");

    private static final Field<String> SOURCE_TYPE = Field.required("type", FieldType.choice("upload", "table"), "");
    private static final Field<String> CONNECTION = Field.optional(
            "connection",
            FieldType.text(ID, ID_FORM),
            "With type table: a connection of the service's own configuration, by its name.",
            "warehouse");
    private static final Field<TableName> TABLE = Field.optional(
            "table",
            FieldType.text(1, TableName.MAX_LENGTH).then(RegistrationReader::table),
            "With type table: schema and table, as the database has them. Its rows are read as"
                    + " they are when a question is asked, and stay with one account for ever.",
            "census.people");
    private static final Field<Source> SOURCE = Field.optional(
            "source",
            FieldType.object(
                    new Shape.ObjectOf(
                            "DatasetSource", "Where the rows come from.", List.of(SOURCE_TYPE, CONNECTION, TABLE)),
                    RegistrationReader::source),
            "");

    private static final Field<String> DATASET_ID = Field.required("id", FieldType.text(ID, ID_FORM), "", "adult");
    private static final Field<String> TITLE =
            Field.optional("title", FieldType.text(1, 200), "", "Census income, 1994");
    private static final Field<Elements<ObjectReader>> COLUMNS =
            Field.required("columns", FieldType.elements(FieldType.object(ColumnReader.FORM), 1, 1_000), "");
    private static final Field<NeighboringRelation> RELATION = Field.required(
            "neighboringRelation",
            FieldType.choice(List.of(NeighboringRelation.values()), NeighboringRelation::label),
            "Which datasets count as neighbours: one unit more or less (its number stays private), or"
                    + " one unit replaced (its number is public).");
    private static final Field<Long> MAX_ROWS = Field.required(
            "maxRows",
            FieldType.longInteger(1, 100_000_000_000L),
            "The most rows the dataset may hold; public.",
            1_000_000);
    private static final Field<ObjectReader> BUDGET =
            Field.required("budget", FieldType.object(LimitReader.BUDGET), "");
    private static final Field<Accountant> ACCOUNTANT = Field.optional(
                    "accountant",
                    FieldType.choice(Accountants.ALL, Accountant::name),
                    "How losses add up: `pure` (epsilons), `approximate` (epsilons and deltas), `zcdp` (rhos: epsilon e"
                            + " is charged e·tanh(e/2), up to the rho that the budget's epsilon and delta allow).")
            .withDefault(BY_DEFAULT, BY_DEFAULT.name())
            .withoutExample();
    private static final Field<Boolean> DECLARED_PUBLIC = Field.optional(
                    "declaredPublic",
                    FieldType.BOOLEAN,
                    "The rows are public or synthetic; every answer's guarantee says so. Such rows may"
                            + " be uploaded again under another account.")
            .withDefault(false)
            .withoutExample();
    private static final Field<Boolean> DECLARED_OTHER_PEOPLE = Field.optional(
                    "declaredOtherPeople",
                    FieldType.BOOLEAN,
                    "Your statement that the rows are about other people than equal rows of another"
                            + " account, which happens by chance in files of few and short rows. It is"
                            + " not checked; every answer's guarantee says so. Uploads only.")
            .withDefault(false)
            .withoutExample();
    private static final Field<ObjectReader> BLOCKS = Field.optional("blocks", FieldType.object(BlocksReader.FORM), "");
    private static final Field<String> SHARES_ACCOUNT_WITH = Field.optional(
            "sharesAccountWith",
            FieldType.text(ID, ID_FORM),
            "A dataset of yours, deleted or not, that holds the same rows: both debit one account. Repeat its budget,"
                    + " accountant, neighboringRelation and privacyUnit here.",
            "adult-2");

    /** The body as the API describes it. */
    public static final Shape.ObjectOf FORM = new Shape.ObjectOf(
            "DatasetRegistration",
            DATASET_ID,
            TITLE,
            COLUMNS,
            UNIT,
            RELATION,
            MAX_ROWS,
            BUDGET,
            ACCOUNTANT,
            SOURCE,
            DECLARED_PUBLIC,
            DECLARED_OTHER_PEOPLE,
            BLOCKS,
            SHARES_ACCOUNT_WITH);

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

    /** An example for the kinds of questions that need a public number of rows. */
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
        Optional<String> id = in.read(DATASET_ID);
        Optional<String> title = in.read(TITLE);
        Optional<PrivacyUnit> unit = in.read(UNIT);
        Optional<Source> source = in.has(SOURCE) ? in.read(SOURCE) : Optional.of(new Source.Upload());
        boolean ofTable = source.orElse(null) instanceof Source.Table;
        Optional<List<Column>> columns =
                in.read(COLUMNS).flatMap(all -> all.read(sent -> ColumnReader.read(sent, ofTable)));
        columns.ifPresent(read -> checkNames(in, read, unit));
        Optional<NeighboringRelation> relation = in.read(RELATION);
        if (ofTable && relation.filter(NeighboringRelation.REPLACE_ONE::equals).isPresent()) {
            in.refuse(
                    RELATION,
                    "neighboringRelation must be \"add-or-remove-one\" for a table:"
                            + " how many rows it has is not public");
        }
        Optional<Long> maxRows = in.read(MAX_ROWS);
        Optional<Accountant> accountant = in.read(ACCOUNTANT);
        Optional<PrivacyAmount> budget = in.read(BUDGET).flatMap(sent -> LimitReader.declared(sent, accountant));
        Optional<BlockDivision> blocks = in.read(BLOCKS).flatMap(sent -> BlocksReader.read(sent, columns, ofTable));
        Optional<Boolean> declaredPublic = in.read(DECLARED_PUBLIC);
        Optional<Boolean> declaredOtherPeople = in.read(DECLARED_OTHER_PEOPLE);
        if (ofTable && declaredOtherPeople.orElse(false)) {
            in.refuse(
                    DECLARED_OTHER_PEOPLE,
                    "declaredOtherPeople is for uploads: a table that is read again is about the same people");
        }
        Optional<String> sharesAccountWith = in.read(SHARES_ACCOUNT_WITH);
        if (in.has(BLOCKS)) {
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
                declaredPublic.orElseThrow(),
                declaredOtherPeople.orElseThrow(),
                blocks,
                sharesAccountWith));
    }

    private static void checkPermitsBlocks(ObjectReader in, Optional<NeighboringRelation> relation) {
        if (relation.filter(NeighboringRelation.REPLACE_ONE::equals).isPresent()) {
            in.refuse(
                    RELATION,
                    "neighboringRelation must be \"add-or-remove-one\" for a dataset with blocks:"
                            + " a replaced row may be in another block");
        }
        if (in.has(SHARES_ACCOUNT_WITH)) {
            in.refuse(
                    SHARES_ACCOUNT_WITH,
                    "a dataset with blocks has an account of its own: leave sharesAccountWith out, or blocks");
        }
    }

    private static Optional<PrivacyUnit> privacyUnit(ObjectReader in) {
        Optional<String> type = in.read(UNIT_TYPE);
        if (type.filter("column"::equals).isEmpty()) {
            in.notInThisForm(UNIT_COLUMN, UNIT_ROWS, ID_TYPE);
            return in.complete(PrivacyUnit.Row::new);
        }
        Optional<String> column = in.required(UNIT_COLUMN);
        Optional<Integer> maxRows = in.required(UNIT_ROWS);
        Optional<IdType> idType = in.read(ID_TYPE);
        return in.complete(
                () -> new PrivacyUnit.Column(column.orElseThrow(), maxRows.orElseThrow(), idType.orElse(IdType.TEXT)));
    }

    private static Optional<Source> source(ObjectReader in) {
        Optional<String> type = in.read(SOURCE_TYPE);
        if (type.filter("table"::equals).isEmpty()) {
            in.notInThisForm(CONNECTION, TABLE);
            return in.complete(Source.Upload::new);
        }
        Optional<String> connection = in.required(CONNECTION);
        Optional<TableName> table = in.required(TABLE);
        return in.complete(() -> new Source.Table(connection.orElseThrow(), table.orElseThrow()));
    }

    private static Optional<TableName> table(ValueReader in, String sent) {
        Optional<TableName> name = TableName.parse(sent);
        if (name.isEmpty()) {
            in.refuse("table must be a schema and a table with a dot between them, at most 128 characters each");
        }
        return name;
    }

    private static void checkNames(ObjectReader in, List<Column> columns, Optional<PrivacyUnit> unit) {
        Set<String> names = new HashSet<>();
        for (Column column : columns) {
            if (!names.add(column.name())) {
                in.refuse(COLUMNS, "column names must differ, \"" + column.name() + "\" occurs twice");
            }
        }
        if (unit.orElse(null) instanceof PrivacyUnit.Column(String name, int _, IdType _) && names.contains(name)) {
            in.refuse(
                    COLUMNS,
                    "the column \"" + name + "\" names the privacy unit and cannot be asked about: leave it out here");
        }
    }
}
