package dev.purser.engine;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetFiles;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.dataset.InstanceId;
import dev.purser.dataset.RowsDatabase;
import dev.purser.ledger.CommittedDebit;
import dev.purser.ledger.DebitsForTests;
import dev.purser.mechanism.ExactForTests;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class EmbeddedEngineTests extends DataEngineContract {
    private static final RowsDatabase.Limits LIMITS = new RowsDatabase.Limits(128, 2);
    private static final Column.Numeric X = DatasetsForTests.integer("x", 0, 1L << 40);
    private static final CommittedDebit DEBIT = DebitsForTests.committed("embedded");
    private static final List<BucketRequest> ALL = List.of(new BucketRequest(X, Filter.ALL_ROWS, new long[0]));

    @TempDir
    private Path root;

    private DatasetFiles files;
    private EmbeddedEngine engine;

    @BeforeEach
    void open() throws IOException {
        files = new DatasetFiles(root.resolve("data"), InstanceId.draw());
        engine = new EmbeddedEngine(files, new EmbeddedEngine.Settings(LIMITS, 2, Duration.ofSeconds(60)));
    }

    @AfterEach
    void close() {
        engine.close();
    }

    @Override
    protected DataEngine engine() {
        return engine;
    }

    @Override
    protected void store(Dataset dataset, Stream<long[]> rows) throws Exception {
        Path file = files.upload(dataset.id());
        try (Connection connection = RowsDatabase.create(file, null, file.resolveSibling("spill"), 1, LIMITS)) {
            String columns = IntStream.range(0, dataset.columns().size())
                    .mapToObj(i -> RowsDatabase.columnName(i) + " BIGINT NOT NULL")
                    .collect(Collectors.joining(", "));
            try (Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE rows (" + columns + ")");
            }
            append(connection, rows.iterator());
        }
        files.commit(dataset.id());
    }

    private static void append(Connection connection, Iterator<long[]> rows) throws SQLException {
        try (DuckDBAppender appender =
                connection.unwrap(DuckDBConnection.class).createAppender("main", RowsDatabase.TABLE)) {
            while (rows.hasNext()) {
                appender.beginRow();
                for (long value : rows.next()) {
                    appender.append(value);
                }
                appender.endRow();
            }
        }
    }

    @Override
    protected void breakRows(Dataset dataset) throws Exception {
        Files.writeString(files.data(dataset.id()), "this is no database");
    }

    private Dataset counting(String id, long rows) throws Exception {
        Dataset dataset = DatasetsForTests.rows(id, X);
        store(dataset, LongStream.range(0, rows).mapToObj(i -> new long[] {i * 7919}));
        return dataset;
    }

    private long countOf(Dataset dataset) {
        return ExactForTests.prefixes(
                        ExactForTests.open(engine.collect(DEBIT, dataset, ALL)).getFirst(), new long[0])
                .counts()
                .getFirst();
    }

    @Test
    void groupsMillionsOfDistinctValuesInBoundedMemory() throws Exception {
        engine.close();
        RowsDatabase.Limits small = new RowsDatabase.Limits(64, 2);
        engine = new EmbeddedEngine(files, new EmbeddedEngine.Settings(small, 1, Duration.ofSeconds(60)));
        assertThat(countOf(counting("distinct", 2_000_000))).isEqualTo(2_000_000);
        assertThat(files.spill("distinct")).isEmptyDirectory();
    }

    @Test
    void stopsAPassThatIsOutOfTime() throws Exception {
        Dataset dataset = counting("slow", 2_000_000);
        try (EmbeddedEngine hasty =
                new EmbeddedEngine(files, new EmbeddedEngine.Settings(LIMITS, 1, Duration.ofMillis(1)))) {
            ProblemException refusal =
                    catchThrowableOfType(ProblemException.class, () -> hasty.collect(DEBIT, dataset, ALL));
            assertThat(refusal.type()).isEqualTo(ProblemType.TEMPORARILY_UNAVAILABLE);
        }
    }

    @Test
    void manyPassesHaveTheTimeOfOneQuestion() throws Exception {
        Dataset dataset = counting("patient", 100_000);
        List<BucketRequest> passes = LongStream.range(0, 1000)
                .mapToObj(i -> new BucketRequest(
                        X, new Filter(List.of(new Filter.Between(X, i, Long.MAX_VALUE))), new long[0]))
                .toList();
        // Each pass takes some milliseconds.
        try (EmbeddedEngine hasty =
                new EmbeddedEngine(files, new EmbeddedEngine.Settings(LIMITS, 1, Duration.ofMillis(400)))) {
            ProblemException refusal =
                    catchThrowableOfType(ProblemException.class, () -> hasty.collect(DEBIT, dataset, passes));
            assertThat(refusal).isNotNull();
            assertThat(refusal.type()).isEqualTo(ProblemType.TEMPORARILY_UNAVAILABLE);
        }
    }

    @Test
    void keepsABoundedNumberOfFilesOpen() throws Exception {
        for (int i = 0; i < 6; i++) {
            assertThat(countOf(counting("many-" + i, 10 + i))).isEqualTo(10 + i);
        }
        assertThat(openFiles()).hasSize(2);
        assertThat(countOf(DatasetsForTests.rows("many-0", X))).isEqualTo(10);
        assertThat(openFiles()).hasSize(2);
    }

    @Test
    void letsGoOfADatasetThatIsForgotten() throws Exception {
        Dataset dataset = counting("gone", 10);
        assertThat(countOf(dataset)).isEqualTo(10);
        engine.forget("gone");
        assertThat(openFiles()).isEmpty();
        files.delete("gone");
        assertThatThrownBy(() -> countOf(dataset)).isInstanceOf(ProblemException.class);
        assertThat(root.resolve("data/gone")).doesNotExist();
        // A question that was on its way while the file was still there.
        Dataset late = counting("late", 10);
        engine.forget("late");
        assertThatThrownBy(() -> countOf(late)).isInstanceOf(ProblemException.class);
        assertThat(openFiles()).isEmpty();
        engine.forget("never-was");
    }

    private List<Path> openFiles() throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors
                    .map(EmbeddedEngineTests::target)
                    .filter(path -> path.startsWith(root) && path.endsWith("rows.duckdb"))
                    .toList();
        }
    }

    private static Path target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor);
        } catch (NoSuchFileException e) {
            return descriptor;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void answersManyReadersOfMoreDatasetsThanStayOpen() throws Exception {
        List<Dataset> datasets = List.of(
                counting("a", 1000),
                counting("b", 2000),
                counting("c", 3000),
                counting("d", 4000),
                counting("forgotten", 5000));
        try (ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Long>> counts = readers.invokeAll(IntStream.range(0, 200)
                    .<Callable<Long>>mapToObj(i -> () -> {
                        if (i == 100) {
                            engine.forget("forgotten");
                        }
                        return countOf(datasets.get(i % 5));
                    })
                    .toList());
            for (int i = 0; i < 200; i++) {
                if (i % 5 < 4 || counts.get(i).state() == Future.State.SUCCESS) {
                    assertThat(counts.get(i).get()).isEqualTo(1000L * (1 + i % 5));
                } else {
                    assertThat(counts.get(i).exceptionNow()).isInstanceOf(ProblemException.class);
                }
            }
        }
        assertThat(openFiles()).noneMatch(file -> file.toString().contains("forgotten"));
        assertThat(openFiles().stream().distinct().count()).isLessThanOrEqualTo(2);
    }

    @Test
    void opensRowsLockedDown() throws Exception {
        Dataset dataset = counting("locked", 1);
        try (Connection connection =
                RowsDatabase.openReadOnly(files.data(dataset.id()), files.spill(dataset.id()), LIMITS)) {
            for (String forbidden : List.of(
                    "SELECT * FROM read_text('/etc/passwd')",
                    "COPY rows TO '" + root.resolve("copy.csv") + "'",
                    "ATTACH '" + root.resolve("other.duckdb") + "'",
                    "INSTALL httpfs",
                    "LOAD httpfs",
                    "SET enable_external_access=true",
                    "SET memory_limit='8GB'",
                    "SET temp_directory='/tmp'",
                    "INSERT INTO rows VALUES (1)",
                    "DROP TABLE rows")) {
                assertThatThrownBy(() -> execute(connection, forbidden))
                        .as(forbidden)
                        .isInstanceOf(SQLException.class);
            }
        }
        assertThat(root.resolve("copy.csv")).doesNotExist();
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void neverPutsANumberOfTheRequestIntoTheStatement() {
        Dataset dataset = DatasetsForTests.rows("d", X, DatasetsForTests.category("c", null, "a", "b"));
        Filter filter = new Filter(List.of(
                new Filter.Between(X, 123, Long.MAX_VALUE),
                new Filter.OneOf((Column.Category) dataset.columns().get(1), new TreeSet<>(List.of(0, 1)))));
        Query query = Query.of(dataset, X, filter);
        assertThat(query.sql()).isEqualTo("SELECT c0, count(*) FROM rows WHERE c0 >= ? AND c1 IN (?, ?) GROUP BY c0");
        assertThat(query.parameters()).containsExactly(123L, 0L, 1L);
    }
}
