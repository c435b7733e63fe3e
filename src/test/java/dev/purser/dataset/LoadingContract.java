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
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static dev.purser.problem.Refusals.refusedAs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * An upload is stored as a whole or not at all, whatever stops it, and whatever runs beside it. It is the upload of a
 * whole dataset or of one of its blocks.
 */
abstract class LoadingContract {
    static final InstanceId ONE = InstanceId.draw();
    static final InstanceId OTHER = InstanceId.draw();

    @TempDir
    Path folder;

    @AutoClose
    Database database;

    private final String division;
    private final OptionalInt block;
    private PurserHome home;

    /**
     * @param division the member of the registration that divides the rows, or nothing
     * @param block the block that these tests load, if there are blocks; the rows 2 and 3 are in it
     */
    LoadingContract(String division, OptionalInt block) {
        this.division = division;
        this.block = block;
    }

    /** Requires that the rows that these tests load are not known. */
    abstract void assertNotLoaded(DatasetInstance at, String id);

    @BeforeEach
    void open() {
        home = new PurserHome(folder.resolve("home"));
        database = new Database(home);
    }

    DatasetInstance start(InstanceId id) throws IOException {
        return new DatasetInstance(database, folder.resolve("rows"), id, FingerprintSecrets.of(1));
    }

    Dataset register(DatasetInstance at, String id) throws IOException {
        return at.register(id, "carla", division);
    }

    DatasetLoading.Loading begin(DatasetInstance at, String id) {
        return at.loading().begin(at.catalog().require(id), block);
    }

    static byte[] write(DatasetInstance at, String id, Path file, long... values) throws IOException {
        try (RowsFileWriter writer = new RowsFileWriter(at.catalog().require(id).shape(), file)) {
            for (long value : values) {
                writer.add(new long[] {value});
            }
            return writer.finish();
        }
    }

    /** A fingerprint that is the same for the same values in any order. */
    static List<Fingerprint> fingerprint(long... values) {
        byte[] text = Arrays.toString(Arrays.stream(values).sorted().toArray()).getBytes(StandardCharsets.US_ASCII);
        String digits = HexFormat.of().formatHex(Arrays.copyOf(text, 32));
        return values.length == 0 ? List.of() : List.of(FingerprintSecrets.of(1).fingerprint(digits));
    }

    /** Uploads values as a whole; returns "taken", or the type of the refusal. */
    String put(DatasetInstance at, String id, long... values) throws IOException {
        return put(at, id, block, values);
    }

    static String put(DatasetInstance at, String id, OptionalInt block, long... values) throws IOException {
        try {
            DatasetLoading.Loading loading = at.loading().begin(at.catalog().require(id), block);
            return commit(loading, write(at, id, loading.file(), values), fingerprint(values));
        } catch (ProblemException refusal) {
            return refusal.type().slug();
        }
    }

    static String commit(DatasetLoading.Loading loading, byte[] rowsDigest, List<Fingerprint> fingerprint)
            throws IOException {
        try {
            loading.commit(rowsDigest, fingerprint);
            return "taken";
        } catch (IOException | ProblemException failure) {
            loading.abandon();
            throw failure;
        }
    }

    private RowsPart part(String id) {
        return new RowsPart(id, block);
    }

    private Path data(DatasetInstance at, String id) {
        return block.isPresent()
                ? at.files().data(id, block.getAsInt())
                : at.files().data(id);
    }

    List<List<Long>> rows(DatasetInstance at, String id) throws IOException {
        return StoredRows.in(data(at, id), at.catalog().require(id).shape());
    }

    List<Path> files() throws IOException {
        try (var paths = Files.walk(folder.resolve("rows"))) {
            return paths.sorted().toList();
        }
    }

    /** The steps after which a process can end. */
    enum Step {
        BEGUN,
        FOLDER_MADE,
        FILE_BEGUN,
        FILE_WRITTEN,
        FILE_RENAMED
    }

    private DatasetLoading.Loading go(DatasetInstance at, String id, Step last) throws IOException {
        DatasetLoading.Loading loading = begin(at, id);
        if (last == Step.BEGUN) {
            return loading;
        }
        Path file = loading.file();
        switch (last) {
            case BEGUN, FOLDER_MADE -> {}
            case FILE_BEGUN -> {
                Files.writeString(file, "half the ro");
                Files.writeString(file.resolveSibling("rows.columns.spilled"), "and more");
            }
            case FILE_WRITTEN -> write(at, id, file, 2, 3);
            case FILE_RENAMED -> {
                write(at, id, file, 2, 3);
                at.files().commit(part(id));
            }
        }
        return loading;
    }

