package dev.purser.engine;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetFiles;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.dataset.FingerprintSecrets;
import dev.purser.dataset.InstanceId;
import dev.purser.dataset.Notation;
import dev.purser.dataset.Source;
import dev.purser.ledger.CommittedDebit;
import dev.purser.ledger.DebitsForTests;
import dev.purser.mechanism.Buckets;
import dev.purser.mechanism.ExactForTests;
import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.Blocks;
import dev.purser.privacy.Grid;
import dev.purser.privacy.PrivacyUnit;
import dev.purser.problem.ProblemException;
import dev.purser.tables.Dialect;
import dev.purser.tables.Sql;
import dev.purser.tables.TableConnections;
import dev.purser.tables.TableName;
import dev.purser.tables.TableSession;
import dev.purser.upload.CsvForTests;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * The contract of the engine for the tables of every kind of database: it gives the same results as the embedded engine
 * with an upload of the same values, and bounds the rows of a unit.
 */
abstract class TableEngineContract extends DataEngineContract {
    private static final CommittedDebit DEBIT = DebitsForTests.committed("tables");
    private static final Column.Numeric N = DatasetsForTests.decimal("n", "1", -1000, 1000, 0L);

    private static final String TIME = "uuuu-MM-dd HH:mm:ss.SSSSSS";

    private static final AtomicInteger TESTS = new AtomicInteger();

    /** The kind as which a column is registered. */
    enum Kind {
        INTEGER,
        DECIMAL,
        CATEGORY,
        BOOLEAN,
        DATE,
        TIMESTAMP
    }

    @TempDir
    private Path root;

    private int test;
    private DataEngine engine;

    /** The connection {@code warehouse} alone, whose role reads the schema {@code census}. */
    abstract TableConnections connections();

    /** A connection that may create and fill tables in the schema {@code census}. */
    abstract Connection owner() throws SQLException;

    /** The column types of the database that may be registered as {@code kind}. */
    abstract List<String> types(Kind kind);

    String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    /** Literals that a type takes, but that are no numbers, or no dates or times of the years 1 to 9999. */
    abstract List<String> noValues(String type);

    /** The first year that {@code type} can hold. */
    int firstYear(String type) {
        return 1;
    }

    /** The last year that {@code type} can hold. */
    int lastYear(String type) {
        return 9999;
    }

    /** The database's type for a column that {@link #store} fills. */
    String type(Kind kind) {
        return switch (kind) {
            case INTEGER -> "bigint";
            case DECIMAL -> "numeric(20,2)";
            case CATEGORY -> "varchar(10)";
            case BOOLEAN -> "boolean";
            case DATE -> "date";
            case TIMESTAMP -> "timestamptz";
        };
    }

    /** Fills a table from lines of tab-separated values. */
    abstract void copy(Connection owner, String table, Stream<String> lines) throws SQLException, IOException;

    @BeforeEach
    void openEngine() {
        test = TESTS.incrementAndGet();
        engine = new TableEngine(connections(), FingerprintSecrets.of(7), Duration.ofSeconds(120));
    }

    @Override
    protected final DataEngine engine() {
        return engine;
    }

    @Override
    protected final Dataset dataset(String id, Column... columns) {
        return dataset(id, new PrivacyUnit.Row(), columns);
    }

    private Dataset dataset(String id, PrivacyUnit unit, Column... columns) {
        Source source = new Source.Table("warehouse", new TableName("census", id + " of test " + test));
        return DatasetsForTests.of(id, unit, 1, List.of(columns), source);
    }

    String table(Dataset dataset) {
        Source.Table source = (Source.Table) dataset.registration().source();
        return quoted(source.table().schema()) + "." + quoted(source.table().name());
    }

    @Override
    protected final void store(Dataset dataset, Stream<long[]> rows) throws Exception {
        create(
                dataset,
                dataset.columns().stream()
                        .map(column -> quoted(column.name()) + " " + type(kind(column)))
                        .collect(Collectors.joining(", ")));
        try (Connection owner = owner()) {
            copy(owner, table(dataset), rows.map(row -> line(dataset, row)));
        }
    }

    @Override
    protected final void storeDoubled(Dataset dataset, long[] row, int doublings) throws Exception {
        store(dataset, Stream.of(row));
        for (int i = 0; i < doublings; i++) {
            execute("INSERT INTO " + table(dataset) + " SELECT * FROM " + table(dataset));
        }
    }

    /** The eight million rows take half a minute on a server of a database. */
    @Tag("deep")
    @Test
    @Override
    void sumsBeyondSixtyFourBitsExactly() throws Exception {
        super.sumsBeyondSixtyFourBitsExactly();
    }

