package dev.purser.collection;

import dev.purser.collection.ReportCollections.Counted;
import dev.purser.json.JsonDocument;
import dev.purser.json.RequestLimits;
import dev.purser.problem.ProblemType;
import dev.purser.store.Database;
import dev.purser.store.LedgerSettings;
import dev.purser.store.TestHomes;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

import static dev.purser.problem.Refusals.refusedAs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Batches beside other writers. A test acts in the first piece of a batch: there the service looks at the clock, on the
 * writer's thread. Work that the test hands over at that moment is written before the second piece.
 */
abstract class PiecesContract {
    private static final int COUNT = 3 * Pieces.MAX + 500;
    private static final Runnable NOTHING = () -> {};

    @TempDir
    Path folder;

    private final AtomicReference<Runnable> inTheFirstPiece = new AtomicReference<>(NOTHING);
    private final AtomicLong seconds = new AtomicLong(1_800_000_000);
    private final Clock clock = ((InstantSource) this::tick).withZone(ZoneOffset.UTC);

    @AutoClose
    private Database database;

    private ReportCollections collections;
    private Trainings trainings;
    private StoredCollection signs;

    LedgerSettings settings() {
        return LedgerSettings.embedded();
    }

    @BeforeEach
    void open() {
        database = new Database(TestHomes.at(folder), settings());
        RequestLimits limits = new RequestLimits(1 << 25, 100_001, 16, 2_000_000, 0);
        Pieces pieces = new Pieces(database, clock);
        collections = new ReportCollections(database, limits, new JsonMapper(), clock, pieces);
        trainings = new Trainings(database, limits, new JsonMapper(), clock, pieces);
        byte[] declaration = bytes("""
                        {"id":"signs","protocol":"harmony","range":{"lower":-1,"upper":1},"epsilon":1}""");
        collections.open(
                JsonDocument.parse(declaration).read(in -> CollectionDeclaration.read(in, Instant.EPOCH)),
                declaration,
                "custodian");
        signs = stored("signs");
    }

    @Test
    void whatOthersWriteComesBetweenTwoPieces() throws Exception {
        FutureTask<Long> other = duringTheNextBatch(() -> database.write(
                Database.NO_ACCOUNT,
                transaction ->
                        CollectionTable.tally(transaction, signs).orElseThrow().reports()));
        assertThat(send(batch(0, COUNT))).isEqualTo(new Counted(COUNT, 0));
        assertThat(other.get()).as("reports that were in at the other write").isEqualTo(Pieces.MAX);
        assertThat(reports()).isEqualTo(COUNT);
    }

    @Test
    void everyReportOfABatchCountsOnceOverAllItsPieces() {
        send(batch(COUNT - 700, 700));
        String twice = batch(0, COUNT) + "," + batch(0, 1_000);
        assertThat(send(twice)).isEqualTo(new Counted(COUNT - 700, 1_700));
        assertThat(reports()).isEqualTo(COUNT);
    }

    /** A sender that sees some pieces and no reply, as after a crash between two pieces. */
    @Test
    void theSameBatchAgainCompletesWhatAFailureLeft() {
        List<Counted> seen = new ArrayList<>();
        Consumer<Counted> failing = counted -> {
            seen.add(counted);
            if (seen.size() == 2) {
                throw new IllegalStateException("crash");
            }
        };
        assertThatIllegalStateException().isThrownBy(() -> add(batch(0, COUNT), failing));
        assertThat(seen).containsOnly(new Counted(Pieces.MAX, 0));
        assertThat(reports()).isEqualTo(2L * Pieces.MAX);
        assertThat(send(batch(0, COUNT))).isEqualTo(new Counted(COUNT - 2L * Pieces.MAX, 2L * Pieces.MAX));
        assertThat(reports()).isEqualTo(COUNT);
    }

