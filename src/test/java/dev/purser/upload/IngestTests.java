package dev.purser.upload;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetInstance;
import dev.purser.dataset.DatasetState;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.dataset.FingerprintSecrets;
import dev.purser.dataset.InstanceId;
import dev.purser.dataset.Source;
import dev.purser.privacy.PrivacyUnit;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.rows.StoredRows;
import dev.purser.store.Database;
import dev.purser.store.PurserHome;
import dev.purser.tables.TableName;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.util.unit.DataSize;

import static dev.purser.dataset.DatasetsForTests.category;
import static dev.purser.dataset.DatasetsForTests.decimal;
import static dev.purser.dataset.DatasetsForTests.integer;
import static dev.purser.problem.Refusals.refusedAs;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Whole uploads of CSV, from the bytes of a request to a dataset that is ready, or to nothing. */
class IngestTests {
    private static final UploadSettings SETTINGS = new UploadSettings(1, DataSize.ofMegabytes(1), null, "");
    private static final AtomicInteger DATASETS = new AtomicInteger();

    @TempDir
    private static Path folder;

    @AutoClose
    private static Database database;

    private static DatasetInstance instance;
    private static Uploads uploads;

    private final Dataset people = registered(
            new PrivacyUnit.Row(),
            integer("age", 0, 125),
            decimal("hours", "0.25", 0, 400, 160L),
            category("sex", null, "F", "M"));
    private final Dataset visits =
            registered(new PrivacyUnit.Column("user", 2, PrivacyUnit.IdType.TEXT), integer("n", 0, 1_000_000));

    @BeforeAll
    static void start() throws IOException {
        database = new Database(new PurserHome(folder.resolve("home")));
        instance = new DatasetInstance(database, folder.resolve("rows"), InstanceId.draw(), FingerprintSecrets.of(1));
        uploads = new Uploads(
                instance.loading(), new Ingest(instance.keys(), SETTINGS), SETTINGS, new SimpleMeterRegistry());
    }

    private static Dataset registered(PrivacyUnit unit, dev.purser.dataset.Column... columns) {
        return instance.insert(
                DatasetsForTests.of("d" + DATASETS.incrementAndGet(), unit, 1_000_000, List.of(columns)));
    }

    private static UploadReport load(Dataset dataset, InputStream csv, byte @Nullable [] expectedSha256)
            throws IOException {
        return uploads.take(
                dataset, new SentFile(OptionalInt.empty(), UploadFormat.CSV, csv, -1, expectedSha256, true), () -> {});
    }

    private static SentFile sent(InputStream csv, boolean allowEmpty) {
        return new SentFile(OptionalInt.empty(), UploadFormat.CSV, csv, -1, null, allowEmpty);
    }

    private static UploadReport load(Dataset dataset, InputStream csv) throws IOException {
        return load(dataset, csv, null);
    }

    private static UploadReport load(Dataset dataset, String csv) throws IOException {
        return load(dataset, stream(csv));
    }

    private static InputStream stream(String csv) {
        return new ByteArrayInputStream(csv.getBytes(UTF_8));
    }

    /** A file. Once all of it except its end was read, {@code happening} runs. */
    private static InputStream beforeTheEnd(String csv, Runnable happening) {
        return new SequenceInputStream(stream(csv), new InputStream() {
            private boolean ended;

            @Override
            public int read() {
                if (!ended) {
                    ended = true;
                    happening.run();
                }
                return -1;
            }
        });
    }

    private static void assertNothingIsLeft(Dataset dataset) throws IOException {
        assertThat(folder(dataset)).doesNotExist();
        assertThat(instance.state(dataset.id())).isEqualTo(DatasetState.FAILED);
        assertThat(instance.loading().rowsSoFar(dataset.id())).isEmpty();
    }

    private static Path folder(Dataset dataset) {
        return folder.resolve("rows").resolve(dataset.id());
    }

    private static List<List<Long>> stored(Dataset dataset) throws IOException {
        return StoredRows.in(instance.files().data(dataset.id()), dataset.shape());
    }