    /** One statement computes sums with a filter and without. */
    @Override
    protected final List<Filter> waysToASum(Filter condition) {
        return List.of(condition);
    }

    private static Kind kind(Column column) {
        return Kind.valueOf(column.type().toUpperCase(Locale.ROOT));
    }

    private static String line(Dataset dataset, long[] row) {
        return IntStream.range(0, row.length)
                .mapToObj(i -> switch (dataset.columns().get(i)) {
                    case Column.Numeric numeric ->
                        numeric.notation()
                                .shown(row[i])
                                .toString()
                                .replace("T", " ")
                                .replace("Z", "");
                    case Column.Category category -> category.categories().get((int) row[i]);
                })
                .collect(Collectors.joining("\t"));
    }

    @Override
    protected final void breakRows(Dataset dataset) throws Exception {
        execute("DROP TABLE " + table(dataset));
    }

    void create(Dataset dataset, String columns) throws SQLException {
        execute("DROP TABLE IF EXISTS " + table(dataset));
        execute("CREATE TABLE " + table(dataset) + " (" + columns + ")");
    }

    void execute(String sql) throws SQLException {
        try (Connection owner = owner();
                Statement statement = owner.createStatement()) {
            statement.execute(sql);
        }
    }

    private ExactForTests.Prefixes collect(DataEngine from, Dataset dataset, BucketRequest request) {
        Buckets buckets = ExactForTests.open(from.collect(DEBIT, dataset, List.of(request)))
                .getFirst();
        return ExactForTests.prefixes(buckets, request.edges());
    }

    long count(Dataset dataset, Filter filter) {
        return collect(engine, dataset, BucketRequest.rowCount(filter)).counts().getLast();
    }

    @Tag("full")
    @Test
    void storesNumbersAsAnUploadOfTheSameTextsWould() throws Exception {
        Random random = new Random(21);
        for (Kind kind : List.of(Kind.INTEGER, Kind.DECIMAL)) {
            for (String type : types(kind)) {
                for (Column.Numeric column : numbers(kind)) {
                    compareWithUpload(column, type, numbersOf(type, random));
                }
            }
        }
    }

    private static List<Column.Numeric> numbers(Kind kind) {
        return kind == Kind.INTEGER
                ? List.of(
                        new Column.Numeric("v", new Notation.Numbers(true, Grid.ONE), -40, 60, 7L),
                        new Column.Numeric("v", new Notation.Numbers(true, grid("2.5")), -9, 3, -9L))
                : List.of(
                        DatasetsForTests.decimal("v", "0.25", -100, 240, 40L),
                        DatasetsForTests.decimal("v", "0.3", 11, 90, 11L),
                        DatasetsForTests.decimal("v", "0.000001", -Grid.MAX_MAGNITUDE, Grid.MAX_MAGNITUDE, 0L),
                        DatasetsForTests.decimal("v", "700", -5, -1, -3L));
    }

    /** Values near zero, halfway between grid points, beyond all bounds and at the limits of the type, and NULL. */
    private List<String> numbersOf(String type, Random random) {
        int most = type.equals("smallint") ? 30_000 : 2_000_000_000;
        List<String> literals =
                new ArrayList<>(List.of("NULL", "NULL", "0", "1", "-1", String.valueOf(most), "-" + most));
        literals.addAll(noValues(type));
        for (int i = 0; i < 400; i++) {
            int scale = type.contains("int") || type.endsWith(",0)") ? 0 : random.nextInt(7);
            int magnitude = random.nextInt(5) == 0 ? most : 200;
            BigDecimal value = new BigDecimal(BigInteger.valueOf(random.nextLong(-magnitude, magnitude)), scale);
            literals.add(value.toPlainString());
            literals.add(BigDecimal.valueOf(random.nextInt(200) - 100)
                    .multiply(scale == 0 ? BigDecimal.ONE : new BigDecimal("0.125"))
                    .toPlainString());
        }
        return literals;
    }

    @Test
    void storesCategoriesAsAnUploadOfTheSameTextsWould() throws Exception {
        Column.Category names =
                DatasetsForTests.category("v", 1, "true", "", "false", "1", "-12", "ä", "Ä", "a ", "a", "A", "'x'");
        for (String type : types(Kind.CATEGORY)) {
            List<String> literals = switch (type) {
                case "boolean" -> List.of("true", "false", "true", "NULL");
                case "integer" -> List.of("1", "-12", "3", "NULL", "1");
                default ->
                    List.of("'true'", "''", "' a'", "'a '", "'a'", "'A'", "'ä'", "'Ä'", "'a'", "'''x'''", "NULL");
            };
            compareWithUpload(names, type, literals);
        }
    }

