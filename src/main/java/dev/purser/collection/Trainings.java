package dev.purser.collection;

import dev.purser.collection.StoredCollection.Kind;
import dev.purser.json.Elements;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.json.RequestLimits;
import dev.purser.json.Shape;
import dev.purser.noise.RandomBits;
import dev.purser.noise.RecordedBits;
import dev.purser.noise.SecureBits;
import dev.purser.problem.ProblemException;
import dev.purser.problem.Violation;
import dev.purser.store.Database;
import dev.purser.store.StoreConnection;
import io.swagger.v3.oas.annotations.media.Schema;
import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.springframework.stereotype.Service;
import tools.jackson.databind.json.JsonMapper;

/**
 * Trains models by gradients that devices randomize. A device takes part once, with a ticket that is used with its
 * report. The transaction that adds the last report of a round also makes the next parameters. So an interrupted
 * training goes on after its last committed {@link Pieces piece}.
 */
@Service
public class Trainings extends LifeCycle<TrainingDeclaration> {
    private static final int MAX_TICKETS = 100_000;
    private static final int MOST_NAMED = 100;

    /** The most rounds that one piece ends. Each of them makes and stores parameters. */
    private static final int MOST_ROUNDS = 32;

    public Trainings(Database database, RequestLimits limits, JsonMapper json, Clock clock, Pieces pieces) {
        super(Kind.TRAINING, database, limits, json, clock, pieces, TrainingDeclaration::read);
    }

    /** What became of a batch. */
    @Schema(name = "CountedGradients")
    public record Counted(
            @Schema(description = "Reports that are in their round's gradient.", example = "1000")
            long accepted,

            @Schema(description = "Reports whose ticket was used before.", example = "0")
            long duplicates,

            @Schema(description = "Reports that came after their round; their tickets are used.", example = "0")
            long unused) {
        private Counted plus(Counted more) {
            return new Counted(accepted + more.accepted, duplicates + more.duplicates, unused + more.unused);
        }
    }

    @Override
    void opening(StoreConnection transaction, StoredCollection opened, TrainingDeclaration declaration)
            throws SQLException {
        TrainingTable.insert(transaction, opened, declaration.features() + 1);
    }

    /** Everything that is public about a training. */
    public TrainingView view(StoredCollection training) {
        TrainingDeclaration declaration = declaration(training);
        return database.read(connection -> {
            TrainingTable.State state =
                    TrainingTable.state(connection, training).orElseThrow(VisibleCollections::notFound);
            return TrainingView.of(
                    training,
                    declaration,
                    state,
                    TrainingTable.curve(connection, training, state),
                    CollectionTable.stored(connection, training.id()).document(),
                    training.isOpenAt(now()));
        });
    }

    /**
     * Makes tickets. A ticket is random and kept as a hash, so only the device that gets it can use it.
     *
     * @throws ProblemException {@code validation-failed}
     */
    public List<String> tickets(StoredCollection training, TicketCount wanted) {
        RandomBits bits = new SecureBits();
        List<String> tickets = IntStream.range(0, wanted.count())
                .mapToObj(each -> ticket(bits))
                .toList();
        List<byte[]> keys = tickets.stream().map(Reports::key).toList();
        pieces.write(
                training,
                new Reports<>(keys, tickets),
                Pieces.MAX,
                (transaction, piece) -> TrainingTable.insertTickets(transaction, training, piece.keys()),
                made -> {});
        return tickets;
    }

    private static String ticket(RandomBits bits) {
        RecordedBits recorded = new RecordedBits(bits);
        recorded.next(60);
        recorded.next(60);
        return recorded.hex();
    }

    /** A wanted number of tickets. */
    public record TicketCount(int count) {
        private static final Field<Integer> COUNT =
                Field.required("count", FieldType.integer(1, MAX_TICKETS), "", 1000);

        public static final Shape.ObjectOf FORM = new Shape.ObjectOf("TicketRequest", COUNT);

        /** Reads {@code {"count": …}}. */
        public static Optional<TicketCount> read(ObjectReader in) {
            Optional<Integer> sent = in.read(COUNT);
            return in.complete(() -> new TicketCount(sent.orElseThrow()));
        }
    }

