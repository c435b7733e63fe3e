package dev.purser.collection;

import dev.purser.collection.CollectionTable.Tally;
import dev.purser.collection.StoredCollection.Kind;
import dev.purser.collection.TrainingTable.State;
import dev.purser.digest.Sha256;
import dev.purser.journal.CanonicalBytes;
import dev.purser.journal.Chain;
import dev.purser.journal.DecidingRows;
import dev.purser.journal.JournaledRow;
import dev.purser.journal.JournaledRows;
import dev.purser.store.StoreConnection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static dev.purser.journal.DecidingRows.Column.changing;
import static dev.purser.journal.DecidingRows.Column.fixed;
import static dev.purser.journal.DecidingRows.Column.key;
import static dev.purser.journal.DecidingRows.Form.FLAG;
import static dev.purser.journal.DecidingRows.Form.TEXT;

/**
 * What the journal records of collections and trainings: the row and the protocol of each, and every version of its
 * sums and of the state of a training. Ids, tickets and rounds are not recorded one by one. Their digests are part of
 * the sums and of the training, and the start compares the digests with the stored ids, tickets and rounds. A deleted
 * collection has no sums, and this is recorded too.
 */
@Configuration(proxyBeanMethods = false)
class JournaledCollections {
    static final DecidingRows<StoredCollection> COLLECTIONS = new DecidingRows<>(
            "collection",
            "collection %s",
            JournaledCollections::collection,
            List.of("declaration", "document"),
            List.of(
                    key("id", StoredCollection::id),
                    fixed(TEXT, "kind", each -> each.kind().label()),
                    fixed(TEXT, "number", StoredCollection::number),
                    fixed(TEXT, "custodian", StoredCollection::custodian),
                    fixed(TEXT, "opened_millis", StoredCollection::openedAt),
                    changing(TEXT, "closes_millis", StoredCollection::closesAt),
                    changing(FLAG, "is_closed", StoredCollection::isClosed),
                    changing(FLAG, "is_deleted", StoredCollection::isDeleted)));

    private static final String PROTOCOLS = "SELECT id, declaration, document FROM collection WHERE id = ?";

    private static final String TALLIES = """
            SELECT c.id, c.kind, c.number, t.reports, t.sums, t.ids
            FROM collection c LEFT JOIN collection_tally t ON t.collection = c.number WHERE c.id = ?
            """;

    private static final String TRAININGS = """
            SELECT c.id, c.number, t.round, t.round_reports, t.unused, t.parameters, t.tickets, t.rounds, s.reports
            FROM collection c LEFT JOIN training t ON t.collection = c.number
                LEFT JOIN collection_tally s ON s.collection = c.number
            WHERE c.kind = 'training' AND c.id = ?
            """;

    private static final String IDS = "SELECT report, " + CollectionTable.COUNTED
            + " FROM collection_report WHERE collection = ? ORDER BY report";

    private static final String TICKETS = "SELECT ticket, coalesce(round, " + TrainingTable.UNUSED
            + ") FROM training_ticket WHERE collection = ? ORDER BY ticket";

    private static StoredCollection collection(ResultSet row) throws SQLException {
        long closes = row.getLong(6);
        Instant closesAt = row.wasNull() ? null : Instant.ofEpochMilli(closes);
        return new StoredCollection(
                row.getString(1),
                row.getString(2).equals(Kind.TRAINING.label()) ? Kind.TRAINING : Kind.COLLECTION,
                row.getLong(3),
                row.getString(4),
                Instant.ofEpochMilli(row.getLong(5)),
                closesAt,
                row.getInt(7) == 1,
                row.getInt(8) == 1);
    }

    /** The parts of a collection that never change. */
    static JournaledRow protocol(String id, byte[] declaration, byte[] document) {
        return new JournaledRow(
                "protocol of collection " + id,
                new CanonicalBytes().bytes(Sha256.of(declaration)).bytes(Sha256.of(document)));
    }

