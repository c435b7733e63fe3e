package dev.purser.dataset.ingest;

import dev.purser.rows.RowsNotWritten;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A new file for what arrives. That it cannot be written is told apart from all that can go wrong with the sender. */
final class SpooledFile extends OutputStream {
    private final OutputStream file;

    SpooledFile(Path path) throws RowsNotWritten {
        try {
            file = Files.newOutputStream(path, StandardOpenOption.CREATE_NEW);
        } catch (IOException e) {
            throw new RowsNotWritten(e);
        }
    }

    @Override
    public void write(int single) throws RowsNotWritten {
        write(new byte[] {(byte) single}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws RowsNotWritten {
        try {
            file.write(bytes, from, count);
        } catch (IOException e) {
            throw new RowsNotWritten(e);
        }
    }

    @Override
    public void close() throws RowsNotWritten {
        try {
            file.close();
        } catch (IOException e) {
            throw new RowsNotWritten(e);
        }
    }
}