    /** Reports of one request about one round, each checked by the protocol of their training. */
    public record Batch<R>(TrainingDeclaration declaration, Protocol<R> protocol, long round, Reports<R> reports) {
        private static final Field<String> TICKET =
                Field.required("ticket", Reports.ID_TYPE, "Used once.", "5f2a9c0e1b7d4a365f2a9c0e1b7d4a");
        private static final Field<Long> ROUND = Field.required(
                "round",
                FieldType.longInteger(1, TrainingDeclaration.MAX_ROUNDS),
                "The round whose parameters the gradients were taken at.",
                3);
        private static final Field<Elements<ObjectReader>> REPORTS =
                Reports.field("GradientReport", TICKET, Protocols.GRADIENT_FIELDS);

        public static final Shape.ObjectOf FORM = new Shape.ObjectOf("GradientBatch", ROUND, REPORTS);

        public static final String ONE = """
                {
                  "round": 1,
                  "reports": [{"ticket": "5f2a9c0e1b7d4a365f2a9c0e1b7d4a", "coordinate": 0, "sign": 1}]
                }""";
    }

    /** Reads {@code {"round": …, "reports": [...]}}; empty if a report broke a rule. */
    public Optional<Batch> read(ObjectReader in, StoredCollection training) {
        TrainingDeclaration declaration = declaration(training);
        return read(in, declaration, declaration.protocol());
    }

    static <R> Optional<Batch> read(ObjectReader in, TrainingDeclaration declaration, Protocol<R> protocol) {
        Optional<Long> round = in.read(Batch.ROUND.of(FieldType.longInteger(1, declaration.rounds())));
        Optional<Reports<R>> reports = Reports.read(in, Batch.REPORTS, Batch.TICKET, protocol);
        return in.complete(() -> new Batch<>(declaration, protocol, round.orElseThrow(), reports.orElseThrow()));
    }

    /**
     * Counts the reports of a batch.
     *
     * @throws ProblemException {@code validation-failed} for a round that has not begun, and for unknown tickets;
     *     {@code collection-closed}
     */
    public <R> Counted add(StoredCollection training, Batch<R> batch) {
        requireTickets(training, batch.reports().keys());
        AtomicReference<Counted> all = new AtomicReference<>(new Counted(0, 0, 0));
        pieces.write(
                training,
                batch.reports(),
                (int) Math.min(
                        batch.protocol().together(),
                        MOST_ROUNDS * batch.declaration().groupSize()),
                (transaction, piece) -> count(transaction, training, batch, piece),
                counted -> all.updateAndGet(counted::plus));
        return all.get();
    }

    private <R> Counted count(StoreConnection transaction, StoredCollection training, Batch<R> batch, Reports<R> piece)
            throws SQLException {
        TrainingDeclaration declaration = batch.declaration();
        long round = batch.round();
        TrainingTable.State before = TrainingTable.state(transaction, training).orElseThrow();
        if (round > before.round()) {
            throw ProblemException.validation(
                    Violation.atPointer("/round", "round must be at most " + before.round() + ", was " + round));
        }
        int[] wasUnused = TrainingTable.use(transaction, training, round, piece.keys());
        SetDigest tickets = before.tickets();
        RunningTraining progress = new RunningTraining(
                declaration,
                before,
                CollectionTable.tally(transaction, training).orElseThrow());
        for (int i = 0; i < wasUnused.length; i++) {
            if (wasUnused[i] == 1) {
                tickets.change(piece.keys().get(i), TrainingTable.UNUSED);
                tickets.change(piece.keys().get(i), Math.toIntExact(round));
                progress.add(
                        transaction, training, batch.protocol(), piece.reports().get(i), round);
            }
        }
        TrainingTable.keep(transaction, training, progress.state());
        CollectionTable.keep(transaction, training, progress.tally());
        if (before.round() <= declaration.rounds() && progress.state().round() > declaration.rounds()) {
            CollectionTable.close(transaction, training, now());
        }
        long unused = progress.state().unused() - before.unused();
        long fresh = Arrays.stream(wasUnused).sum();
        return new Counted(fresh - unused, wasUnused.length - fresh, unused);
    }

    private void requireTickets(StoredCollection training, List<byte[]> keys) {
        Set<ByteBuffer> tickets = database.read(connection -> TrainingTable.tickets(connection, training, keys));
        List<Violation> unknown = IntStream.range(0, keys.size())
                .filter(i -> !tickets.contains(ByteBuffer.wrap(keys.get(i))))
                .limit(MOST_NAMED)
                .mapToObj(i -> Violation.atPointer(
                        "/reports/" + i + "/ticket", "ticket must be one that this training gave out"))
                .toList();
        if (!unknown.isEmpty()) {
            throw ProblemException.validation(unknown);
        }
    }
}
