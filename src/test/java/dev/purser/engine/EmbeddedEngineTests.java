package dev.purser.engine;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetFiles;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.dataset.InstanceId;
import dev.purser.dataset.Notation;
import dev.purser.dataset.RowsPart;
import dev.purser.ledger.CommittedDebit;
import dev.purser.ledger.DebitsForTests;
import dev.purser.mechanism.Buckets;
import dev.purser.mechanism.ExactForTests;
import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.Blocks;
import dev.purser.privacy.PrivacyUnit;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.rows.RowsFileWriter;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.purser.problem.Refusals.refusedAs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

class EmbeddedEngineTests extends DataEngineContract {
    private static final Column.Numeric X = DatasetsForTests.integer("x", 0, 1L << 40);
    private static final CommittedDebit DEBIT = DebitsForTests.committed("embedded");
    private static final List<BucketRequest> ALL = List.of(BucketRequest.of(X, Filter.ALL_ROWS, new long[0]));

    @TempDir
    private Path root;

    private DatasetFiles files;

    @AutoClose
    private EmbeddedEngine engine;

    @BeforeEach
    void open() throws IOException {
        files = new DatasetFiles(root.resolve("data"), InstanceId.draw());
        engine = engine(2, 2, Duration.ofSeconds(60));
    }

    private EmbeddedEngine engine(int threads, int maxOpen, Duration timeout) {
        return new EmbeddedEngine(
                files, BlockFiles.digests(files), new EmbeddedEngine.Settings(threads, maxOpen, timeout));
    }

    @Override
    protected DataEngine engine() {
        return engine;
    }

    @Override
    protected void store(Dataset dataset, Stream<long[]> rows) throws Exception {
        if (dataset.blocks().isPresent()) {
            storeBlocks(dataset, rows);
            return;
        }
        try (RowsFileWriter writer = new RowsFileWriter(dataset.shape(), files.upload(RowsPart.all(dataset.id())))) {
            for (Iterator<long[]> all = rows.iterator(); all.hasNext(); ) {
                writer.add(all.next());
            }
            writer.finish();
        }
        files.commit(RowsPart.all(dataset.id()));
    }

    private void storeBlocks(Dataset dataset, Stream<long[]> rows) throws IOException {
        Blocks blocks = dataset.blocks().orElseThrow();
        Column.Numeric column = (Column.Numeric) dataset.column(blocks.column()).orElseThrow();
        int position = dataset.columns().indexOf(column);
        Map<Integer, List<long[]>> byBlock = rows.collect(Collectors.groupingBy(
                row -> blocks.of(column.grid().toDecimal(row[position]).longValueExact())));
        for (int block = 0; block < blocks.count(); block++) {
            BlockFiles.write(files, dataset, block, byBlock.getOrDefault(block, List.of()));
        }
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
        try (EmbeddedEngine hasty = engine(1, 1, Duration.ofNanos(1000))) {
            refusedAs(ProblemType.TEMPORARILY_UNAVAILABLE, () -> hasty.collect(DEBIT, dataset, List.of(filtered(0))));
        }
    }

