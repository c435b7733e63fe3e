package dev.purser.dataset;

import dev.purser.privacy.BlockWindow;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.rows.RowsFileWriter;
import dev.purser.rows.StoredRows;
import dev.purser.store.Database;
import dev.purser.store.PurserHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Each block once, all of it or nothing, whatever stops it, and beside others. */
class BlockLoadingTests {
    private static final InstanceId ONE = InstanceId.draw();
    private static final InstanceId OTHER = InstanceId.draw();
    /** Five blocks: 0 and 1, 2 and 3, and so on. */
    private static final String IN_PAIRS = ",'blocks':{'column':'n','width':2}";

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

    private static DatasetLoading.Loading begin(DatasetInstance at, String id, int block) {
        return at.loading().begin(at.catalog().require(id), OptionalInt.of(block));
    }

    private static byte[] write(DatasetInstance at, String id, Path file, long... values) throws IOException {
        try (RowsFileWriter writer = new RowsFileWriter(at.catalog().require(id).shape(), file)) {
            for (long value : values) {
                writer.add(new long[] {value});
            }
            return writer.finish();
        }
    }

    private static List<Fingerprint> fingerprint(long... values) {
        return values.length == 0
                ? List.of()
                : List.of(FingerprintSecrets.of(1)
                        .fingerprint(String.valueOf(values[0]).repeat(64).substring(0, 64)));
    }

    /** A whole upload; "taken", or the type of the refusal. */
    private static String put(DatasetInstance at, String id, int block, long... values) throws IOException {
        try {
            DatasetLoading.Loading loading = begin(at, id, block);
            try {
                loading.commit(write(at, id, loading.file(), values), fingerprint(values));
                return "taken";
            } catch (IOException | ProblemException failure) {
                loading.abandon();
                throw failure;
            }
        } catch (ProblemException refusal) {
            return refusal.type().slug();
        }
    }

    private static List<BlockWindow> ready(DatasetInstance at, String id) {
        return at.catalog().require(id).ready().runs();
    }

    private static List<List<Long>> rows(DatasetInstance at, String id, int block) throws IOException {
        return StoredRows.in(
                at.files().data(id, block), at.catalog().require(id).shape());
    }

    @Test
    void eachBlockIsLoadedOnceInAnyOrderAndTheDatasetIsReadyAllTheTime() throws Exception {
        DatasetInstance one = start(ONE);
        one.register("meters", "carla", IN_PAIRS);
        assertThat(one.catalog().requireReady("meters").ready()).isEqualTo(ReadyBlocks.NONE);
        assertThat(put(one, "meters", 3, 6, 7, 6)).isEqualTo("taken");
        assertThat(put(one, "meters", 0, 1)).isEqualTo("taken");
        assertThat(put(one, "meters", 4)).as("a block without rows").isEqualTo("taken");
        assertThat(put(one, "meters", 3, 7)).isEqualTo("already-exists");
        assertThat(put(one, "meters", 4, 8)).isEqualTo("already-exists");
        assertThat(rows(one, "meters", 3)).containsExactly(List.of(6L), List.of(7L), List.of(6L));
        assertThat(rows(one, "meters", 0)).containsExactly(List.of(1L));
        assertThat(rows(one, "meters", 4)).isEmpty();
        DatasetInstance other = start(OTHER);
        assertThat(ready(other, "meters")).containsExactly(new BlockWindow(0, 0), new BlockWindow(3, 4));
        assertThat(other.catalog().requireReady("meters").state()).isEqualTo(DatasetState.READY);
    }

    @Test
    void theFileOfABlockIsKnownByItsDigest() throws Exception {
        DatasetInstance one = start(ONE);
        Dataset meters = one.register("meters", "carla", IN_PAIRS);
        put(one, "meters", 1, 2);
        put(one, "meters", 2, 4);
        assertThat(one.catalog().rowsDigest(meters, 0)).isEmpty();
        String digest = one.catalog().rowsDigest(meters, 1).orElseThrow();
        assertThat(digest)
                .hasSize(64)
                .isNotEqualTo(one.catalog().rowsDigest(meters, 2).orElseThrow());
        assertThat(one.catalog().faultOfRows(meters)).isEmpty();
        Files.copy(one.files().data("meters", 1), folder.resolve("aside"));
        Files.delete(one.files().data("meters", 1));
        Files.move(one.files().data("meters", 2), one.files().data("meters", 1));
        assertThat(one.catalog().faultOfRows(meters))
                .hasValue("the rows of block 1 of dataset meters are not those that it was loaded with");
        Files.delete(one.files().data("meters", 1));
        assertThat(one.catalog().faultOfRows(meters))
                .hasValue("the rows of block 1 of dataset meters are missing: there is no file"
                        + " meters/block-1.columns");
    }