    @Test
    void storesTruthValuesAsAnUploadOfTheSameTextsWould() throws Exception {
        for (String type : types(Kind.BOOLEAN)) {
            List<String> literals = switch (type) {
                case "boolean" -> List.of("true", "false", "true", "NULL");
                case "integer" -> List.of("0", "1", "1", "2", "-1", "10", "NULL");
                default ->
                    Stream.of(
                                    "true",
                                    "FALSE",
                                    "t",
                                    "F",
                                    "Yes",
                                    "nO",
                                    "y",
                                    "N",
                                    "0",
                                    "1",
                                    "1",
                                    "",
                                    " t",
                                    "t ",
                                    "on",
                                    "00",
                                    "truetrue",
                                    "yesyes",
                                    "no    ",
                                    "ffffff")
                            .map(text -> "'" + text + "'")
                            .toList();
            };
            for (int missing : new int[] {0, 1}) {
                compareWithUpload(DatasetsForTests.truth("v", missing), type, literals);
            }
        }
    }

    @Test
    void storesDatesAsAnUploadOfTheSameTextsWould() throws Exception {
        Random random = new Random(23);
        for (String type : types(Kind.DATE)) {
            for (Column.Numeric column : List.of(
                    new Column.Numeric("v", new Notation.Dates(), -200, 300, 7L),
                    new Column.Numeric("v", new Notation.Dates(), -719_162, 2_932_896, -719_162L))) {
                compareWithUpload(column, type, timesOf(type, random));
            }
        }
    }

    @Test
    void storesTimesAsAnUploadOfTheSameTextsWould() throws Exception {
        Random random = new Random(24);
        for (String type : types(Kind.TIMESTAMP)) {
            for (Column.Numeric column : List.of(
                    new Column.Numeric("v", new Notation.Timestamps(Grid.ONE), -200, 300, 7L),
                    new Column.Numeric("v", new Notation.Timestamps(Grid.ONE), -62_135_596_800L, 1L << 37, 0L),
                    new Column.Numeric("v", new Notation.Timestamps(grid("86400")), -300, 200, 0L),
                    new Column.Numeric("v", new Notation.Timestamps(grid("7.3")), -300, 1L << 30, -11L),
                    new Column.Numeric("v", new Notation.Timestamps(grid("0.000002")), -150, 1L << 39, 250L))) {
                compareWithUpload(column, type, timesOf(type, random));
            }
        }
    }

    /** Days and times near 1970, halfway between grid points, at the ends of the calendar and anywhere, and NULL. */
    private List<String> timesOf(String type, Random random) {
        List<String> literals = new ArrayList<>(List.of("NULL", "NULL"));
        literals.addAll(noValues(type));
        LocalDateTime first = LocalDate.of(firstYear(type), 1, 1).atTime(type.equals("date") ? 0 : 1, 0);
        LocalDateTime last = LocalDate.of(lastYear(type), 12, 31).atTime(23, 59, 59);
        List<LocalDateTime> times = new ArrayList<>(List.of(first, last));
        long seconds = Duration.between(first, last).toSeconds();
        for (int i = 0; i < 400; i++) {
            times.add(first.plusSeconds(random.nextLong(seconds)).plusNanos(1_000L * random.nextInt(1_000_000)));
            times.add(LocalDate.EPOCH.plusDays(random.nextInt(1200) - 600).atStartOfDay());
            times.add(LocalDate.EPOCH.atStartOfDay().plusNanos(random.nextLong(-600_000, 600_000) * 1_000_000));
            times.add(LocalDate.EPOCH.atStartOfDay().plusNanos(random.nextInt(-1000, 1000) * 1_000L));
        }
        times.removeIf(time -> time.isBefore(first) || time.isAfter(last));
        DateTimeFormatter format = DateTimeFormatter.ofPattern(type.equals("date") ? "uuuu-MM-dd" : TIME);
        times.forEach(time -> literals.add("'" + format.format(time) + "'"));
        return literals;
    }

    private static Grid grid(String resolution) {
        return new Grid(new BigDecimal(resolution));
    }

