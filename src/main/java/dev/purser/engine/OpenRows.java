package dev.purser.engine;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetFiles;
import dev.purser.rows.OtherRowsException;
import dev.purser.rows.RowsFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The row files that stay open between questions. The least recently used file is closed first. A file is never
 * closed while it is read. The limit is exceeded only while more files than that are read at once.
 */
final class OpenRows implements AutoCloseable {
    private final DatasetFiles files;
    private final int maxOpen;
    private final Map<String, Opened> open = new LinkedHashMap<>(16, 0.75f, true);

    /** Ids are never reused, so this grows by one per deletion only. */
    private final Set<String> forgotten = new HashSet<>();

    OpenRows(DatasetFiles files, int maxOpen) {
        this.files = files;
        this.maxOpen = maxOpen;
    }

    /** Returns the dataset's rows, which must be given back by closing the lease. */
    synchronized Lease borrow(Dataset dataset) throws IOException {
        Opened opened = open.get(dataset.id());
        if (opened == null || !opened.rows.isOpen()) {
            opened = open(dataset);
            open.put(dataset.id(), opened);
        }
        opened.readers++;
        closeUnused();
        return new Lease(opened);
    }

    /**
     * Opens the file that the dataset was loaded with. Only a dataset that was loaded before files stated whose they
     * are has no digest to compare.
     */
    private Opened open(Dataset dataset) throws IOException {
        if (forgotten.contains(dataset.id())) {
            throw new NoSuchFileException("rows of " + dataset.id());
        }
        RowsFile rows = new RowsFile(files.data(dataset.id()), dataset.shape());
        if (dataset.rowsDigest() != null && !dataset.rowsDigest().equals(rows.digest())) {
            rows.close();
            throw new OtherRowsException("the file is not the one that the dataset was loaded with");
        }
        return new Opened(rows);
    }

    /**
     * Closes the dataset's file, at once or after its last reader, and never opens it again: a question between this
     * call and the removal of the file must not keep deleted rows.
     */
    synchronized void forget(String datasetId) {
        forgotten.add(datasetId);
        Opened opened = open.get(datasetId);
        if (opened != null) {
            opened.forgotten = true;
            closeUnused();
        }
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

    /** The use of one dataset's rows by one question. */
    final class Lease implements AutoCloseable {
        private final Opened opened;

        private Lease(Opened opened) {
            this.opened = opened;
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
