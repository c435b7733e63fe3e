package dev.purser.engine;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetFiles;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.dataset.InstanceId;
import dev.purser.ledger.CommittedDebit;
import dev.purser.ledger.DebitsForTests;
import dev.purser.mechanism.ExactForTests;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.rows.RowsFileWriter;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class EmbeddedEngineTests extends DataEngineContract {
    private static final Column.Numeric X = DatasetsForTests.integer("x", 0, 1L << 40);
    private static final CommittedDebit DEBIT = DebitsForTests.committed("embedded");
    private static final List<BucketRequest> ALL = List.of(BucketRequest.of(X, Filter.ALL_ROWS, new long[0]));

    @TempDir
    private Path root;

    private DatasetFiles files;
    private EmbeddedEngine engine;

    @BeforeEach
    void open() throws IOException {
        files = new DatasetFiles(root.resolve("data"), InstanceId.draw());
        engine = new EmbeddedEngine(files, new EmbeddedEngine.Settings(2, 2, Duration.ofSeconds(60)));
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
        try (RowsFileWriter writer = new RowsFileWriter(dataset.shape(), files.upload(dataset.id()))) {
            for (Iterator<long[]> all = rows.iterator(); all.hasNext(); ) {
                writer.add(all.next());
            }
            writer.finish();
        }
        files.commit(dataset.id());
    }

    @Override
    protected void breakRows(Dataset dataset) throws Exception {
        Files.writeString(files.data(dataset.id()), "these are no rows");
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

    private static BucketRequest filtered(long from) {
        return BucketRequest.of(X, new Filter(List.of(new Filter.Between(X, from, Long.MAX_VALUE))), new long[0]);
    }

    @Test
    void stopsAPassThatIsOutOfTime() throws Exception {
        Dataset dataset = counting("slow", 2_000_000);
        try (EmbeddedEngine hasty =
                new EmbeddedEngine(files, new EmbeddedEngine.Settings(1, 1, Duration.ofNanos(1000)))) {
            ProblemException refusal = catchThrowableOfType(
                    ProblemException.class, () -> hasty.collect(DEBIT, dataset, List.of(filtered(0))));
            assertThat(refusal.type()).isEqualTo(ProblemType.TEMPORARILY_UNAVAILABLE);
        }
    }

    @Test
    void manyPassesHaveTheTimeOfOneQuestion() throws Exception {
        Dataset dataset = counting("patient", 100_000);
        List<BucketRequest> passes = LongStream.range(0, 10_000)
                .mapToObj(EmbeddedEngineTests::filtered)
                .toList();
        // One pass takes a millisecond, all of them seconds.
        try (EmbeddedEngine hasty =
                new EmbeddedEngine(files, new EmbeddedEngine.Settings(1, 1, Duration.ofMillis(400)))) {
            ProblemException refusal =
                    catchThrowableOfType(ProblemException.class, () -> hasty.collect(DEBIT, dataset, passes));
            assertThat(refusal).isNotNull();
            assertThat(refusal.type()).isEqualTo(ProblemType.TEMPORARILY_UNAVAILABLE);
            assertThat(hasty.collect(DEBIT, dataset, passes.subList(0, 1))).isNotNull();
        }
    }

    @Test
    void saysTheSameOfDamageWhereverItIs() throws Exception {
        Dataset dataset = counting("damaged", 1000);
        byte[] bytes = Files.readAllBytes(files.data("damaged"));
        int profile = bytes.length - 1;
        int values = bytes.length - 32 * (1000 + 1) - 1;
        BucketRequest edge = BucketRequest.of(X, Filter.ALL_ROWS, 5);
        GroupKey key = new GroupKey(X, new long[] {0, 5, 7});
        BucketRequest counts = new BucketRequest(null, Filter.ALL_ROWS, List.of(key), new long[0], false);
        BucketRequest squares = new BucketRequest(X, Filter.ALL_ROWS, List.of(), new long[0], true);
        BucketRequest keyed = new BucketRequest(null, filtered(0).filter(), List.of(key), new long[0], false);
        Map<Integer, List<BucketRequest>> readers = Map.of(
                0,
                List.of(edge, counts, squares, keyed),
                values,
                List.of(filtered(0), squares, keyed),
                profile,
                List.of(edge, counts));
        for (Map.Entry<Integer, List<BucketRequest>> damage : readers.entrySet()) {
            int at = damage.getKey();
            byte[] damaged = bytes.clone();
            damaged[at] ^= 1;
            Files.write(files.data("damaged"), damaged);
            for (BucketRequest request : damage.getValue()) {
                try (EmbeddedEngine fresh =
                        new EmbeddedEngine(files, new EmbeddedEngine.Settings(2, 1, Duration.ofSeconds(60)))) {
                    ProblemException refusal = catchThrowableOfType(
                            ProblemException.class, () -> fresh.collect(DEBIT, dataset, List.of(request)));
                    assertThat(refusal).as("%s of %s", at, request).isNotNull();
                    assertThat(refusal.type()).isEqualTo(ProblemType.TEMPORARILY_UNAVAILABLE);
                    assertThat(refusal.detail()).isEqualTo("The question could not be answered; its charge stays.");
                }
            }
        }
    }

    /** A key's column that is not filtered or measured is verified like any other. */
    @Test
    void readsNoGroupsFromADamagedColumn() throws Exception {
        Column.Numeric key = DatasetsForTests.integer("key", 0, 200);
        Dataset dataset = DatasetsForTests.rows("damaged-key", key, X);
        store(dataset, LongStream.range(0, 50).mapToObj(i -> new long[] {77, i}));
        byte[] bytes = Files.readAllBytes(files.data("damaged-key"));
        int run = IntStream.range(0, bytes.length - 1)
                .filter(at -> bytes[at] == 77 && bytes[at + 1] == 77)
                .findFirst()
                .orElseThrow();
        bytes[run] = 78;
        Files.write(files.data("damaged-key"), bytes);
        BucketRequest request = new BucketRequest(
                X, Filter.ALL_ROWS, List.of(new GroupKey(key, new long[] {0, 78, 201})), new long[0], false);
        ProblemException refusal =
                catchThrowableOfType(ProblemException.class, () -> engine.collect(DEBIT, dataset, List.of(request)));
        assertThat(refusal).isNotNull();
        assertThat(refusal.type()).isEqualTo(ProblemType.TEMPORARILY_UNAVAILABLE);
    }

    @Test
    void aFileThatIsCutOffWhileItIsOpenIsAProblemToo() throws Exception {
        Dataset dataset = counting("cut", 100_000);
        assertThat(countOf(dataset)).isEqualTo(100_000);
        try (FileChannel channel = FileChannel.open(files.data("cut"), StandardOpenOption.WRITE)) {
            channel.truncate(100);
        }
        // The one is read by the engine's own threads, the other by the caller's.
        for (BucketRequest request : List.of(filtered(0), BucketRequest.of(X, Filter.ALL_ROWS, new long[] {5}))) {
            ProblemException refusal = catchThrowableOfType(
                    ProblemException.class, () -> engine.collect(DEBIT, dataset, List.of(request)));
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

    /** Every file of rows that this process holds open, whether or not it still has a name. */
    private List<String> openFiles() throws IOException {
        List<String> open = new ArrayList<>();
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            for (Path descriptor : descriptors.toList()) {
                try {
                    open.add(Files.readSymbolicLink(descriptor).toString());
                } catch (NoSuchFileException closedMeanwhile) {
                    // Not open any more.
                }
            }
        }
        return open.stream().filter(file -> file.contains(root.toString())).toList();
    }

    /** Java closes the file that an interrupted thread reads, for everyone. */
    @Test
    void aFileThatAnInterruptClosedIsOpenedAgain() throws Exception {
        Dataset dataset = counting("interrupted", 10);
        for (BucketRequest request : List.of(BucketRequest.of(X, Filter.ALL_ROWS, new long[] {5}), filtered(0))) {
            assertThat(countOf(dataset)).isEqualTo(10);
            Thread.currentThread().interrupt();
            ProblemException refusal = catchThrowableOfType(
                    ProblemException.class, () -> engine.collect(DEBIT, dataset, List.of(request)));
            assertThat(Thread.interrupted()).isTrue();
            assertThat(refusal.type()).isEqualTo(ProblemType.TEMPORARILY_UNAVAILABLE);
            assertThat(countOf(dataset)).isEqualTo(10);
            assertThat(openFiles()).hasSize(1);
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
        assertThat(openFiles()).noneMatch(file -> file.contains("forgotten")).hasSizeLessThanOrEqualTo(2);
    }
}