    /** The sums of all reports; null after the deletion. */
    static JournaledRow reports(String id, @Nullable Tally tally) {
        return reports(id, tally, tally == null ? null : tally.ids().value());
    }

    private static JournaledRow reports(String id, @Nullable Tally tally, byte @Nullable [] ids) {
        CanonicalBytes content = new CanonicalBytes();
        return new JournaledRow(
                "tally of collection " + id,
                tally == null
                        ? content
                        : content.number(tally.reports())
                                .bytes(Sha256.of(tally.sumsAsBytes()))
                                .bytes(ids));
    }

    /** The stored row. Its digest of ids is null unless the stored ids have the digest that the tally states. */
    private static JournaledRow reports(StoreConnection connection, ResultSet row) throws SQLException {
        String id = row.getString("id");
        Tally tally = Tally.of(row, CollectionTable.ids(connection.key(), id));
        if (tally == null) {
            return reports(id, null, null);
        }
        byte[] stored = CollectionTable.ids(connection.key(), id)
                .addAll(
                        connection,
                        IDS,
                        row.getLong("number"),
                        row.getString("kind").equals(Kind.COLLECTION.label()) ? tally.reports() : 0);
        return reports(id, tally, ifBoth(stored, tally.ids()));
    }

    /** The state of a training; null after the deletion. */
    static JournaledRow training(String id, @Nullable State state) {
        return state == null
                ? training(id, null, null, null)
                : training(id, state, state.tickets().value(), state.rounds());
    }

    private static JournaledRow training(
            String id, @Nullable State state, byte @Nullable [] tickets, byte @Nullable [] rounds) {
        CanonicalBytes content = new CanonicalBytes();
        return new JournaledRow(
                "training " + id,
                state == null
                        ? content
                        : content.number(state.round())
                                .number(state.roundReports())
                                .number(state.unused())
                                .bytes(Sha256.of(state.parametersAsBytes()))
                                .bytes(tickets)
                                .bytes(rounds));
    }

    /** The stored row. A digest that differs from the stored tickets or rounds is null. */
    private static JournaledRow training(StoreConnection connection, ResultSet row) throws SQLException {
        String id = row.getString("id");
        long number = row.getLong("number");
        State state = State.of(row, TrainingTable.tickets(connection.key(), id));
        if (state == null) {
            return training(id, null, null, null);
        }
        // The report of each used ticket is in the sums of a round, or came too late.
        byte[] stored = TrainingTable.tickets(connection.key(), id)
                .addAll(connection, TICKETS, number, row.getLong("reports") + state.unused());
        byte[] rounds = TrainingTable.rounds(connection, number, (each, round) -> {});
        return training(
                id, state, ifBoth(stored, state.tickets()), Arrays.equals(rounds, state.rounds()) ? rounds : null);
    }

    private static byte @Nullable [] ifBoth(byte @Nullable [] stored, SetDigest kept) {
        return stored != null && Arrays.equals(stored, kept.value()) ? stored : null;
    }

    @Bean
    JournaledRows collectionRows() {
        return COLLECTIONS.journaled("collections", Chain.Kind.COLLECTION, "WHERE r.id = ?", JournaledRows.Ending.NONE);
    }

    @Bean
    JournaledRows protocolRows() {
        return new JournaledRows(
                "protocols",
                Chain.Kind.COLLECTION,
                PROTOCOLS,
                row -> protocol(row.getString(1), row.getBytes(2), row.getBytes(3)));
    }

    @Bean
    JournaledRows tallyRows() {
        return new JournaledRows(
                "sums of reports",
                Chain.Kind.COLLECTION,
                TALLIES,
                JournaledCollections::reports,
                JournaledRows.Ending.NONE);
    }

    @Bean
    JournaledRows trainingRows() {
        return new JournaledRows(
                "trainings",
                Chain.Kind.COLLECTION,
                TRAININGS,
                JournaledCollections::training,
                JournaledRows.Ending.NONE);
    }
}
