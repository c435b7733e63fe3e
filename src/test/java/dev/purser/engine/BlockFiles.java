package dev.purser.engine;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetFiles;
import dev.purser.rows.RowsFile;
import dev.purser.rows.RowsFileWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/** The files of blocks, as loads leave them. */
public final class BlockFiles {
    private BlockFiles() {}

    /** Writes the rows of one block. */
    public static void write(DatasetFiles files, Dataset dataset, int block, Iterable<long[]> rows) throws IOException {
        Path file = files.data(dataset.id(), block);
        DatasetFiles.createFolder(Objects.requireNonNull(file.getParent()));
        try (RowsFileWriter writer = new RowsFileWriter(dataset.shape(), file)) {
            for (long[] row : rows) {
                writer.add(row);
            }
            writer.finish();
        }
    }

    /** The digests of the present files, which are taken for the files that were loaded. */
    public static BlockDigests digests(DatasetFiles files) {
        return (dataset, block) -> {
            try {
                Path file = files.data(dataset.id(), block);
                return Files.exists(file) ? Optional.ofNullable(RowsFile.digestOf(file)) : Optional.empty();
            } catch (IOException unreadable) {
                return Optional.empty();
            }
        };
    }
}
