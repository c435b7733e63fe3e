package dev.purser.dataset;

import dev.purser.privacy.BlockWindow;
import dev.purser.problem.ProblemException;
import dev.purser.rows.StoredRows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Each block is loaded once, and as a whole or not at all, whatever stops the upload, and beside other blocks. */
class BlockLoadingTests extends LoadingContract {
    /** There are five blocks: 0 and 1, 2 and 3, and so on. */
    private static final String IN_PAIRS = ",'blocks':{'column':'n','width':2}";

    BlockLoadingTests() {
        super(IN_PAIRS, OptionalInt.of(1));
    }

    /** The dataset has another block, without rows, that is loaded and stays. */
    @Override
    Dataset register(DatasetInstance at, String id) throws IOException {
        Dataset dataset = super.register(at, id);
        assertThat(put(at, id, 0)).isEqualTo("taken");
        return dataset;
    }

    @Override
    void assertNotLoaded(DatasetInstance at, String id) {
        assertThat(ready(at, id)).containsExactly(new BlockWindow(0, 0));
        assertThat(at.catalog().rowsDigest(at.catalog().require(id), 1)).isEmpty();
    }

    private static DatasetLoading.Loading begin(DatasetInstance at, String id, int block) {
        return at.loading().begin(at.catalog().require(id), OptionalInt.of(block));
    }

    private static String put(DatasetInstance at, String id, int block, long... values) throws IOException {
        return put(at, id, OptionalInt.of(block), values);
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

    /** The rows of each block have one account for ever. An empty block belongs to nobody. */
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
        assertThat(files().stream().filter(Files::isRegularFile)).hasSize(4);
        assertThat(put(one, "second", 1, 3)).as("after a refusal").isEqualTo("taken");
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