    @Test
    void nothingOfABatchWithABadReportIsIn() {
        refusedAs(ProblemType.VALIDATION_FAILED, () -> send(batch(0, COUNT) + ",{'reportId':'bad','sign':0}"));
        assertThat(reports()).isZero();
    }

    @Test
    void aBatchThatIsClosedBetweenTwoPiecesIsFinished() throws Exception {
        FutureTask<StoredCollection> closing = duringTheNextBatch(() -> collections.close(signs));
        assertThat(send(batch(0, COUNT))).isEqualTo(new Counted(COUNT, 0));
        closing.get();
        refusedAs(ProblemType.COLLECTION_CLOSED, () -> send(batch(COUNT, 1)));
        assertThat(reports()).isEqualTo(COUNT);
    }

    @Test
    void aBatchThatIsDeletedBetweenTwoPiecesLeavesNothing() throws Exception {
        FutureTask<Boolean> deletion = duringTheNextBatch(() -> {
            collections.delete(signs);
            return true;
        });
        refusedAs(ProblemType.COLLECTION_CLOSED, () -> send(batch(0, COUNT)));
        deletion.get();
        long left = database.read(connection -> connection
                .first("SELECT count(*) FROM collection_report", row -> row.getLong(1))
                .orElseThrow());
        assertThat(left).isZero();
    }

    @Test
    void batchesWithTheSameReportsCountEachOnce() throws Exception {
        long accepted = 0;
        long duplicates = 0;
        try (ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Counted>> all = IntStream.range(0, 3)
                    .mapToObj(i -> senders.submit(() -> send(batch(100 * i, COUNT))))
                    .toList();
            for (Future<Counted> each : all) {
                accepted += each.get().accepted();
                duplicates += each.get().duplicates();
            }
        }
        assertThat(accepted).isEqualTo(COUNT + 200);
        assertThat(duplicates).isEqualTo(2 * COUNT - 200);
        assertThat(reports()).isEqualTo(accepted);
    }

    /** However many senders there are, every other writer waits for only one piece. */
    @Test
    void allBatchesTogetherHaveOnePieceWithTheWriter() throws Exception {
        List<Thread> senders = new ArrayList<>();
        FutureTask<Long> last = duringTheNextBatch(() -> {
            for (int i = 1; i <= 4; i++) {
                String batch = batch(i * COUNT, Pieces.MAX);
                senders.add(waiting(() -> send(batch)));
            }
            // Among the works of one transaction, the work with this name runs last.
            return database.write(
                    "~",
                    transaction -> CollectionTable.tally(transaction, signs)
                            .orElseThrow()
                            .reports());
        });
        send(batch(0, Pieces.MAX));
        assertThat(last.get()).isLessThanOrEqualTo(2L * Pieces.MAX);
        for (Thread sender : senders) {
            sender.join();
        }
        assertThat(reports()).isEqualTo(5L * Pieces.MAX);
    }

    @Test
    void ticketsAreMadeAndUsedInPieces() throws Exception {
        StoredCollection model = training(",'groupSize':" + (Pieces.MAX + 100));
        FutureTask<Long> other = duringTheNextBatch(() -> tickets(model));
        List<String> tickets = trainings.tickets(model, new Trainings.TicketCount(COUNT));
        assertThat(other.get()).as("tickets that were made at the other write").isEqualTo(Pieces.MAX);

        FutureTask<Long> round = duringTheNextBatch(() -> database.write(
                Database.NO_ACCOUNT,
                transaction ->
                        TrainingTable.state(transaction, model).orElseThrow().roundReports()));
        assertThat(add(model, gradients(tickets)))
                .isEqualTo(new Trainings.Counted(Pieces.MAX + 100, 0, COUNT - Pieces.MAX - 100));
        assertThat(round.get()).as("reports that were in at the other write").isEqualTo(Pieces.MAX);
        assertThat(add(model, gradients(tickets))).isEqualTo(new Trainings.Counted(0, COUNT, 0));
    }