    private void compareWithUpload(Column column, String type, List<String> literals) throws Exception {
        Dataset dataset = dataset("compare", column);
        create(dataset, quoted("v") + " " + type);
        execute("INSERT INTO " + table(dataset) + " VALUES "
                + literals.stream().map(literal -> "(" + literal + ")").collect(Collectors.joining(", ")));
        Dataset uploaded = DatasetsForTests.of("uploaded", new PrivacyUnit.Row(), 10_000, List.of(column));
        DatasetFiles files = new DatasetFiles(root.resolve("rows"), InstanceId.draw());
        files.delete(uploaded.id());
        InputStream texts = new ByteArrayInputStream(csv(table(dataset), type).getBytes(StandardCharsets.UTF_8));
        CsvForTests.storeAsTable(uploaded, texts, files);
        BucketRequest request = BucketRequest.of(column, Filter.ALL_ROWS, edges(column));
        try (EmbeddedEngine embedded =
                new EmbeddedEngine(files, BlockFiles.digests(files), EmbeddedEngine.Settings.DEFAULT)) {
            assertThat(collect(engine, dataset, request))
                    .as("%s read as %s", type, column)
                    .isEqualTo(collect(embedded, uploaded, request));
            BucketRequest table = new BucketRequest(
                    column, Filter.ALL_ROWS, List.of(new GroupKey(column, edges(column))), new long[] {0}, true);
            assertThat(groups(engine, dataset, table))
                    .as("groups of %s read as %s", type, column)
                    .isEqualTo(groups(embedded, uploaded, table));
        }
    }

    private record Group(ExactForTests.Prefixes prefixes, List<BigInteger> squares) {}

    private static List<Group> groups(DataEngine from, Dataset dataset, BucketRequest request) {
        Buckets table = ExactForTests.open(from.collect(DEBIT, dataset, List.of(request)))
                .getFirst();
        return ExactForTests.groups(table).stream()
                .map(group -> new Group(
                        ExactForTests.prefixes(group, request.edges()), ExactForTests.squares(group, request.edges())))
                .toList();
    }

    private static long[] edges(Column column) {
        return switch (column) {
            case Column.Numeric numeric ->
                LongStream.concat(
                                LongStream.rangeClosed(-300, 300),
                                LongStream.of(numeric.lower(), numeric.lower() + 1, numeric.upper()))
                        .sorted()
                        .distinct()
                        .toArray();
            case Column.Category category ->
                LongStream.range(0, category.categories().size()).toArray();
        };
    }

    /** The values of a column, as the database writes them. */
    private String csv(String table, String type) throws SQLException {
        StringBuilder csv = new StringBuilder("v\n");
        try (Connection owner = owner();
                Statement statement = owner.createStatement();
                ResultSet row = statement.executeQuery("SELECT " + text("v", type) + " FROM " + table)) {
            while (row.next()) {
                csv.append('"').append(field(row.getString(1))).append("\"\n");
            }
        }
        return csv.toString();
    }

    /** The text of a column of {@code type}, times in UTC. */
    String text(String column, String type) {
        String inUtc = type.equals("timestamptz") ? column + " AT TIME ZONE 'UTC'" : column;
        return "CAST(" + inUtc + " AS text)";
    }

    private static String field(@Nullable String text) {
        return text == null ? "" : text.replace("\"", "\"\"");
    }

    @Test
    void aTableOfNullsHoldsItsSubstitutes() throws Exception {
        Column.Category letter = DatasetsForTests.category("letter", 2, "a", "b", "c");
        Dataset dataset = dataset("nulls", N, letter);
        create(dataset, "n bigint, letter varchar(5)");
        execute("INSERT INTO " + table(dataset) + " VALUES (NULL, NULL), (NULL, NULL)");
        assertThat(collect(engine, dataset, BucketRequest.of(N, Filter.ALL_ROWS, new long[] {0, 1})))
                .isEqualTo(new ExactForTests.Prefixes(
                        List.of(0L, 2L, 2L), List.of(BigInteger.ZERO, BigInteger.ZERO, BigInteger.ZERO)));
        for (int category = 0; category < 3; category++) {
            SortedSet<Integer> named = new TreeSet<>(Set.of(category));
            assertThat(count(dataset, new Filter(List.of(new Filter.OneOf(letter, new CategorySet(named, false))))))
                    .isEqualTo(category == 2 ? 2 : 0);
            assertThat(count(dataset, new Filter(List.of(new Filter.OneOf(letter, new CategorySet(named, true))))))
                    .isEqualTo(category == 2 ? 0 : 2);
        }
    }

    @Test
    void aTableThatOutgrewItsMaxRowsIsReadAsAWhole() throws Exception {
        Dataset dataset = dataset("outgrown", N);
        store(dataset, LongStream.range(0, 50).mapToObj(i -> new long[] {i}));
        assertThat(dataset.maxRows()).isEqualTo(1);
        assertThat(count(dataset, Filter.ALL_ROWS)).isEqualTo(50);
    }

