package dev.purser.dataset;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.rows.RowsFileWriter;
import dev.purser.rows.StoredRows;
import dev.purser.store.Database;
import dev.purser.store.PurserHome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** All of an upload or nothing, whatever stops it, and beside whom. */
class DatasetLoadingTests {
    private static final InstanceId ONE = InstanceId.draw();
    private static final InstanceId OTHER = InstanceId.draw();

    @TempDir
    private Path folder;

    private PurserHome home;
    private Database database;

    @BeforeEach
    void open() {
        home = new PurserHome(folder.resolve("home"));
        database = new Database(home);
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    private DatasetInstance start(InstanceId id) throws IOException {
        return new DatasetInstance(database, folder.resolve("rows"), id, FingerprintSecrets.of(1));
    }

    private static byte[] write(Dataset dataset, Path file, long... values) throws IOException {
        try (RowsFileWriter writer = new RowsFileWriter(dataset.shape(), file)) {
            for (long value : values) {
                writer.add(new long[] {value});
            }
            return writer.finish();
        }
    }

    /** The same for the same values in any order. */
    private static List<Fingerprint> fingerprint(long... values) {
        try {
            byte[] text =
                    Arrays.toString(Arrays.stream(values).sorted().toArray()).getBytes(StandardCharsets.US_ASCII);
            return List.of(FingerprintSecrets.of(1)
                    .fingerprint(HexFormat.of()
                            .formatHex(MessageDigest.getInstance("SHA-256").digest(text))));
        } catch (java.security.NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** A whole upload; "taken", or the type of the refusal. */
    private static String put(DatasetInstance at, String id, long... values) throws IOException {
        Dataset dataset = at.catalog().require(id);
        try {
            DatasetLoading.Loading loading = at.loading().begin(dataset, OptionalInt.empty());
            return commit(loading, write(dataset, loading.file(), values), fingerprint(values));
        } catch (ProblemException refusal) {
            return refusal.type().slug();
        }
    }

    private static String commit(DatasetLoading.Loading loading, byte[] rowsDigest, List<Fingerprint> fingerprint)
            throws IOException {
        try {
            loading.commit(rowsDigest, fingerprint);
            return "taken";
        } catch (IOException | ProblemException failure) {
            loading.abandon();
            throw failure;
        }
    }

    private List<List<Long>> rows(DatasetInstance at, String id) throws IOException {
        return StoredRows.in(at.files().data(id), at.catalog().require(id).shape());
    }

    @Test
    void goesFromRegisteredToReadyWithAllRows() throws Exception {
        DatasetInstance one = start(ONE);
        Dataset dataset = one.register("whole", "carla", "");
        DatasetLoading.Loading loading = one.loading().begin(dataset, OptionalInt.empty());
        assertThat(one.state("whole")).isEqualTo(DatasetState.LOADING);
        assertThat(one.loading().rowsSoFar("whole")).hasValue(0L);
        loading.rows(7);
        assertThat(one.loading().rowsSoFar("whole")).hasValue(7L);
        byte[] rowsDigest = write(dataset, loading.file(), 3, 1);
        assertThat(one.files().isPresent(RowsPart.all("whole"))).isFalse();
        loading.commit(rowsDigest, fingerprint(3, 1));
        assertThat(one.catalog().requireReady("whole").state()).isEqualTo(DatasetState.READY);
        assertThat(rows(one, "whole")).containsExactly(List.of(3L), List.of(1L));
        assertThat(one.loading().rowsSoFar("whole")).isEmpty();
        assertThat(put(one, "whole", 2)).isEqualTo("already-exists");
        assertThat(rows(one, "whole")).hasSize(2);
    }

    @Test
    void anUploadThatIsAbandonedLeavesNothingAndAnotherMayCome() throws Exception {
        DatasetInstance one = start(ONE);
        Dataset dataset = one.register("again", "carla", "");
        DatasetLoading.Loading loading = one.loading().begin(dataset, OptionalInt.empty());
        Files.writeString(loading.file().resolveSibling("rows.columns.units.0"), "half");
        loading.abandon();
        assertThat(one.state("again")).isEqualTo(DatasetState.FAILED);
        assertThat(folder.resolve("rows")).isEmptyDirectory();
        assertThat(one.loading().rowsSoFar("again")).isEmpty();
        assertThat(put(one, "again", 4)).isEqualTo("taken");
    }

    @Test
    void ofTwoUploadsAtTheSameTimeTheFirstIsTaken() throws Exception {
        DatasetInstance one = start(ONE);
        DatasetInstance other = start(OTHER);
        Dataset dataset = one.register("wanted", "carla", "");
        DatasetLoading.Loading first = one.loading().begin(dataset, OptionalInt.empty());
        assertThat(put(one, "wanted", 1)).isEqualTo("already-exists");
        assertThat(put(other, "wanted", 1)).isEqualTo("already-exists");
        byte[] rowsDigest = write(dataset, first.file(), 2);
        assertThat(put(other, "wanted", 1)).isEqualTo("already-exists");
        assertThat(commit(first, rowsDigest, fingerprint(2))).isEqualTo("taken");
        assertThat(rows(other, "wanted")).containsExactly(List.of(2L));
    }

    /** Where a process can end. */
    enum Step {
        BEGUN,
        FOLDER_MADE,
        FILE_BEGUN,
        FILE_WRITTEN,
        FILE_RENAMED
    }

    private static void go(DatasetInstance at, Dataset dataset, Step last) throws IOException {
        DatasetLoading.Loading loading = at.loading().begin(dataset, OptionalInt.empty());
        if (last == Step.BEGUN) {
            return;
        }
        Path file = loading.file();
        switch (last) {
            case BEGUN, FOLDER_MADE -> {}
            case FILE_BEGUN -> {
                Files.writeString(file, "half the ro");
                Files.writeString(file.resolveSibling("rows.columns.spilled"), "and more");
            }
            case FILE_WRITTEN -> write(dataset, file, 1, 2);
            case FILE_RENAMED -> {
                write(dataset, file, 1, 2);
                at.files().commit(RowsPart.all(dataset.id()));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void theNextStartLeavesNothingOfAnUploadThatWasNotConfirmed(Step last) throws Exception {
        DatasetInstance one = start(ONE);
        go(one, one.register("torn", "carla", ""), last);

        DatasetInstance again = start(ONE);
        assertThat(again.state("torn")).isEqualTo(DatasetState.FAILED);
        assertThat(folder.resolve("rows")).isEmptyDirectory();
        assertThat(put(again, "torn", 3)).isEqualTo("taken");
        assertThat(start(ONE).catalog().requireReady("torn").state()).isEqualTo(DatasetState.READY);
        assertThat(rows(again, "torn")).containsExactly(List.of(3L));
    }

    @ParameterizedTest
    @EnumSource
    void aStartLeavesTheUploadsOfOtherInstancesAlone(Step last) throws Exception {
        DatasetInstance one = start(ONE);
        go(one, one.register("busy", "carla", ""), last);
        List<Path> before = files();

        DatasetInstance other = start(OTHER);
        assertThat(files()).isEqualTo(before);
        assertThat(other.state("busy")).isEqualTo(DatasetState.LOADING);
        assertThat(put(other, "busy", 3)).isEqualTo("already-exists");
        assertThat(files()).isEqualTo(before);

        start(ONE);
        assertThat(put(other, "busy", 3)).isEqualTo("taken");
    }

    private List<Path> files() throws IOException {
        try (var paths = Files.walk(folder.resolve("rows"))) {
            return paths.sorted().toList();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aDeletionMeanwhileLeavesNothing(Step last) throws Exception {
        for (InstanceId deleter : List.of(ONE, OTHER)) {
            String id = "deleted-" + (deleter == ONE ? "here" : "elsewhere");
            DatasetInstance one = start(ONE);
            DatasetInstance at = deleter == ONE ? one : start(OTHER);
            Dataset dataset = one.register(id, "carla", "");
            DatasetLoading.Loading loading = one.loading().begin(dataset, OptionalInt.empty());
            if (last.compareTo(Step.FOLDER_MADE) >= 0) {
                Path file = loading.file();
                Files.writeString(file.resolveSibling("rows.columns.spilled"), "more");
                if (last.compareTo(Step.FILE_WRITTEN) >= 0) {
                    write(dataset, file, 1, 2);
                }
            }
            if (last == Step.FILE_RENAMED) {
                one.files().commit(RowsPart.all(id));
            }
            at.deletion().delete(id);
            assertThat(refusalOf(loading::requireNotDeleted)).isEqualTo(deleter == ONE ? "not-found" : "");
            if (last == Step.BEGUN) {
                write(dataset, loading.file(), 1, 2);
            }
            assertThat(refusalOf(() -> commit(loading, new byte[32], fingerprint(1, 2))))
                    .isEqualTo("not-found");
            assertThat(folder.resolve("rows")).isEmptyDirectory();
            assertThat(one.state(id)).isEqualTo(DatasetState.DELETED);
        }
        // Their rows were never anybody's.
        DatasetInstance one = start(ONE);
        one.register("later", "dora", "");
        assertThat(put(one, "later", 2, 1)).isEqualTo("taken");
    }

    private interface Attempt {
        void run() throws IOException;
    }

    /** The type of the refusal, or nothing. */
    private static String refusalOf(Attempt attempt) {
        Throwable thrown = catchThrowable(attempt::run);
        return thrown == null
                ? ""
                : thrown instanceof ProblemException refusal ? refusal.type().slug() : thrown.toString();
    }

    /** Nobody knows whether such a transaction stands: should it be found done, its rows must be there. */
    @Test
    void rowsStayWhereTheOutcomeIsUnknown() throws Exception {
        DatasetInstance one = start(ONE);
        Dataset dataset = one.register("unknown", "carla", "");
        DatasetLoading.Loading loading = one.loading().begin(dataset, OptionalInt.empty());
        write(dataset, loading.file(), 5);
        database.close();
        ProblemException refusal =
                catchThrowableOfType(ProblemException.class, () -> commit(loading, new byte[32], fingerprint(5)));
        assertThat(refusal.type()).isEqualTo(ProblemType.TEMPORARILY_UNAVAILABLE);
        assertThat(one.files().isPresent(RowsPart.all("unknown"))).isTrue();

        database = new Database(home);
        DatasetInstance again = start(ONE);
        assertThat(again.state("unknown")).as("it did not stand").isEqualTo(DatasetState.FAILED);
        assertThat(folder.resolve("rows")).isEmptyDirectory();
    }

    @Test
    void rowsOfAnotherAccountAreRefusedAndLeaveNothing() throws Exception {
        DatasetInstance one = start(ONE);
        one.register("first", "carla", "");
        assertThat(put(one, "first", 1, 2)).isEqualTo("taken");
        one.register("second", "carla", "");
        assertThat(put(one, "second", 2, 1)).isEqualTo("already-exists");
        assertThat(start(OTHER).state("second")).isEqualTo(DatasetState.FAILED);
        assertThat(folder.resolve("rows/second")).doesNotExist();
        assertThat(put(one, "second", 3)).isEqualTo("taken");
        one.register("public", "dora", ",'declaredPublic':true");
        assertThat(put(one, "public", 2, 1)).isEqualTo("taken");
        one.register("third", "dora", "");
        assertThat(put(one, "third", 1, 2)).as("they are still the first one's").isEqualTo("already-exists");
    }

    @Test
    void noRowsAreNobodysRows() throws Exception {
        DatasetInstance one = start(ONE);
        for (String id : List.of("empty", "empty-too")) {
            Dataset dataset = one.register(id, "carla", "");
            DatasetLoading.Loading loading = one.loading().begin(dataset, OptionalInt.empty());
            assertThat(commit(loading, write(dataset, loading.file()), List.of()))
                    .isEqualTo("taken");
        }
    }

    @Test
    void aStartRemovesWhatADeletionLeft() throws Exception {
        DatasetInstance one = start(ONE);
        one.register("gone", "carla", "");
        assertThat(put(one, "gone", 1)).isEqualTo("taken");
        one.deletion().delete("gone");
        Path left = Files.writeString(
                Files.createDirectories(folder.resolve("rows/gone")).resolve("rows.columns"), "rows");
        start(OTHER);
        assertThat(left).doesNotExist();
    }

    @Test
    void aSecondDeletionRemovesWhatTheFirstLeft() throws Exception {
        DatasetInstance one = start(ONE);
        one.register("gone", "carla", "");
        assertThat(put(one, "gone", 1)).isEqualTo("taken");
        one.deletion().delete("gone");
        Path left = Files.writeString(
                Files.createDirectories(folder.resolve("rows/gone")).resolve("rows.columns"), "rows");
        assertThat(refusalOf(() -> one.deletion().delete("gone"))).isEqualTo("not-found");
        assertThat(left).doesNotExist();
        assertThat(refusalOf(() -> one.deletion().delete("never-was"))).isEqualTo("not-found");
    }

    @Test
    void anInstanceWithoutTheRowsSaysSoBeforeAnythingIsCharged() throws Exception {
        DatasetInstance one = start(ONE);
        one.register("away", "carla", "");
        assertThat(put(one, "away", 1)).isEqualTo("taken");
        Files.delete(one.files().data("away"));
        assertThat(refusalOf(() -> one.catalog().requireReady("away"))).isEqualTo("temporarily-unavailable");
    }
}