    /** The training's last round ends in the first piece of the batch. */
    @Test
    void aBatchThatClosesItsTrainingIsFinished() {
        StoredCollection model = training(",'groupSize':1,'rounds':3");
        List<String> tickets = trainings.tickets(model, new Trainings.TicketCount(100));
        assertThat(add(model, gradients(tickets))).isEqualTo(new Trainings.Counted(1, 0, 99));
        assertThat(trainings.view(model).round()).isEqualTo(2);

        StoredCollection last = training(",'groupSize':1,'rounds':1");
        List<String> more = trainings.tickets(last, new Trainings.TicketCount(100));
        Instant before = clock.instant();
        assertThat(add(last, gradients(more))).isEqualTo(new Trainings.Counted(1, 0, 99));
        StoredCollection closed = stored(last.id());
        assertThat(closed.isClosed()).isTrue();
        assertThat(closed.closesAt())
                .as("the look after that for the first piece")
                .isEqualTo(before.plusSeconds(2));
    }

    private Counted send(String reports) {
        AtomicReference<Counted> all = new AtomicReference<>(new Counted(0, 0));
        add(reports, counted -> all.updateAndGet(counted::plus));
        return all.get();
    }

    private void add(String reports, Consumer<Counted> durable) {
        collections.add(signs, JsonDocument.parse(body(reports)).read(in -> collections.read(in, signs)), durable);
    }

    private Trainings.Counted add(StoredCollection training, byte[] gradients) {
        return trainings.add(training, JsonDocument.parse(gradients).read(in -> trainings.read(in, training)));
    }

    private static byte[] body(String reports) {
        return CollectionsForTests.json("'reports':[" + reports + "]");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String batch(int first, int count) {
        return IntStream.range(first, first + count).mapToObj("""
                        {"reportId":"r%d","sign":1}"""::formatted).collect(Collectors.joining(","));
    }

    private static byte[] gradients(List<String> tickets) {
        return CollectionsForTests.gradients(1, tickets, 0, 1).getBytes(StandardCharsets.UTF_8);
    }

    private long reports() {
        return database.read(connection -> CollectionTable.tally(connection, signs))
                .orElseThrow()
                .reports();
    }

    private long tickets(StoredCollection training) {
        return database.write(
                Database.NO_ACCOUNT,
                transaction -> transaction
                        .first(
                                "SELECT count(*) FROM training_ticket WHERE collection = ?",
                                row -> row.getLong(1),
                                training.number())
                        .orElseThrow());
    }

    private StoredCollection training(String more) {
        String id = "model" + clock.millis();
        byte[] declaration = CollectionsForTests.json(
                "'id':'" + id + "','model':'linear','features':1,'protocol':'harmony','epsilon':1" + more);
        trainings.open(JsonDocument.parse(declaration).read(TrainingDeclaration::read), declaration, "custodian");
        return stored(id);
    }

    private StoredCollection stored(String id) {
        return database.read(connection -> JournaledCollections.COLLECTIONS.find(connection, id))
                .orElseThrow();
    }

    /** Hands over {@code work} while the first piece of the next batch is written. */
    private <T> FutureTask<T> duringTheNextBatch(Supplier<T> work) {
        FutureTask<T> task = new FutureTask<>(work::get);
        inTheFirstPiece.set(() -> waiting(task));
        return task;
    }

    /** Starts a thread, and returns once that thread waits for another thread. */
    private static Thread waiting(Runnable work) {
        Thread thread = Thread.ofPlatform().start(work);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            assertThat(System.nanoTime()).as("waited long enough").isLessThan(end);
            Thread.onSpinWait();
        }
        return thread;
    }

    /** The clock is a second later at each look. */
    private Instant tick() {
        if (Thread.currentThread().getName().equals("ledger-writer")) {
            inTheFirstPiece.getAndSet(NOTHING).run();
        }
        return Instant.ofEpochSecond(seconds.incrementAndGet());
    }
}
