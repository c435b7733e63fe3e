package dev.purser.dataset;

import dev.purser.problem.ProblemException;
import dev.purser.store.Database;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;

/** Deletes the data of datasets permanently. Their ledger and answers stay. */
@Service
public class DatasetDeletion {
    private final Database database;
    private final DatasetCatalog catalog;
    private final DatasetFiles files;
    private final ApplicationEventPublisher events;

    /** Completes interrupted deletions. */
    DatasetDeletion(Database database, DatasetCatalog catalog, DatasetFiles files, ApplicationEventPublisher events) {
        this.database = database;
        this.catalog = catalog;
        this.files = files;
        this.events = events;
        database.read(connection -> DatasetTable.idsIn(connection, DatasetState.DELETED))
                .forEach(this::removeFiles);
    }

    /**
     * Deletes the data of a dataset. If a deletion cannot remove everything, the next deletion or the next start
     * removes the rest.
     *
     * @throws ProblemException {@code not-found} if there is no such dataset, or it was deleted before
     */
    public void delete(String id) {
        Dataset dataset = catalog.requireEvenDeleted(id);
        boolean deleted = database.write(
                dataset.account(),
                transaction -> DatasetTable.change(
                        transaction, id, now -> now.is(DatasetState.DELETED) ? null : now.in(DatasetState.DELETED)));
        events.publishEvent(new DatasetDeleted(id));
        removeFiles(id);
        if (!deleted) {
            throw DatasetCatalog.notFound();
        }
    }

    private void removeFiles(String id) {
        try {
            files.delete(id);
        } catch (IOException failure) {
            throw new UncheckedIOException("the data of a deleted dataset cannot be removed", failure);
        }
    }
}