    @Test
    void boundsTheRowsOfAUnitByItsOwnRowsAlone() throws Exception {
        Random random = new Random(22);
        Dataset dataset = dataset("units", new PrivacyUnit.Column("who", 3, PrivacyUnit.IdType.TEXT), N);
        List<String> rows = new ArrayList<>();
        long bounded = 0;
        for (int unit = 0; unit < 40; unit++) {
            int own = random.nextInt(9);
            bounded += Math.min(3, own);
            for (int i = 0; i < own; i++) {
                rows.add((unit == 7 ? "Ana" : unit == 8 ? "ana" : "u" + unit) + "\t" + (random.nextInt(200) - 100));
            }
        }
        fillUnits(dataset, rows);
        long[] edges = LongStream.rangeClosed(-100, 100).toArray();
        assertThat(countedUnits(dataset, Filter.ALL_ROWS))
                .containsExactly(
                        rows.stream().map(row -> row.split("\t")[0]).distinct().count());
        BucketRequest all = BucketRequest.of(N, Filter.ALL_ROWS, edges);
        ExactForTests.Prefixes before = collect(engine, dataset, all);
        assertThat(before.counts().getLast()).isEqualTo(bounded);

        // In another order, with nameless rows and another unit of many rows: only three rows of that unit are added.
        List<String> more = new ArrayList<>(rows.reversed());
        IntStream.range(0, 500).forEach(i -> more.add("new\t50"));
        fillUnits(dataset, more);
        execute("INSERT INTO " + table(dataset) + " VALUES (NULL, 1), ('', 2), (NULL, 3)");
        ExactForTests.Prefixes after = collect(engine, dataset, all);
        for (int i = 0; i <= edges.length; i++) {
            long added = i < edges.length && edges[i] <= 50 ? 0 : 3;
            assertThat(after.counts().get(i)).isEqualTo(before.counts().get(i) + added);
            assertThat(after.sums().get(i)).isEqualTo(before.sums().get(i).add(BigInteger.valueOf(50 * added)));
        }
    }

    private List<Long> countedUnits(Dataset dataset, Filter filter, GroupKey... keys) {
        List<Buckets> counted = ExactForTests.open(
                engine.collect(DEBIT, dataset, List.of(BucketRequest.unitCount(filter, List.of(keys)))));
        return ExactForTests.groups(counted.getFirst()).stream()
                .map(group ->
                        ExactForTests.prefixes(group, new long[0]).counts().getFirst())
                .toList();
    }

    /** A unit is counted once in each group that has one of its rows. */
    @Test
    void countsEachUnitOnceInEachGroup() throws Exception {
        Dataset dataset = dataset("people", new PrivacyUnit.Column("who", 3, PrivacyUnit.IdType.TEXT), N);
        fillUnits(dataset, List.of("ann\t1", "ann\t2", "ann\t11", "bob\t1", "bob\t1", "Bob\t12", "eve\t21"));
        assertThat(countedUnits(dataset, Filter.ALL_ROWS)).containsExactly(4L);
        assertThat(countedUnits(dataset, Filter.ALL_ROWS, new GroupKey(N, new long[] {-100, 10, 20, 200})))
                .containsExactly(2L, 2L, 1L);
        Filter low = new Filter(List.of(new Filter.Between(N, -100, 20)));
        assertThat(countedUnits(dataset, low)).containsExactly(3L);
    }

    @Test
    void aNameOfAUnitIsAsLongAsAFieldOfAnUploadAtMost() throws Exception {
        Dataset dataset = dataset("named", new PrivacyUnit.Column("who", 3, PrivacyUnit.IdType.TEXT), N);
        create(dataset, "who " + longText() + ", n numeric(20,2)");
        for (int length : new int[] {(1 << 20) - 1, 1 << 20, (1 << 20) + 1}) {
            execute("INSERT INTO " + table(dataset) + " SELECT concat(repeat('x', " + (length - 2) + "), 'ä'), 1");
        }
        assertThat(count(dataset, Filter.ALL_ROWS)).isEqualTo(2);
    }

    /** The type of texts of any length. */
    String longText() {
        return "text";
    }

    private void fillUnits(Dataset dataset, List<String> rows) throws Exception {
        create(dataset, "who varchar(20), n numeric(20,2)");
        try (Connection owner = owner()) {
            copy(owner, table(dataset), rows.stream());
        }
    }

