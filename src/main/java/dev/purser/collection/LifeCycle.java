package dev.purser.collection;

import dev.purser.collection.StoredCollection.Kind;
import dev.purser.json.JsonDocument;
import dev.purser.json.ObjectReader;
import dev.purser.json.ParsedDocuments;
import dev.purser.json.RequestLimits;
import dev.purser.noise.SecureBits;
import dev.purser.store.Database;
import dev.purser.store.StoreConnection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * What collections and trainings have in common: each is opened by a declaration and kept with it, takes reports until
 * it is closed, and can be deleted. No public method is final, because other packages call it through public
 * subclasses, and the compiler adds methods to them that call it.
 *
 * @param <D> the type of the declaration
 */
abstract class LifeCycle<D extends LifeCycle.Opening> {
    final Database database;
    final RequestLimits limits;
    final Pieces pieces;
    private final Kind kind;
    private final JsonMapper json;
    private final Clock clock;
    private final ParsedDocuments<D> declarations = new ParsedDocuments<>();
    private final Function<ObjectReader, Optional<D>> stored;

    LifeCycle(
            Kind kind,
            Database database,
            RequestLimits limits,
            JsonMapper json,
            Clock clock,
            Pieces pieces,
            Function<ObjectReader, Optional<D>> stored) {
        this.kind = kind;
        this.database = database;
        this.limits = limits;
        this.json = json;
        this.clock = clock;
        this.pieces = pieces;
        this.stored = stored;
    }

    /** The common part of all declarations. */
    interface Opening {
        String id();

        /** The declared name of the protocol. */
        String protocolName();

        Protocol<?> protocol();

        /** The end of reports; null if there is none. */
        @Nullable
        Instant closesAt();
    }

    /** Writes the further rows of a collection or training that is opened, in the same transaction. */
    void opening(StoreConnection transaction, StoredCollection opened, D declaration) throws SQLException {}

    /**
     * Opens a collection or a training.
     *
     * @param body the declaration as it was sent
     * @throws dev.purser.problem.ProblemException {@code already-exists} if the id was ever taken
     */
    public StoredCollection open(D declaration, byte[] body, String custodian) {
        Instant now = now();
        Protocol<?> protocol = declaration.protocol();
        byte[] document = json.writeValueAsBytes(protocol.document(new SecureBits()));
        StoredCollection opened =
                StoredCollection.opened(declaration.id(), kind, custodian, now, declaration.closesAt());
        database.write(opened.id(), transaction -> {
            CollectionTable.insert(
                    transaction, opened, body, document, protocol.sums().tallies());
            opening(transaction, opened, declaration);
            return null;
        });
        return opened;
    }

    final D declaration(StoredCollection collection) {
        D known = declarations.find(collection.id());
        return known != null
                ? known
                : declarations.parseAndRemember(
                        collection.id(),
                        database.read(connection -> CollectionTable.stored(connection, collection.id()))
                                .declaration(),
                        declaration -> JsonDocument.parse(declaration).read(stored));
    }

    /** The parts of a collection that lists show. */
    public CollectionSummary summary(StoredCollection collection) {
        D declaration = declaration(collection);
        return new CollectionSummary(
                collection.id(),
                declaration.protocolName(),
                collection.isOpenAt(now()) ? "open" : "closed",
                collection.openedAt(),
                collection.closesAt(),
                declaration.protocol().epsilon());
    }

    /** Ends the reports now. If they have ended before, nothing changes. */
    public StoredCollection close(StoredCollection collection) {
        Instant now = now();
        if (!collection.isOpenAt(now)) {
            return collection;
        }
        database.write(collection.id(), transaction -> {
            CollectionTable.close(transaction, collection, now);
            return null;
        });
        return collection.closedAt(now);
    }

    /** Deletes the sums and the digests of report ids. The id stays taken. */
    public void delete(StoredCollection collection) {
        database.write(collection.id(), transaction -> {
            CollectionTable.delete(transaction, collection);
            return null;
        });
        while (database.write(collection.id(), transaction -> CollectionTable.removeReports(transaction, collection))) {
            // Other transactions can write between two parts.
        }
    }

    final Instant now() {
        return Instant.ofEpochMilli(clock.millis());
    }
}
