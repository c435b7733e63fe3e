package dev.purser.dataset;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class DatasetFilesTests {
    private static final InstanceId INSTANCE = InstanceId.draw();

    @TempDir
    private Path root;

    private static void finish(DatasetFiles files, String id, String rows) throws IOException {
        Files.writeString(files.upload(RowsPart.all(id)), rows);
    }

    @Test
    void neverReplacesRows() throws Exception {
        DatasetFiles files = new DatasetFiles(root, INSTANCE);
        finish(files, "adult", "rows");
        files.commit(RowsPart.all("adult"));
        finish(files, "adult", "others");
        assertThatIllegalStateException().isThrownBy(() -> files.commit(RowsPart.all("adult")));
        assertThat(files.data("adult")).hasContent("rows");
    }

    @Test
    void theNextStartSweepsWhatACrashLeft() throws Exception {
        DatasetFiles before = new DatasetFiles(root, INSTANCE);
        finish(before, "done", "rows");
        before.commit(RowsPart.all("done"));
        Files.writeString(before.upload(RowsPart.all("torn")), "half the ro");
        Files.writeString(before.upload(RowsPart.of("torn", 3)), "half a block");
        Files.createDirectories(root.resolve("torn/upload-" + INSTANCE.value() + "/rows.columns.units/deeper"));
        Files.writeString(before.check().resolve("file.parquet"), "half a fi");

        DatasetFiles after = new DatasetFiles(root, INSTANCE);
        after.sweepTornUploads();
        try (Stream<Path> tree = Files.walk(root)) {
            assertThat(tree.filter(Files::isRegularFile)).containsExactly(after.data("done"));
        }
    }

    @Test
    void aStartLeavesWhatOtherInstancesAreAt() throws Exception {
        DatasetFiles other = new DatasetFiles(root, InstanceId.draw());
        Path upload = other.upload(RowsPart.all("loading"));
        Files.writeString(upload, "half the ro");
        Path check = other.check();

        new DatasetFiles(root, INSTANCE).sweepTornUploads();
        assertThat(upload).exists();
        assertThat(check).exists();
    }

    @Test
    void deletesEverythingOfOneDatasetOnly() throws Exception {
        DatasetFiles files = new DatasetFiles(root, INSTANCE);
        for (String id : new String[] {"gone", "stays"}) {
            finish(files, id, "rows");
            files.commit(RowsPart.all(id));
        }
        finish(files, "gone", "others");
        files.delete("gone");
        files.delete("never-was");
        assertThat(root.resolve("gone")).doesNotExist();
        assertThat(files.data("stays")).exists();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "..", ".", "a/b", "A", "1a", "a\n", "../x", "a\u0000"})
    void takesNoPathForAnId(String id) throws Exception {
        DatasetFiles files = new DatasetFiles(root, INSTANCE);
        assertThatIllegalArgumentException().isThrownBy(() -> files.data(id));
    }
}