    @Test
    void boundsTheRowsOfAUnitBeforeTheFilterAndTheGroups() throws Exception {
        Dataset dataset = dataset("filtered", new PrivacyUnit.Column("who", 2, PrivacyUnit.IdType.TEXT), N);
        List<String> rows = new ArrayList<>();
        for (int unit = 0; unit < 300; unit++) {
            for (int value : new int[] {-2, -1, 1, 2}) {
                rows.add("u" + unit + "\t" + value);
            }
        }
        fillUnits(dataset, rows);
        long negative = count(dataset, new Filter(List.of(new Filter.Between(N, Long.MIN_VALUE, 0))));
        long positive = count(dataset, new Filter(List.of(new Filter.Between(N, 0, Long.MAX_VALUE))));
        assertThat(negative + positive).isEqualTo(600);
        GroupKey signs = new GroupKey(N, new long[] {-2, 0, 3});
        List<Group> groups = groups(
                engine, dataset, new BucketRequest(N, Filter.ALL_ROWS, List.of(signs), new long[] {-1, 2}, true));
        assertThat(groups.stream().map(group -> group.prefixes().counts().getLast()))
                .containsExactly(negative, positive);
        // The values are ones and twos, so their squares are three times the absolute sum minus twice the count.
        for (Group group : groups) {
            assertThat(group.squares().getLast())
                    .isEqualTo(BigInteger.valueOf(3)
                            .multiply(group.prefixes().sums().getLast().abs())
                            .subtract(BigInteger.TWO.multiply(
                                    BigInteger.valueOf(group.prefixes().counts().getLast()))));
        }
        // The hash prefers no value: 300 ± 5 standard deviations. One is at most 17 rows.
        assertThat(negative).isBetween(215L, 385L);
    }

    /** January to April 2024: two blocks are whole months, and the bounds cut the other two. */
    private static final Column.Numeric DAY = new Column.Numeric(
            "day",
            new Notation.Dates(),
            LocalDate.parse("2024-01-17").toEpochDay(),
            LocalDate.parse("2024-04-12").toEpochDay(),
            LocalDate.parse("2024-03-01").toEpochDay());

    private static final Blocks MONTHS = Blocks.over("day", new Blocks.Month(), DAY.lower(), DAY.upper());

    private ExactForTests.Prefixes collect(Dataset dataset, int first, int last, BucketRequest request) {
        CommittedDebit debit = DebitsForTests.committed("tables", new BlockWindow(first, last));
        Buckets buckets = ExactForTests.open(engine.collect(debit, dataset, List.of(request)))
                .getFirst();
        return ExactForTests.prefixes(buckets, request.edges());
    }

    private long count(Dataset dataset, int first, int last, Filter filter) {
        return collect(dataset, first, last, BucketRequest.rowCount(filter))
                .counts()
                .getLast();
    }

    private static Filter between(Column.Numeric column, long from, long to) {
        return new Filter(List.of(new Filter.Between(column, from, to)));
    }

    /** Whatever a row says, the row is in one block: of the first day, the last day, or the day for missing values. */
    @Test
    void aValueOutsideTheBlocksIsInOneOfThemAlone() throws Exception {
        Dataset dataset = DatasetsForTests.divided(dataset("outside", DAY, N), MONTHS);
        create(dataset, "day date, n numeric(20,2)");
        execute("INSERT INTO " + table(dataset)
                + " VALUES ('2001-01-01', 1), ('2024-01-01', 1), ('2024-04-13', 10), ('2999-01-01', 10), (NULL, 100)");
        List<Filter> all = List.of(
                Filter.ALL_ROWS,
                between(DAY, Long.MIN_VALUE, Long.MAX_VALUE),
                between(DAY, DAY.lower(), DAY.upper() + 1),
                between(N, 0, Long.MAX_VALUE));
        for (Filter filter : all) {
            assertThat(IntStream.range(0, 4).mapToLong(block -> count(dataset, block, block, filter)))
                    .containsExactly(2L, 0L, 1L, 2L);
            assertThat(IntStream.range(0, 4)
                            .mapToObj(block -> collect(dataset, block, block, BucketRequest.of(N, filter, new long[0]))
                                    .sums()
                                    .getLast()
                                    .intValue()))
                    .containsExactly(2, 0, 100, 20);
            assertThat(count(dataset, 0, 3, filter)).isEqualTo(5);
        }
    }

