package dev.purser.dataset;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The uploads of whole datasets. */
class DatasetLoadingTests extends LoadingContract {
    DatasetLoadingTests() {
        super("", OptionalInt.empty());
    }

    @Override
    void assertNotLoaded(DatasetInstance at, String id) {
        assertThat(at.state(id)).isEqualTo(DatasetState.FAILED);
    }

    @Test
    void goesFromRegisteredToReadyWithAllRows() throws Exception {
        DatasetInstance one = start(ONE);
        Dataset dataset = one.register("whole", "carla", "");
        DatasetLoading.Loading loading = begin(one, dataset.id());
        assertThat(one.state("whole")).isEqualTo(DatasetState.LOADING);
        assertThat(one.loading().rowsSoFar("whole")).hasValue(0L);
        loading.rows(7);
        assertThat(one.loading().rowsSoFar("whole")).hasValue(7L);
        byte[] rowsDigest = write(one, dataset.id(), loading.file(), 3, 1);
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
        DatasetLoading.Loading loading = begin(one, dataset.id());
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
        DatasetLoading.Loading first = begin(one, dataset.id());
        assertThat(put(one, "wanted", 1)).isEqualTo("already-exists");
        assertThat(put(other, "wanted", 1)).isEqualTo("already-exists");
        byte[] rowsDigest = write(one, dataset.id(), first.file(), 2);
        assertThat(put(other, "wanted", 1)).isEqualTo("already-exists");
        assertThat(commit(first, rowsDigest, fingerprint(2))).isEqualTo("taken");
        assertThat(rows(other, "wanted")).containsExactly(List.of(2L));
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
            DatasetLoading.Loading loading = begin(one, dataset.id());
            assertThat(commit(loading, write(one, dataset.id(), loading.file()), List.of()))
                    .isEqualTo("taken");
        }
    }

    @Test
    void aStartRemovesWhatADeletionLeft() throws Exception {
        Path left = leftByADeletion(start(ONE));
        start(OTHER);
        assertThat(left).doesNotExist();
    }

    @Test
    void aSecondDeletionRemovesWhatTheFirstLeft() throws Exception {
        DatasetInstance one = start(ONE);
        Path left = leftByADeletion(one);
        assertThat(refusalOf(() -> one.deletion().delete("gone"))).isEqualTo("not-found");
        assertThat(left).doesNotExist();
        assertThat(refusalOf(() -> one.deletion().delete("never-was"))).isEqualTo("not-found");
    }

    private Path leftByADeletion(DatasetInstance one) throws Exception {
        one.register("gone", "carla", "");
        assertThat(put(one, "gone", 1)).isEqualTo("taken");
        one.deletion().delete("gone");
        Path left = Files.createDirectories(folder.resolve("rows/gone")).resolve("rows.columns");
        return Files.writeString(left, "rows");
    }
}