    private static ProblemException refusal(Dataset dataset, InputStream csv) throws IOException {
        ProblemException refusal = catchThrowableOfType(ProblemException.class, () -> load(dataset, csv));
        assertThat(refusal).isNotNull();
        assertNothingIsLeft(dataset);
        return refusal;
    }

    private static String digest(byte[] sha256) {
        return "sha-256=:" + Base64.getEncoder().encodeToString(sha256) + ":";
    }

    @Test
    void storesRowsAndReportsThem() throws Exception {
        String csv = "sex,age,note,hours\nM,39,x,40\nF,-1,y,1e9\n";
        UploadReport report = load(people, csv);
        assertThat(stored(people)).containsExactly(List.of(39L, 160L, 1L), List.of(0L, 400L, 0L));
        assertThat(report.rowsRead()).isEqualTo(2);
        assertThat(report.rowsStored()).isEqualTo(2);
        assertThat(report.valuesClamped()).isEqualTo(2);
        assertThat(report.clamped()).containsExactly(new ClampedColumn("age", 1), new ClampedColumn("hours", 1));
        assertThat(report.digest())
                .isEqualTo(digest(MessageDigest.getInstance("SHA-256").digest(csv.getBytes(UTF_8))));
        assertThat(report.fingerprints()).hasSize(1);
        assertThat(instance.state(people.id())).isEqualTo(DatasetState.READY);
        assertThat(report).hasToString("UploadReport[redacted]");
    }

    @Test
    void noRowsHaveNoFingerprint() throws Exception {
        assertThat(load(people, "age,hours,sex\n").fingerprints()).isEmpty();
        assertThat(stored(people)).isEmpty();
    }

    @Test
    void refusesAFileWithoutRowsUnlessThatIsMeant() {
        for (String none : List.of("age,hours,sex\n", "age,hours,sex", "age,hours,sex\n\n")) {
            ProblemException refusal = refusedAs(
                    ProblemType.INVALID_DATA, () -> uploads.take(people, sent(stream(none), false), () -> {}));
            assertThat(refusal.detail()).startsWith("the file has no rows: ").contains("?allowEmpty=true");
        }
    }

    /** The checks are of a bad file, of a good file, and of a file that cannot be read to its end. */
    @Test
    void aCheckKeepsNothingAndChangesNoState() throws Exception {
        Dataset failed = registered(new PrivacyUnit.Row(), integer("age", 0, 125));
        refusal(failed, stream("age\nx\n"));
        for (Dataset dataset : List.of(people, visits, failed)) {
            DatasetState before = instance.state(dataset.id());
            List<String> entries = tree();
            CheckReport bad = uploads.check(dataset, sent(stream("age,user,n,hours,sex\nx,,y,9,F\n"), false), () -> {});
            assertThat(bad.errors()).isNotEmpty();
            InputStream good = beforeTheEnd(
                    "age,user,n,hours,sex\n" + "700,u,9,9,F\n".repeat(300_000),
                    () -> assertThat(tree()).isEqualTo(entries));
            CheckReport report = uploads.check(dataset, sent(good, false), () -> {});
            assertThat(report.errors()).isEmpty();
            assertThat(report.moreErrors()).isZero();
            assertThat(report.rowsRead()).isEqualTo(300_000);
            assertThat(report.clamped()).hasSize(dataset == visits ? 0 : 1);
            assertThat(report).hasToString("CheckReport[redacted]");
            InputStream torn = new SequenceInputStream(stream("age,user,n,hours,sex\n"), new InputStream() {
                @Override
                public int read() throws IOException {
                    throw new IOException("connection reset");
                }
            });
            assertThat(catchThrowable(() -> uploads.check(dataset, sent(torn, false), () -> {})))
                    .hasMessage("connection reset");
            assertThat(tree()).isEqualTo(entries);
            assertThat(instance.state(dataset.id())).isEqualTo(before);
        }
    }