    @Test
    void boundsTheRowsOfAUnitInEachBlock() throws Exception {
        PrivacyUnit one = new PrivacyUnit.Column("who", 1, PrivacyUnit.IdType.TEXT);
        Dataset dataset = DatasetsForTests.divided(dataset("unit blocks", one, DAY, N), MONTHS);
        fillUnitBlocks(dataset, "Ana\t2024-02-29\t1", "Ana\t2024-02-01\t2", "Ana\t2024-03-01\t3", "Ana\t2024-03-31\t4");
        assertThat(count(dataset, 1, 2, Filter.ALL_ROWS)).isEqualTo(2);
        assertThat(count(dataset, 0, 3, between(N, 1, 3))).isEqualTo(count(dataset, 1, 1, Filter.ALL_ROWS));
        assertThat(count(dataset, 0, 3, between(N, 3, 5))).isEqualTo(count(dataset, 2, 2, Filter.ALL_ROWS));
    }

    /** The rows that stay of a block are the same for every window and for all rows of other blocks. */
    @Test
    void whatAUnitKeepsInABlockFollowsFromItsRowsThereAlone() throws Exception {
        Random random = new Random(30);
        PrivacyUnit two = new PrivacyUnit.Column("who", 2, PrivacyUnit.IdType.TEXT);
        Dataset dataset = DatasetsForTests.divided(dataset("unit windows", two, DAY, N), MONTHS);
        List<String> rows = new ArrayList<>();
        long[] kept = new long[MONTHS.count()];
        for (int unit = 0; unit < 30; unit++) {
            int[] own = new int[MONTHS.count()];
            for (int i = random.nextInt(20); i > 0; i--) {
                long day = random.nextLong(DAY.lower() - 20, DAY.upper() + 20);
                own[MONTHS.of(Math.clamp(day, DAY.lower(), DAY.upper()))]++;
                rows.add("u" + unit + "\t" + LocalDate.ofEpochDay(day) + "\t" + (random.nextInt(200) - 100));
            }
            Arrays.setAll(kept, block -> kept[block] + Math.min(2, own[block]));
        }
        long[] edges = LongStream.rangeClosed(-100, 100).toArray();
        BucketRequest values = BucketRequest.of(N, Filter.ALL_ROWS, edges);
        fillUnitBlocks(dataset, rows.toArray(String[]::new));
        List<ExactForTests.Prefixes> alone = IntStream.range(0, MONTHS.count())
                .mapToObj(block -> collect(dataset, block, block, values))
                .toList();
        assertThat(alone.stream().map(block -> block.counts().getLast()))
                .containsExactlyElementsOf(Arrays.stream(kept).boxed().toList());
        for (int first = 0; first < MONTHS.count(); first++) {
            for (int last = first; last < MONTHS.count(); last++) {
                assertThat(collect(dataset, first, last, values)).isEqualTo(sum(alone.subList(first, last + 1)));
            }
        }
        rows.removeIf(row -> row.contains("-02-"));
        fillUnitBlocks(dataset, rows.toArray(String[]::new));
        assertThat(collect(dataset, 0, 3, values)).isEqualTo(sum(List.of(alone.get(0), alone.get(2), alone.get(3))));
    }

    private static ExactForTests.Prefixes sum(List<ExactForTests.Prefixes> blocks) {
        return blocks.stream()
                .reduce((one, other) -> new ExactForTests.Prefixes(
                        IntStream.range(0, one.counts().size())
                                .mapToObj(i ->
                                        one.counts().get(i) + other.counts().get(i))
                                .toList(),
                        IntStream.range(0, one.sums().size())
                                .mapToObj(
                                        i -> one.sums().get(i).add(other.sums().get(i)))
                                .toList()))
                .orElseThrow();
    }

    private void fillUnitBlocks(Dataset dataset, String... rows) throws Exception {
        create(dataset, "who varchar(20), day date, n numeric(20,2)");
        try (Connection owner = owner()) {
            copy(owner, table(dataset), Stream.of(rows));
        }
    }

    @Test
    void anotherDatasetKeepsOtherRows() throws Exception {
        Set<ExactForTests.Prefixes> kept = new HashSet<>();
        List<String> rows = new ArrayList<>();
        IntStream.range(0, 1000).forEach(i -> rows.add("u" + i % 100 + "\t" + i));
        long[] edges = LongStream.rangeClosed(0, 1000).toArray();
        for (String id : List.of("one", "other")) {
            Dataset dataset = dataset(id, new PrivacyUnit.Column("who", 1, PrivacyUnit.IdType.TEXT), N);
            fillUnits(dataset, rows);
            BucketRequest request = BucketRequest.of(N, Filter.ALL_ROWS, edges);
            kept.add(collect(engine, dataset, request));
            assertThat(collect(engine, dataset, request)).isIn(kept);
        }
        assertThat(kept).hasSize(2);
    }