    @Test
    void manyPassesHaveTheTimeOfOneQuestion() throws Exception {
        Dataset dataset = counting("patient", 100_000);
        List<BucketRequest> passes = LongStream.range(0, 10_000)
                .mapToObj(EmbeddedEngineTests::filtered)
                .toList();
        // One pass takes a millisecond, all passes take seconds.
        try (EmbeddedEngine hasty = engine(1, 1, Duration.ofMillis(400))) {
            refusedAs(ProblemType.TEMPORARILY_UNAVAILABLE, () -> hasty.collect(DEBIT, dataset, passes));
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
                try (EmbeddedEngine fresh = engine(2, 1, Duration.ofSeconds(60))) {
                    ProblemException refusal = catchThrowableOfType(
                            ProblemException.class, () -> fresh.collect(DEBIT, dataset, List.of(request)));
                    assertThat(refusal).as("%s of %s", at, request).isNotNull();
                    assertThat(refusal.type()).isEqualTo(ProblemType.TEMPORARILY_UNAVAILABLE);
                    assertThat(refusal.detail()).isEqualTo("The question could not be answered; its charge stays.");
                }
            }
        }
    }

    /** The column of a key is verified like any other column, also if it is not filtered or measured. */
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
        refusedAs(ProblemType.TEMPORARILY_UNAVAILABLE, () -> engine.collect(DEBIT, dataset, List.of(request)));
    }

    @Test
    void aFileThatIsCutOffWhileItIsOpenIsAProblemToo() throws Exception {
        Dataset dataset = counting("cut", 100_000);
        assertThat(countOf(dataset)).isEqualTo(100_000);
        try (FileChannel channel = FileChannel.open(files.data("cut"), StandardOpenOption.WRITE)) {
            channel.truncate(100);
        }
        // The engine's own threads read for the first request, the caller's thread for the second.
        for (BucketRequest request : List.of(filtered(0), BucketRequest.of(X, Filter.ALL_ROWS, new long[] {5}))) {
            refusedAs(ProblemType.TEMPORARILY_UNAVAILABLE, () -> engine.collect(DEBIT, dataset, List.of(request)));
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
        // A question that was asked while the file was still there.
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
                    // The file is not open any more.
                }
            }
        }
        return open.stream().filter(file -> file.contains(root.toString())).toList();
    }

    private static final Column.Numeric DAY = new Column.Numeric("day", new Notation.Dates(), 0, 364, null);

    private static Dataset daily(String id) {
        return DatasetsForTests.divided(
                DatasetsForTests.rows(id, DAY, X), Blocks.over("day", new Blocks.Day(), DAY.lower(), DAY.upper()));
    }

    /** A block of no rows, and other blocks of up to six rows. */
    private static List<long[]> rowsOfAYear() {
        return LongStream.rangeClosed(0, 364)
                .boxed()
                .flatMap(day -> LongStream.range(0, day % 7).mapToObj(i -> new long[] {day, (day * 7919 + i) << 18}))
                .toList();
    }

    private static List<BucketRequest> everyShape() {
        GroupKey halves = new GroupKey(DAY, new long[] {0, 200, 365});
        Filter odd = new Filter(List.of(new Filter.Between(X, 1L << 30, 1L << 40)));
        return List.of(
                BucketRequest.rowCount(Filter.ALL_ROWS),
                BucketRequest.rowCount(odd),
                BucketRequest.of(X, Filter.ALL_ROWS, 5, 1L << 30, 1L << 31),
                BucketRequest.of(X, odd, 5, 1L << 30, 1L << 31),
                BucketRequest.of(DAY, Filter.ALL_ROWS, LongStream.range(0, 365).toArray()),
                new BucketRequest(null, Filter.ALL_ROWS, List.of(halves), new long[0], false),
                new BucketRequest(null, odd, List.of(halves), new long[0], false),
                new BucketRequest(X, Filter.ALL_ROWS, List.of(), new long[] {7}, true),
                new BucketRequest(X, odd, List.of(halves), new long[] {1L << 30}, true));
    }

    private static List<Object> exactly(DataEngine from, CommittedDebit debit, Dataset dataset) {
        List<BucketRequest> requests = everyShape();
        List<Buckets> collected = ExactForTests.open(from.collect(debit, dataset, requests));
        List<Object> exact = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
            BucketRequest request = requests.get(i);
            for (Buckets group : ExactForTests.groups(collected.get(i))) {
                exact.add(ExactForTests.prefixes(group, request.edges()));
                if (request.squares()) {
                    exact.add(ExactForTests.squares(group, request.edges()));
                }
            }
        }
        return exact;
    }

    private static CommittedDebit paying(int first, int last) {
        return DebitsForTests.committed("embedded", new BlockWindow(first, last));
    }

    @Test
    void aFileForEachDayAndOneFileOfTheSameRowsGiveEqualStatistics() throws Exception {
        Dataset divided = daily("divided");
        Dataset whole = DatasetsForTests.rows("whole", DAY, X);
        store(divided, rowsOfAYear().stream());
        store(whole, rowsOfAYear().stream());
        List<Object> expected = exactly(engine, DEBIT, whole);
        assertThat(exactly(engine, paying(0, 364), divided)).isEqualTo(expected);
        assertThat(openFiles()).hasSize(2);
        // With fewer threads than files, with more threads, and with all files open.
        for (EmbeddedEngine.Settings settings : List.of(
                new EmbeddedEngine.Settings(1, 1, Duration.ofSeconds(60)),
                new EmbeddedEngine.Settings(400, 500, Duration.ofSeconds(60)))) {
            try (EmbeddedEngine other = new EmbeddedEngine(files, BlockFiles.digests(files), settings)) {
                assertThat(exactly(other, paying(0, 364), divided)).isEqualTo(expected);
                assertThat(exactly(other, paying(0, 364), divided)).isEqualTo(expected);
            }
        }
    }

    @Test
    void readsNoFileOfABlockThatDidNotPay() throws Exception {
        Dataset dataset = daily("paid");
        store(dataset, rowsOfAYear().stream());
        List<Object> expected = exactly(engine, paying(10, 12), dataset);
        engine.close();
        for (int block = 0; block < 365; block++) {
            if (block < 10 || block > 12) {
                Files.writeString(files.data("paid", block), "these are no rows");
            }
        }
        open();
        assertThat(exactly(engine, paying(10, 12), dataset)).isEqualTo(expected);
        assertThatThrownBy(() -> exactly(engine, paying(10, 13), dataset)).isInstanceOf(ProblemException.class);
        assertThatThrownBy(() -> exactly(engine, paying(9, 12), dataset)).isInstanceOf(ProblemException.class);
    }

    @Test
    void aBlockWithoutRowsCountsZeroAndOneWithoutAFileIsAProblem() throws Exception {
        Dataset dataset = daily("empty");
        BlockFiles.write(files, dataset, 3, List.of());
        for (BucketRequest request : everyShape()) {
            Buckets none = ExactForTests.open(engine.collect(paying(3, 3), dataset, List.of(request)))
                    .getFirst();
            assertThat(ExactForTests.groups(none))
                    .allMatch(group -> ExactForTests.prefixes(group, request.edges()).counts().stream()
                            .allMatch(count -> count == 0));
            for (CommittedDebit debit : List.of(paying(4, 4), paying(3, 4), paying(2, 3))) {
                ProblemException refusal = catchThrowableOfType(
                        ProblemException.class, () -> engine.collect(debit, dataset, List.of(request)));
                assertThat(refusal).as("%s", request).isNotNull();
                assertThat(refusal.type()).isEqualTo(ProblemType.TEMPORARILY_UNAVAILABLE);
            }
        }
    }

    /** Both files are of the dataset, so only the digest tells them apart. */
    @Test
    void readsNoBlockFromTheFileOfAnother() throws Exception {
        Dataset dataset = daily("swapped");
        store(dataset, rowsOfAYear().stream());
        BlockDigests loaded = BlockFiles.digests(files);
        Optional<String> digest = loaded.of(dataset, 5);
        Files.copy(files.data("swapped", 6), files.data("swapped", 5), StandardCopyOption.REPLACE_EXISTING);
        try (EmbeddedEngine careful =
                new EmbeddedEngine(files, (of, block) -> digest, EmbeddedEngine.Settings.DEFAULT)) {
            assertThatThrownBy(() -> exactly(careful, paying(5, 5), dataset)).isInstanceOf(ProblemException.class);
        }
    }

    @Test
    void letsGoOfAllFilesOfADatasetThatIsForgotten() throws Exception {
        Dataset gone = daily("gone");
        Dataset stays = daily("stays");
        store(gone, rowsOfAYear().stream());
        store(stays, rowsOfAYear().stream());
        try (EmbeddedEngine wide = engine(2, 500, Duration.ofSeconds(60))) {
            exactly(wide, paying(0, 99), gone);
            exactly(wide, paying(0, 9), stays);
            assertThat(openFiles()).hasSize(110);
            wide.forget("gone");
            assertThat(openFiles()).hasSize(10).allMatch(file -> file.contains("stays"));
            for (int block : new int[] {0, 200}) {
                assertThatThrownBy(() -> exactly(wide, paying(block, block), gone))
                        .isInstanceOf(ProblemException.class);
            }
            assertThat(openFiles()).hasSize(10);
        }
    }

    @Test
    void manyFilesHaveTheTimeOfOneQuestion() throws Exception {
        Dataset dataset = daily("timely");
        store(dataset, rowsOfAYear().stream());
        Duration enoughForSome = Duration.ofMillis(20);
        BlockDigests slow = (of, block) -> {
            LockSupport.parkNanos(2_000_000);
            return BlockFiles.digests(files).of(of, block);
        };
        try (EmbeddedEngine hasty = new EmbeddedEngine(files, slow, new EmbeddedEngine.Settings(1, 1, enoughForSome))) {
            for (BucketRequest request : everyShape()) {
                assertThatThrownBy(() -> hasty.collect(paying(0, 364), dataset, List.of(request)))
                        .as("%s", request)
                        .isInstanceOf(ProblemException.class);
            }
        }
    }

    /** Java closes the file that an interrupted thread reads, for all threads. */
    @Test
    void aFileThatAnInterruptClosedIsOpenedAgain() throws Exception {
        Dataset dataset = counting("interrupted", 300_000);
        for (BucketRequest request : List.of(BucketRequest.of(X, Filter.ALL_ROWS, new long[] {5}), filtered(0))) {
            assertThat(countOf(dataset)).isEqualTo(300_000);
            ProblemException refusal = null;
            // A pass that ends before the interrupt is seen is answered.
            for (int attempt = 0; attempt < 1000 && refusal == null; attempt++) {
                Thread.currentThread().interrupt();
                refusal = catchThrowableOfType(
                        ProblemException.class, () -> engine.collect(DEBIT, dataset, List.of(request)));
                assertThat(Thread.interrupted()).isTrue();
            }
            assertThat(Objects.requireNonNull(refusal).type()).isEqualTo(ProblemType.TEMPORARILY_UNAVAILABLE);
            // Threads of the interrupted pass may end later, and close the file once more.
            await().forever().ignoreExceptionsInstanceOf(ProblemException.class).untilAsserted(() -> {
                assertThat(countOf(dataset)).isEqualTo(300_000);
                assertThat(openFiles()).hasSize(1);
            });
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

    /**
     * Units are counted once in each group, wherever their rows lie: in blocks that have their own scan, and in what
     * would be the share of another thread.
     */
    @Test
    void countsEachUnitOnceInEachGroup() throws Exception {
        Dataset dataset = DatasetsForTests.of(
                "units", new PrivacyUnit.Column("who", 6000, PrivacyUnit.IdType.TEXT), 1_000_000, List.of(X));
        Random random = new Random(5);
        List<long[]> rows = new ArrayList<>();
        Map<Long, Set<Integer>> unitsOf = new HashMap<>();
        for (int unit = 0; unit < 300; unit++) {
            int own = unit % 100 == 0 ? 6000 : 1 + random.nextInt(4);
            for (int i = 0; i < own; i++) {
                long value = random.nextInt(10);
                unitsOf.computeIfAbsent(value, none -> new HashSet<>()).add(unit);
                rows.add(new long[] {value, i == 0 ? 1 : 0});
            }
        }
        store(dataset, rows.stream());
        GroupKey pairs = new GroupKey(X, new long[] {0, 2, 4, 6, 8});
        Filter odd = new Filter(List.of(new Filter.Between(X, 3, 9)));
        List<Buckets> counted = ExactForTests.open(engine.collect(
                DEBIT,
                dataset,
                List.of(
                        BucketRequest.unitCount(Filter.ALL_ROWS, List.of()),
                        BucketRequest.unitCount(odd, List.of()),
                        BucketRequest.unitCount(odd, List.of(pairs)),
                        BucketRequest.rowCount(Filter.ALL_ROWS))));
        assertThat(totals(counted.get(0))).containsExactly(300L);
        assertThat(totals(counted.get(1))).containsExactly(units(unitsOf, 3, 9));
        assertThat(totals(counted.get(2)))
                .containsExactly(0L, units(unitsOf, 3, 4), units(unitsOf, 4, 6), units(unitsOf, 6, 8));
        assertThat(totals(counted.get(3))).containsExactly((long) rows.size());
    }

    private static long units(Map<Long, Set<Integer>> unitsOf, long from, long to) {
        return LongStream.range(from, to)
                .mapToObj(value -> unitsOf.getOrDefault(value, Set.of()))
                .flatMap(Set::stream)
                .distinct()
                .count();
    }

    private static List<Long> totals(Buckets table) {
        return ExactForTests.groups(table).stream()
                .map(group ->
                        ExactForTests.prefixes(group, new long[0]).counts().getFirst())
                .toList();
    }

    @Test
    void refusesToCountUnitsThatNoColumnNames() {
        Dataset dataset = DatasetsForTests.rows("nobody", X);
        assertThatThrownBy(() ->
                        engine.collect(DEBIT, dataset, List.of(BucketRequest.unitCount(Filter.ALL_ROWS, List.of()))))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