    /** All folders of datasets and all files, but for the empty folder that checks share. */
    private static List<String> tree() {
        try (Stream<Path> all = Files.walk(folder.resolve("rows"))) {
            return all.filter(path -> !path.toString().contains("/checks."))
                    .map(Path::toString)
                    .sorted()
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Test
    void aCheckNamesOtherDigestsAndMissingRows() throws Exception {
        byte[] other = new byte[32];
        SentFile sent =
                new SentFile(OptionalInt.empty(), UploadFormat.CSV, stream("age,hours,sex\n"), -1, other, false);
        assertThat(uploads.check(people, sent, () -> {}).errors())
                .extracting(DataError::detail)
                .satisfiesExactly(
                        rule -> assertThat(rule).contains("no rows"),
                        rule -> assertThat(rule).contains("digest"));
        assertThat(uploads.check(people, sent(stream("age,hours,sex\n"), true), () -> {})
                        .errors())
                .isEmpty();
    }

    @Test
    void verifiesTheDigest() throws Exception {
        byte[] csv = "age,hours,sex\n1,2,F\n".getBytes(UTF_8);
        byte[] sha256 = MessageDigest.getInstance("SHA-256").digest(csv);
        byte[] other = sha256.clone();
        other[31] ^= 1;
        ProblemException refusal =
                refusedAs(ProblemType.INVALID_DATA, () -> load(people, new ByteArrayInputStream(csv), other));
        assertThat(refusal.detail()).contains("digest");
        assertNothingIsLeft(people);
        assertThat(load(people, new ByteArrayInputStream(csv), sha256).digest()).isEqualTo(digest(sha256));
    }

    @Test
    void aWrongLastRowLeavesNothing() throws Exception {
        String wrong = "age,hours,sex\n" + "1,2,F\n".repeat(300_000) + "1,2,X\n";
        ProblemException refusal = refusal(people, stream(wrong));
        assertThat(refusal.type()).isEqualTo(ProblemType.INVALID_DATA);
        assertThat(refusal.detail()).startsWith("line 300002, column sex: ");
        // More than are sorted in memory.
        String units = IntStream.range(0, 150_000).mapToObj(i -> i + ",1\n").collect(Collectors.joining());
        assertThat(refusal(visits, stream("user,n\n" + units + "a,x\n")).detail())
                .startsWith("line 150002, column n: ");
    }

    @Test
    void leavesNothingOfATornUpload() throws Exception {
        for (Dataset dataset : List.of(people, visits)) {
            InputStream torn = new SequenceInputStream(stream("age,hours,sex,user,n\n1,2,F,a,1\n"), new InputStream() {
                @Override
                public int read() throws IOException {
                    throw new IOException("connection reset");
                }
            });
            assertThat(catchThrowable(() -> load(dataset, torn)))
                    .isExactlyInstanceOf(IOException.class)
                    .hasMessage("connection reset");
            assertNothingIsLeft(dataset);
        }
    }

    @Test
    void leavesNothingWhateverIsThrown() throws Exception {
        for (Throwable failure : List.of(new StackOverflowError("of a test"), new IllegalStateException("of a test"))) {
            InputStream failing = beforeTheEnd("user,n\na,1\n", () -> {
                switch (failure) {
                    case Error error -> throw error;
                    case RuntimeException exception -> throw exception;
                    default -> throw new AssertionError(failure);
                }
            });
            assertThat(catchThrowable(() -> load(visits, failing))).isSameAs(failure);
            assertNothingIsLeft(visits);
        }
    }

    /** Such a failure is not the sender's fault. */
    @Test
    void saysThatWhatItCannotWriteIsUnavailable() throws Exception {
        for (Dataset dataset : List.of(people, visits)) {
            Files.writeString(folder(dataset), "in the way");
            assertThat(refusal(dataset, stream("age,hours,sex,user,n\n")).type())
                    .isEqualTo(ProblemType.TEMPORARILY_UNAVAILABLE);
        }
        for (String inTheWay : List.of("rows.columns.sort.0", "rows.columns.units.0")) {
            Dataset many = registered(
                    new PrivacyUnit.Column("user", 1, PrivacyUnit.IdType.TEXT), integer("n", -(1L << 40), 1L << 40));
            Path[] planted = new Path[1];
            InputStream csv = new SequenceInputStream(
                    beforeTheEnd("user,n\n", () -> planted[0] = plant(many, inTheWay)),
                    stream(IntStream.range(0, 300_000).mapToObj(i -> i + ",1\n").collect(Collectors.joining())));
            assertThat(refusal(many, csv).type()).as(inTheWay).isEqualTo(ProblemType.TEMPORARILY_UNAVAILABLE);
            assertThat(planted[0]).isNotNull();
        }
        load(visits, "user,n\na,1\n");
    }

    private static Path plant(Dataset dataset, String name) {
        try (Stream<Path> folders = Files.list(folder(dataset))) {
            return Files.writeString(folders.findFirst().orElseThrow().resolve(name), "in the way");
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** This holds while the rows come, and once they are there. */
    @Test
    void keepsItsFilesToItself() throws Exception {
        AtomicInteger files = new AtomicInteger();
        String units = IntStream.range(0, 150_000).mapToObj(i -> i + ",1\n").collect(Collectors.joining());
        load(visits, beforeTheEnd("user,n\n" + units, () -> files.set(assertPrivate(folder(visits)))));
        assertThat(files)
                .as("the rows, and those that are sorted by their units")
                .hasValue(2);
        assertThat(assertPrivate(folder.resolve("rows"))).isPositive();
        assertThat(folder(visits))
                .isDirectoryNotContaining(path -> !path.equals(instance.files().data(visits.id())));
    }

    /** Requires that only the owner can use the files and folders; returns the number of files. */
    private static int assertPrivate(Path tree) {
        try (Stream<Path> paths = Files.walk(tree)) {
            List<Path> all = paths.toList();
            for (Path path : all) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                        .as("%s", path)
                        .isEqualTo(Files.isDirectory(path) ? "rwx------" : "rw-------");
            }
            return (int) all.stream().filter(Files::isRegularFile).count();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Test
    void keepsAtMostTheAgreedRowsOfAUnit() throws Exception {
        String csv = "user,n\n"
                + IntStream.range(0, 3000)
                        .mapToObj(i -> "u" + i % 700 + "," + i + "\n")
                        .collect(Collectors.joining());
        UploadReport report = load(visits, csv);
        assertThat(report.rowsRead()).isEqualTo(3000);
        assertThat(report.rowsStored()).isEqualTo(1400);
        Map<Long, Long> rowsPerUnit = stored(visits).stream()
                .collect(Collectors.groupingBy(row -> row.getFirst() % 700, Collectors.counting()));
        assertThat(rowsPerUnit).hasSize(700);
        assertThat(rowsPerUnit.values()).containsOnly(2L);
    }

    @Test
    void prefersNoRowOfAUnit() throws Exception {
        // 2 of 4 rows of 2000 units: each ordinal stays with probability 1/2, 1000 ± 22.4; 5 deviations, 1 in 400,000
        // per ordinal.
        String csv = "user,n\n"
                + IntStream.range(0, 8000)
                        .mapToObj(i -> "u" + i % 2000 + "," + i / 2000 + "\n")
                        .collect(Collectors.joining());
        load(visits, csv);
        Map<Long, Long> byOrdinal =
                stored(visits).stream().collect(Collectors.groupingBy(List::getFirst, Collectors.counting()));
        assertThat(byOrdinal).hasSize(4);
        assertThat(byOrdinal.values()).allSatisfy(kept -> assertThat(kept).isBetween(888L, 1112L));
    }

    @Test
    void tellsHowManyRowsWereRead() throws Exception {
        assertThat(instance.loading().rowsSoFar(people.id())).isEmpty();
        List<Optional<Long>> told = new java.util.ArrayList<>();
        load(
                people,
                new SequenceInputStream(
                        beforeTheEnd(
                                "age,hours,sex\n",
                                () -> told.add(instance.loading().rowsSoFar(people.id()))),
                        beforeTheEnd(
                                "1,2,F\n".repeat(10_000),
                                () -> told.add(instance.loading().rowsSoFar(people.id())))));
        assertThat(told).containsExactly(Optional.of(0L), Optional.of(8192L));
        assertThat(instance.loading().rowsSoFar(people.id())).isEmpty();
    }

    @Test
    void asksOnceAllWasReadWhetherItIsStillPermitted() throws Exception {
        AtomicBoolean wasRead = new AtomicBoolean();
        ProblemException revoked = ProblemException.of(ProblemType.FORBIDDEN, "revoked");
        assertThat(catchThrowable(() -> uploads.take(
                        people, sent(beforeTheEnd("age,hours,sex\n1,2,F\n", () -> wasRead.set(true)), false), () -> {
                            assertThat(wasRead).isTrue();
                            throw revoked;
                        })))
                .isSameAs(revoked);
        assertNothingIsLeft(people);
    }

    @Test
    void aDatasetDeletedMeanwhileEndsItsUploadWithTheNextBytes() throws Exception {
        Dataset dataset = instance.register("deleted", "carla", "");
        RepeatedText endless = new RepeatedText("n\n", "1\n");
        InputStream csv = new SequenceInputStream(
                beforeTheEnd("n\n1\n", () -> instance.deletion().delete("deleted")), endless);
        refusedAs(ProblemType.NOT_FOUND, () -> load(dataset, csv));
        assertThat(endless.delivered()).isLessThan(1 << 20);
        assertThat(instance.state("deleted")).isEqualTo(DatasetState.DELETED);
        assertThat(folder(dataset)).doesNotExist();
    }

    @Test
    void aDatasetOfATableTakesNoRows() {
        Dataset table = DatasetsForTests.of(
                "of-a-table",
                new PrivacyUnit.Row(),
                9,
                List.of(integer("n", 0, 9)),
                new Source.Table("warehouse", TableName.parse("a.b").orElseThrow()));
        refusedAs(ProblemType.ALREADY_EXISTS, () -> load(table, "n\n1\n"));
    }

    /** There is only one place for uploads here. */
    @Test
    @Timeout(60)
    void anUploadWaitsForItsPlace() throws Exception {
        CountDownLatch isReading = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        FutureTask<UploadReport> first = new FutureTask<>(() -> load(people, beforeTheEnd("age,hours,sex\n", () -> {
            isReading.countDown();
            await(mayEnd);
        })));
        FutureTask<UploadReport> second = new FutureTask<>(() -> load(visits, "user,n\na,1\n"));
        Thread.ofPlatform().start(first);
        isReading.await();
        Thread waiting = Thread.ofPlatform().start(second);
        while (waiting.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        assertThat(instance.state(visits.id())).isEqualTo(DatasetState.REGISTERED);

        Thread.currentThread().interrupt();
        ProblemException turnedAway = catchThrowableOfType(ProblemException.class, () -> load(visits, "user,n\n"));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(turnedAway.type()).isEqualTo(ProblemType.TEMPORARILY_UNAVAILABLE);
        assertThat(turnedAway.retryAfter()).hasValue(Duration.ofSeconds(20));

        mayEnd.countDown();
        assertThat(first.get().rowsRead()).isZero();
        assertThat(second.get().rowsRead()).isEqualTo(1);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }

    /** Otherwise the next upload would be turned away after a while. */
    @ParameterizedTest
    @ValueSource(strings = {"age,hours,sex\nx", "age,hours"})
    @Timeout(10)
    void anUploadThatFailsGivesItsPlaceBack(String csv) throws Exception {
        for (int i = 0; i < 3; i++) {
            refusal(people, stream(csv));
        }
        assertThatExceptionOfType(ProblemException.class).isThrownBy(() -> {
            load(people, "age,hours,sex\n");
            load(people, "age,hours,sex\n");
        });
        load(visits, "user,n\n");
    }

    /** The log says that the disk is full. Other messages may hold a value. */
    @Test
    void aFullDiskIsCalledFull() throws IOException {
        try (FileOutputStream full = new FileOutputStream("/dev/full")) {
            assertThatThrownBy(() -> full.write(1))
                    .isInstanceOfSatisfying(
                            IOException.class,
                            failure -> assertThat(Ingest.reason(failure)).isEqualTo("No space left on device"));
        }
        assertThat(Ingest.reason(new IOException("4711"))).isEqualTo("java.io.IOException");
    }
}