    @ParameterizedTest
    @EnumSource
    void theNextStartLeavesNothingOfAnUploadThatWasNotConfirmed(Step last) throws Exception {
        DatasetInstance one = start(ONE);
        register(one, "torn");
        List<Path> before = files();
        go(one, "torn", last);
        start(OTHER);

        DatasetInstance again = start(ONE);
        assertThat(files()).isEqualTo(before);
        assertNotLoaded(again, "torn");
        assertThat(put(again, "torn", 3)).isEqualTo("taken");
        assertThat(start(ONE).catalog().requireReady("torn").state()).isEqualTo(DatasetState.READY);
        assertThat(rows(again, "torn")).containsExactly(List.of(3L));
    }

    @ParameterizedTest
    @EnumSource
    void aStartLeavesTheUploadsOfOtherInstancesAlone(Step last) throws Exception {
        DatasetInstance one = start(ONE);
        register(one, "busy");
        go(one, "busy", last);
        List<Path> before = files();

        DatasetInstance other = start(OTHER);
        assertThat(files()).isEqualTo(before);
        assertThat(put(other, "busy", 3)).isEqualTo("already-exists");
        assertThat(files()).isEqualTo(before);

        start(ONE);
        assertThat(put(other, "busy", 3)).isEqualTo("taken");
    }

    @ParameterizedTest
    @EnumSource
    void aDeletionMeanwhileLeavesNothing(Step last) throws Exception {
        for (InstanceId deleter : List.of(ONE, OTHER)) {
            String id = "deleted-" + (deleter == ONE ? "here" : "elsewhere");
            DatasetInstance one = start(ONE);
            DatasetInstance at = deleter == ONE ? one : start(OTHER);
            register(one, id);
            DatasetLoading.Loading loading = go(one, id, last);
            Path late = Files.createTempDirectory(folder, "late").resolve("rows");
            write(one, id, late, 2, 3);
            at.deletion().delete(id);
            assertThat(refusalOf(loading::requireNotDeleted)).isEqualTo(deleter == ONE ? "not-found" : "");
            if (last == Step.BEGUN) {
                Files.move(late, loading.file());
            }
            assertThat(refusalOf(() -> commit(loading, new byte[32], fingerprint(2, 3))))
                    .isEqualTo("not-found");
            assertThat(folder.resolve("rows")).isEmptyDirectory();
            assertThat(one.state(id)).isEqualTo(DatasetState.DELETED);
        }
        // The rows of the deleted datasets never belonged to an account.
        DatasetInstance one = start(ONE);
        one.register("later", "dora", division);
        assertThat(put(one, "later", 3, 2)).isEqualTo("taken");
    }

    interface Attempt {
        void run() throws IOException;
    }

    /** The type of the refusal, or an empty text. */
    static String refusalOf(Attempt attempt) {
        Throwable thrown = catchThrowable(attempt::run);
        return thrown == null
                ? ""
                : thrown instanceof ProblemException refusal ? refusal.type().slug() : thrown.toString();
    }

    /** Nobody knows whether such a transaction was committed. If it was, its rows must be there. */
    @Test
    void rowsStayWhereTheOutcomeIsUnknown() throws Exception {
        DatasetInstance one = start(ONE);
        register(one, "unknown");
        List<Path> before = files();
        DatasetLoading.Loading loading = begin(one, "unknown");
        write(one, "unknown", loading.file(), 2);
        database.close();
        refusedAs(ProblemType.TEMPORARILY_UNAVAILABLE, () -> commit(loading, new byte[32], fingerprint(2)));
        assertThat(one.files().isPresent(part("unknown"))).isTrue();

        database = new Database(home);
        assertNotLoaded(start(ONE), "unknown");
        assertThat(files()).as("it did not stand").isEqualTo(before);
    }

    @Test
    void anInstanceWithoutTheRowsSaysSoBeforeAnythingIsCharged() throws Exception {
        DatasetInstance one = start(ONE);
        register(one, "away");
        assertThat(put(one, "away", 2)).isEqualTo("taken");
        Files.delete(data(one, "away"));
        assertThat(refusalOf(() -> one.catalog().requireReady("away"))).isEqualTo("temporarily-unavailable");
    }
}
