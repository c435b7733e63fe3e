package dev.purser.engine;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetFiles;
import dev.purser.rows.OtherRowsException;
import dev.purser.rows.RowsFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The row files that stay open between questions. The least recently used file is closed first. A file is never closed
 * while it is read. The limit is exceeded only while more files than the limit are read at once.
 */
final class OpenRows implements AutoCloseable {
    private final DatasetFiles files;
    private final BlockDigests digests;
    private final int maxOpen;
    private final Map<Part, Opened> open = new LinkedHashMap<>(16, 0.75f, true);

    /** Ids are never reused, so this set grows by one for each deletion only. */
    private final Set<String> forgotten = new HashSet<>();

    private record Part(String datasetId, OptionalInt block) {}

    OpenRows(DatasetFiles files, BlockDigests digests, int maxOpen) {
        this.files = files;
        this.digests = digests;
        this.maxOpen = maxOpen;
    }

    /**
     * Returns the dataset's rows, which must be given back by closing the lease.
     *
     * @param block the block whose rows are read; empty if the dataset has no blocks
     */
    Lease borrow(Dataset dataset, OptionalInt block) throws IOException {
        Part part = new Part(dataset.id(), block);
        Lease lease = lend(part);
        // It is opened outside of the lock, so no question waits while another file is opened. If two questions open
        // one file at the same time, one copy is closed.
        return lease != null ? lease : keep(part, open(dataset, block));
    }

    /** Opens the file that the dataset, or the block, was loaded with. */
    private RowsFile open(Dataset dataset, OptionalInt block) throws IOException {
        String digest = digest(dataset, block);
        Path file = block.isPresent() ? files.data(dataset.id(), block.getAsInt()) : files.data(dataset.id());
        RowsFile rows = new RowsFile(file, dataset.shape());
        if (digest != null && !digest.equals(rows.digest())) {
            rows.close();
            throw new OtherRowsException("the dataset was loaded with another file");
        }
        return rows;
    }

    /** The digest of the file; null only for a dataset that was loaded before files stated whose rows they have. */
    private @Nullable String digest(Dataset dataset, OptionalInt block) throws IOException {
        return block.isEmpty()
                ? dataset.rowsDigest()
                : digests.of(dataset, block.getAsInt()).orElseThrow(() -> noRows(dataset.id()));
    }

    private static IOException noRows(String datasetId) {
        return new NoSuchFileException("rows of " + datasetId);
    }

    /** A lease of the file; null if the file is not open. */
    private synchronized @Nullable Lease lend(Part part) {
        Opened opened = open.get(part);
        return opened == null || !opened.rows.isOpen() ? null : new Lease(opened);
    }

    private synchronized Lease keep(Part part, RowsFile fresh) throws IOException {
        if (forgotten.contains(part.datasetId())) {
            fresh.close();
            throw noRows(part.datasetId());
        }
        Lease lease = lend(part);
        if (lease != null) {
            fresh.close();
            return lease;
        }
        Opened opened = new Opened(fresh);
        open.put(part, opened);
        lease = new Lease(opened);
        closeUnused();
        return lease;
    }

    /**
     * Closes the dataset's files, at once or after their last reader, and never opens them again: a question between
     * this call and the removal of the files must not keep deleted rows.
     */
    synchronized void forget(String datasetId) {
        forgotten.add(datasetId);
        open.forEach((part, opened) -> opened.forgotten |= part.datasetId().equals(datasetId));
        closeUnused();
    }

    @Override
    public synchronized void close() {
        open.values().forEach(opened -> opened.forgotten = true);
        closeUnused();
    }

    private synchronized void giveBack(Opened opened) {
        opened.readers--;
        closeUnused();
    }

    /** Closes unread files that are forgotten or, least recently used first, exceed the limit. */
    private void closeUnused() {
        Iterator<Opened> oldestFirst = open.values().iterator();
        while (oldestFirst.hasNext()) {
            Opened opened = oldestFirst.next();
            if (opened.readers == 0 && (opened.forgotten || open.size() > maxOpen)) {
                oldestFirst.remove();
                opened.rows.close();
            }
        }
    }

    /** Guarded by the lock of the enclosing object. */
    private static final class Opened {
        private final RowsFile rows;
        private int readers;
        private boolean forgotten;

        private Opened(RowsFile rows) {
            this.rows = rows;
        }
    }

    /** The use of one file of rows by one question. It is made under the lock. */
    final class Lease implements AutoCloseable {
        private final Opened opened;

        private Lease(Opened opened) {
            this.opened = opened;
            opened.readers++;
        }

        RowsFile rows() {
            return opened.rows;
        }

        @Override
        public void close() {
            giveBack(opened);
        }
    }
}