    @Test
    void blocksAreLoadedAtTheSameTimeAndDoNotWaitForEachOther() throws Exception {
        DatasetInstance one = start(ONE);
        one.register("meters", "carla", IN_PAIRS);
        DatasetLoading.Loading first = begin(one, "meters", 0);
        Path file = first.file();
        assertThat(put(start(OTHER), "meters", 0, 1)).isEqualTo("already-exists");
        assertThat(put(one, "meters", 1, 2)).isEqualTo("taken");
        assertThat(put(start(OTHER), "meters", 2, 4)).isEqualTo("taken");
        assertThat(one.catalog().requireReady("meters").ready().runs()).containsExactly(new BlockWindow(1, 2));
        DatasetLoading.Loading last = begin(one, "meters", 4);
        first.rows(3);
        last.rows(4);
        assertThat(one.loading().rowsSoFar("meters")).hasValue(7L);
        last.file();
        last.abandon();
        first.commit(write(one, "meters", file, 0, 1), fingerprint(5));
        assertThat(ready(one, "meters")).containsExactly(new BlockWindow(0, 2));
        assertThat(one.loading().rowsSoFar("meters")).isEmpty();
    }

    /** Where a process can end. */
    enum Step {
        BEGUN,
        FOLDER_MADE,
        FILE_BEGUN,
        FILE_WRITTEN,
        FILE_RENAMED
    }

