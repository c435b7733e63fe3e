package dev.purser.upload.parquet;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Unpacked pages, one page and one dictionary of each column. They are in memory while they take at most a quarter of
 * it, and otherwise in a temporary file, which the system caches as far as it has room. So a file may have many
 * columns.
 */
final class SparePages implements AutoCloseable {
    /** The place of a column's page. The column's dictionary has the other place. */
    static final int PAGE = 0;

    static final int DICTIONARY = 1;
    private static final int OF_COLUMN = 2;

    private final long mostInMemory;
    private final long[] inMemory;
    private final long[] places;
    private final int[] sizes;
    private long allInMemory;
    private long used;
    private @Nullable FileChannel file;

    SparePages(int columns, long memory) {
        mostInMemory = memory / 4;
        inMemory = new long[OF_COLUMN * columns];
        places = new long[OF_COLUMN * columns];
        sizes = new int[OF_COLUMN * columns];
    }

    /** Keeps a copy of a page, in the place of the previous page. */
    ByteBuffer keep(ByteBuffer page, int column, int which) throws IOException {
        int slot = OF_COLUMN * column + which;
        int size = page.remaining();
        allInMemory -= inMemory[slot];
        inMemory[slot] = 0;
        if (allInMemory + size <= mostInMemory) {
            inMemory[slot] = size;
            allInMemory += size;
            return ByteBuffer.allocate(size).put(page).flip();
        }
        if (sizes[slot] < size) {
            places[slot] = used;
            sizes[slot] = size;
            used += size;
        }
        return written(page, places[slot]);
    }

    private ByteBuffer written(ByteBuffer page, long place) throws IOException {
        int size = page.remaining();
        for (long to = place; page.hasRemaining(); ) {
            to += file().write(page, to);
        }
        return file().map(FileChannel.MapMode.READ_ONLY, place, size);
    }

    private FileChannel file() throws IOException {
        if (file == null) {
            Path path = Files.createTempFile("pages", "");
            file = FileChannel.open(
                    path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
        }
        return file;
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
        }
    }
}