    /** The catalogue tells what cannot be read. In an empty table, no row could tell it. */
    @Test
    void aTableThatWasAlteredIsNotRead() throws Exception {
        Dataset dataset = dataset("altered", N);
        create(dataset, "n numeric(20,2)");
        assertThat(count(dataset, Filter.ALL_ROWS)).isZero();
        create(dataset, "n varchar(20)");
        assertThatThrownBy(() -> count(dataset, Filter.ALL_ROWS)).isInstanceOf(ProblemException.class);
        execute("DROP TABLE " + table(dataset));
        execute("CREATE VIEW " + table(dataset) + " AS SELECT 1 AS n");
        if (tellsViews()) {
            assertThatThrownBy(() -> count(dataset, Filter.ALL_ROWS)).isInstanceOf(ProblemException.class);
        }
    }

    /** Each of ten thousand names means itself: the database returns it as the name of a column. */
    @Test
    void noNameReachesBeyondItsQuotes() throws Exception {
        Dataset canary = dataset("canary", N);
        store(canary, Stream.of(new long[] {1}));
        Random random = new Random(28);
        try (TableSession session =
                connections().find("warehouse").orElseThrow().open(Duration.ofSeconds(30))) {
            Dialect dialect = session.dialect();
            for (int i = 0; i < hostileNames(); i++) {
                String name = hostileName(random);
                Sql sql = Sql.of(
                        "SELECT {} AS {}, {} AS last",
                        dialect.bucket(new Sql("1", List.of()), new long[] {1}),
                        dialect.identifier(name),
                        7L);
                try (PreparedStatement statement = session.connection().prepareStatement(sql.text())) {
                    for (int p = 0; p < sql.parameters().size(); p++) {
                        dialect.bind(statement, p + 1, sql.parameters().get(p));
                    }
                    try (ResultSet row = statement.executeQuery()) {
                        assertThat(row.getMetaData().getColumnCount()).isEqualTo(2);
                        assertThat(row.getMetaData().getColumnLabel(1)).isEqualTo(name);
                        row.next();
                        assertThat(row.getLong(2)).isEqualTo(7);
                    }
                }
            }
        }
        assertThat(count(canary, Filter.ALL_ROWS)).isEqualTo(1);
    }

    /** Whether the database says that a view is not a table. */
    boolean tellsViews() {
        return true;
    }

    int hostileNames() {
        return 10_000;
    }

    /**
     * A name of at most 60 bytes without surrounding spaces. Some databases truncate longer names, and none has tables
     * with such spaces.
     */
    private static String hostileName(Random random) {
        List<String> pieces = List.of(
                "\"",
                "\"\"",
                "'",
                "''",
                "`",
                "``",
                "\\",
                "\\\"",
                ";",
                "--",
                "#",
                "/*",
                "*/",
                "?",
                "??",
                "$1",
                "$$",
                ":a",
                "{}",
                "%s",
                "{fn now()}",
                "DROP TABLE census.canary",
                "U&",
                "E'",
                ")",
                "(",
                ",",
                " ",
                "x",
                "ä",
                "\u2019",
                "\uFF02",
                "NULL",
                "UNION SELECT",
                "pg_sleep(9)",
                "\u200B");
        StringBuilder name = new StringBuilder("n");
        do {
            String piece = pieces.get(random.nextInt(pieces.size()));
            if ((name + piece).getBytes(StandardCharsets.UTF_8).length <= 60) {
                name.append(piece);
            }
        } while (random.nextInt(6) > 0);
        return name.reverse().toString().strip();
    }

    @Test
    void noNameHasTheCharacterZero() throws Exception {
        try (TableSession session =
                connections().find("warehouse").orElseThrow().open(Duration.ofSeconds(30))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> session.dialect().identifier("a\0b"));
        }
    }

    @Test
    void groupsAllEdgesOfAListInOnePass() throws Exception {
        Dataset dataset = dataset("edges", N);
        store(dataset, Arrays.stream(new long[] {-1000, 0, 0, 999, 1000}).mapToObj(value -> new long[] {value}));
        long[] many = LongStream.range(-50_000, 50_000).toArray();
        ExactForTests.Prefixes prefixes = collect(engine, dataset, BucketRequest.of(N, Filter.ALL_ROWS, many));
        assertThat(prefixes.counts().get(49_000)).isZero();
        assertThat(prefixes.counts().get(49_001)).isEqualTo(1);
        assertThat(prefixes.counts().get(50_001)).isEqualTo(3);
        assertThat(prefixes.counts().getLast()).isEqualTo(5);
        assertThat(prefixes.sums().getLast()).isEqualTo(BigInteger.valueOf(999));
    }
}