    private static void go(DatasetInstance at, String id, int block, Step last) throws IOException {
        DatasetLoading.Loading loading = begin(at, id, block);
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
            case FILE_WRITTEN -> write(at, id, file, 2);
            case FILE_RENAMED -> {
                write(at, id, file, 2);
                at.files().commit(RowsPart.of(id, block));
            }
        }
    }

    private List<Path> files() throws IOException {
        try (var paths = Files.walk(folder.resolve("rows"))) {
            return paths.filter(Files::isRegularFile).sorted().toList();
        }
    }

    @ParameterizedTest
    @EnumSource
    void theNextStartLeavesNothingOfABlockThatWasNotConfirmedAndAllOfOthers(Step last) throws Exception {
        DatasetInstance one = start(ONE);
        one.register("torn", "carla", IN_PAIRS);
        assertThat(put(one, "torn", 0, 1)).isEqualTo("taken");
        go(one, "torn", 1, last);
        assertThat(ready(one, "torn")).containsExactly(new BlockWindow(0, 0));
        start(OTHER);

        DatasetInstance again = start(ONE);
        assertThat(files()).containsExactly(again.files().data("torn", 0));
        assertThat(ready(again, "torn")).containsExactly(new BlockWindow(0, 0));
        assertThat(again.catalog().rowsDigest(again.catalog().require("torn"), 1))
                .isEmpty();
        assertThat(put(again, "torn", 1, 3)).isEqualTo("taken");
        assertThat(rows(start(ONE), "torn", 1)).containsExactly(List.of(3L));
    }

    @ParameterizedTest
    @EnumSource
    void aStartLeavesTheBlocksOfOtherInstancesAlone(Step last) throws Exception {
        DatasetInstance one = start(ONE);
        one.register("busy", "carla", IN_PAIRS);
        go(one, "busy", 1, last);
        List<Path> before = files();
        DatasetInstance other = start(OTHER);
        assertThat(files()).isEqualTo(before);
        assertThat(put(other, "busy", 1, 3)).isEqualTo("already-exists");
        assertThat(files()).isEqualTo(before);
        start(ONE);
        assertThat(put(other, "busy", 1, 3)).isEqualTo("taken");
    }

    @ParameterizedTest
    @EnumSource
    void aDeletionMeanwhileLeavesNothing(Step last) throws Exception {
        for (InstanceId deleter : List.of(ONE, OTHER)) {
            String id = "deleted-" + (deleter == ONE ? "here" : "elsewhere");
            DatasetInstance one = start(ONE);
            one.register(id, "carla", IN_PAIRS);
            assertThat(put(one, id, 0)).isEqualTo("taken");
            DatasetInstance at = deleter == ONE ? one : start(OTHER);
            DatasetLoading.Loading loading = begin(one, id, 1);
            if (last != Step.BEGUN) {
                Path file = loading.file();
                if (last.compareTo(Step.FILE_WRITTEN) >= 0) {
                    write(one, id, file, 2);
                }
            }
            if (last == Step.FILE_RENAMED) {
                one.files().commit(RowsPart.of(id, 1));
            }
            Path late = folder.resolve("late");
            Files.deleteIfExists(late);
            write(one, id, late, 2);
            at.deletion().delete(id);
            assertThat(refusalOf(loading::requireNotDeleted)).isEqualTo(deleter == ONE ? "not-found" : "");
            if (last == Step.BEGUN) {
                Files.move(late, loading.file());
            }
            assertThat(refusalOf(() -> {
                        try {
                            loading.commit(new byte[32], fingerprint(2));
                        } catch (IOException | ProblemException failure) {
                            loading.abandon();
                            throw failure;
                        }
                    }))
                    .isEqualTo("not-found");
            assertThat(folder.resolve("rows")).isEmptyDirectory();
            assertThat(one.state(id)).isEqualTo(DatasetState.DELETED);
        }
        start(ONE);
        start(OTHER);
    }

    private interface Attempt {
        void run() throws IOException;
    }

    private static String refusalOf(Attempt attempt) {
        Throwable thrown = catchThrowable(attempt::run);
        return thrown == null
                ? ""
                : thrown instanceof ProblemException refusal ? refusal.type().slug() : thrown.toString();
    }

    @Test
    void aDeletionRemovesAllBlocksAndTheyAreNeverLoadedAgain() throws Exception {
        DatasetInstance one = start(ONE);
        Dataset gone = one.register("gone", "carla", IN_PAIRS);
        one.register("stays", "carla", IN_PAIRS);
        for (int block = 0; block < 3; block++) {
            assertThat(put(one, "gone", block)).isEqualTo("taken");
            assertThat(put(one, "stays", block)).isEqualTo("taken");
        }
        one.deletion().delete("gone");
        assertThat(folder.resolve("rows/gone")).doesNotExist();
        assertThat(ready(one, "stays")).containsExactly(new BlockWindow(0, 2));
        assertThat(refusalOf(() -> one.loading().begin(gone, OptionalInt.of(4))))
                .isEqualTo("already-exists");
    }

    /** Nobody knows whether such a transaction stands: should it be found done, its rows must be there. */
    @Test
    void rowsStayWhereTheOutcomeIsUnknown() throws Exception {
        DatasetInstance one = start(ONE);
        one.register("unknown", "carla", IN_PAIRS);
        DatasetLoading.Loading loading = begin(one, "unknown", 1);
        write(one, "unknown", loading.file(), 2);
        database.close();
        ProblemException refusal =
                catchThrowableOfType(ProblemException.class, () -> loading.commit(new byte[32], fingerprint(2)));
        assertThat(refusal.type()).isEqualTo(ProblemType.TEMPORARILY_UNAVAILABLE);
        loading.abandon();
        assertThat(one.files().data("unknown", 1)).exists();
        database = new Database(home);
        start(ONE);
        assertThat(folder.resolve("rows")).isEmptyDirectory();
    }

    /** The rows of each block have one account for ever, and no rows are nobody's. */
    @Test
    void rowsOfABlockOfAnotherAccountAreRefused() throws Exception {
        DatasetInstance one = start(ONE);
        one.register("first", "carla", IN_PAIRS);
        one.register("second", "dora", IN_PAIRS);
        assertThat(put(one, "first", 1, 2)).isEqualTo("taken");
        assertThat(put(one, "first", 3)).isEqualTo("taken");
        assertThat(put(one, "first", 4)).as("another empty block").isEqualTo("taken");
        assertThat(put(one, "second", 1, 2)).isEqualTo("already-exists");
        assertThat(put(one, "second", 3)).isEqualTo("taken");
        assertThat(files()).hasSize(4);
        assertThat(put(one, "second", 1, 3)).as("after a refusal").isEqualTo("taken");
    }

    @Test
    void anInstanceWithoutTheRowsSaysSoBeforeAnythingIsCharged() throws Exception {
        DatasetInstance one = start(ONE);
        one.register("away", "carla", IN_PAIRS);
        put(one, "away", 1, 2);
        Files.delete(one.files().data("away", 1));
        assertThat(refusalOf(() -> one.catalog().requireReady("away"))).isEqualTo("temporarily-unavailable");
    }

    @Test
    void aDatasetIsLoadedByBlockOrAtOnce() throws Exception {
        DatasetInstance one = start(ONE);
        Dataset divided = one.register("divided", "carla", IN_PAIRS);
        Dataset whole = one.register("whole", "carla", "");
        assertThatIllegalArgumentException().isThrownBy(() -> one.loading().begin(divided, OptionalInt.empty()));
        assertThatIllegalArgumentException().isThrownBy(() -> one.loading().begin(whole, OptionalInt.of(0)));
    }

    @Test
    void anAccountOfBlocksIsNotShared() throws Exception {
        DatasetInstance one = start(ONE);
        one.register("divided", "carla", IN_PAIRS);
        ProblemException refusal = catchThrowableOfType(
                ProblemException.class, () -> one.register("another", "carla", ",'sharesAccountWith':'divided'"));
        assertThat(refusal.violations().getFirst().location()).isEqualTo("/sharesAccountWith");
        assertThat(refusal.detail()).contains("has blocks");
    }

    @Test
    void backupsKnowTheFilesOfBlocks() throws Exception {
        DatasetInstance one = start(ONE);
        one.register("meters", "carla", IN_PAIRS);
        put(one, "meters", 1, 2);
        put(one, "meters", 4);
        begin(one, "meters", 0).file();
        Path root = folder.resolve("rows");
        Files.writeString(root.resolve("meters/other"), "");
        assertThat(DatasetFiles.finished(root))
                .containsExactly(Path.of("meters/block-1.columns"), Path.of("meters/block-4.columns"));
        assertThat(DatasetFiles.ready(database)).containsAll(DatasetFiles.finished(root));
        assertThat(DatasetFiles.ready(database)).doesNotContain(Path.of("meters/block-0.columns"));
    }
}
