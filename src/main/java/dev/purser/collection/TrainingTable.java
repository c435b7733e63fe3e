package dev.purser.collection;

import dev.purser.digest.Sha256;
import dev.purser.journal.CanonicalBytes;
import dev.purser.journal.ChangedRow;
import dev.purser.journal.Journal;
import dev.purser.problem.ProblemException;
import dev.purser.store.MacKey;
import dev.purser.store.StoreConnection;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Reads and writes the tables that only trainings have. */
final class TrainingTable {
    /** The state of an unused ticket in the digest of tickets. */
    static final int UNUSED = 0;

    private static final byte[] NO_ROUNDS = new byte[64];

    private static final String ROUNDS = "SELECT round, parameters, gradient, squared_gradient, loss_change"
            + " FROM training_round WHERE collection = ? ";

    private static final int AT_ONCE = 500;
    private static final String TICKETS = "SELECT ticket FROM training_ticket WHERE collection = ? AND ticket IN ("
            + String.join(", ", Collections.nCopies(AT_ONCE, "?")) + ")";

    private TrainingTable() {}

    /**
     * The state of a training.
     *
     * @param round the present round, from 1
     * @param roundReports how many reports of this round there are so far
     * @param unused how many reports came after their round, and are in no sum
     * @param parameters the parameters at which the round's gradients are taken
     * @param tickets the digest of all tickets, each with its round or {@link #UNUSED}
     * @param rounds the digest of all rounds that ended, followed by the digest of the last round, 32 bytes each
     */
    record State(long round, long roundReports, long unused, double[] parameters, SetDigest tickets, byte[] rounds) {
        /**
         * The state in a row.
         *
         * @param row the columns of the same names, which are null if there is no such row
         */
        static @Nullable State of(ResultSet row, SetDigest tickets) throws SQLException {
            byte[] parameters = row.getBytes("parameters");
            byte[] rounds = row.getBytes("rounds");
            return parameters == null
                    ? null
                    : new State(
                            row.getLong("round"),
                            row.getLong("round_reports"),
                            row.getLong("unused"),
                            doubles(parameters),
                            tickets.with(row.getBytes("tickets")),
                            rounds == null ? NO_ROUNDS : rounds);
        }

        State with(long roundReports, long unused) {
            return new State(round, roundReports, unused, parameters, tickets, rounds);
        }

        byte[] parametersAsBytes() {
            return bytes(parameters);
        }
    }

    /**
     * A round that ended.
     *
     * @param parameters the parameters at which its gradients were taken
     * @param gradient the estimated mean gradient
     * @param squaredGradient the square of the gradient's length, minus an upper bound of the variance of its noise
     * @param lossChange the change of the mean loss since round 1, estimated from the gradients at the ends of the
     *     steps
     */
    record Round(double[] parameters, double[] gradient, double squaredGradient, double lossChange) {
        private static Round of(ResultSet row) throws SQLException {
            return new Round(
                    doubles(row.getBytes("parameters")),
                    doubles(row.getBytes("gradient")),
                    row.getDouble("squared_gradient"),
                    row.getDouble("loss_change"));
        }

        /**
         * The digest of this round and all rounds before it, followed by the digest of this round alone.
         *
         * @param before the same two digests of the round before
         */
        byte[] digest(long number, byte[] before) {
            byte[] own = digest(number);
            return ByteBuffer.allocate(2 * own.length)
                    .put(Sha256.of(Arrays.copyOf(before, own.length), own))
                    .put(own)
                    .array();
        }

        private byte[] digest(long number) {
            return new CanonicalBytes()
                    .number(number)
                    .bytes(TrainingTable.bytes(parameters))
                    .bytes(TrainingTable.bytes(gradient))
                    .number(bits(squaredGradient))
                    .number(bits(lossChange))
                    .digest();
        }

        /** SQLite stores a negative zero as zero. */
        private static long bits(double number) {
            return Double.doubleToLongBits(number + 0.0);
        }
    }

    static void insert(StoreConnection transaction, StoredCollection training, int parameters) throws SQLException {
        State state = new State(1, 0, 0, new double[parameters], tickets(transaction.key(), training.id()), NO_ROUNDS);
        transaction.update(
                "INSERT INTO training (collection, round, round_reports, unused, parameters, tickets, rounds)"
                        + " VALUES (?, 1, 0, 0, ?, ?, ?)",
                training.number(),
                state.parametersAsBytes(),
                state.tickets().stored(),
                state.rounds());
        CollectionTable.record(transaction, training, JournaledCollections.training(training.id(), state));
    }

    /** The digest of the empty set of tickets. */
    static SetDigest tickets(MacKey key, String training) {
        return new SetDigest(key, "tickets", training);
    }

    /**
     * The state of a training, as the journal recorded it last; empty if the training is deleted.
     *
     * @throws ProblemException {@code internal-error} if the journal recorded another state
     */
    static Optional<State> state(StoreConnection connection, StoredCollection training) throws SQLException {
        Optional<State> state = connection.first(
                "SELECT round, round_reports, unused, parameters, tickets, rounds FROM training WHERE collection = ?",
                row -> Objects.requireNonNull(State.of(row, tickets(connection.key(), training.id()))),
                training.number());
        new Journal(connection).require(JournaledCollections.training(training.id(), state.orElse(null)));
        return state;
    }

    static void keep(StoreConnection transaction, StoredCollection training, State state) throws SQLException {
        transaction.update(
                "UPDATE training SET round = ?, round_reports = ?, unused = ?, parameters = ?, tickets = ?, rounds = ?"
                        + " WHERE collection = ?",
                state.round(),
                state.roundReports(),
                state.unused(),
                state.parametersAsBytes(),
                state.tickets().stored(),
                state.rounds(),
                training.number());
        CollectionTable.record(transaction, training, JournaledCollections.training(training.id(), state));
    }

    /**
     * The round before the present one, if there is one.
     *
     * @throws ProblemException {@code internal-error} if its digest differs from the digest in the state
     */
    static Optional<Round> lastRound(StoreConnection connection, StoredCollection training, State state)
            throws SQLException {
        long number = state.round() - 1;
        if (number == 0) {
            return Optional.empty();
        }
        Optional<Round> round = connection.first(ROUNDS + "AND round = ?", Round::of, training.number(), number);
        byte[] recorded = Arrays.copyOfRange(state.rounds(), NO_ROUNDS.length / 2, NO_ROUNDS.length);
        if (round.isEmpty() || !Arrays.equals(recorded, round.orElseThrow().digest(number))) {
            throw ChangedRow.refused(
                    "round " + number + " of training " + training.id(), "it is not what the journal recorded");
        }
        return round;
    }

    static void insert(StoreConnection transaction, StoredCollection training, long number, Round round)
            throws SQLException {
        transaction.update(
                "INSERT INTO training_round (collection, round, parameters, gradient, squared_gradient, loss_change)"
                        + " VALUES (?, ?, ?, ?, ?, ?)",
                training.number(),
                number,
                bytes(round.parameters()),
                bytes(round.gradient()),
                round.squaredGradient(),
                round.lossChange());
    }

    /**
     * The rounds that ended.
     *
     * @throws ProblemException {@code internal-error} if their digest differs from the digest in the state
     */
    static List<TrainingView.CurvePoint> curve(StoreConnection connection, StoredCollection training, State state)
            throws SQLException {
        List<TrainingView.CurvePoint> curve = new ArrayList<>();
        byte[] digest = rounds(
                connection,
                training.number(),
                (number, round) ->
                        curve.add(new TrainingView.CurvePoint(number, round.squaredGradient(), round.lossChange())));
        if (!Arrays.equals(digest, state.rounds())) {
            throw ChangedRow.refused("training " + training.id(), "its rounds are not what the journal recorded");
        }
        return curve;
    }

    /** Visits the rounds in their order, and returns their digests, as in {@link State#rounds}. */
    static byte[] rounds(StoreConnection connection, long training, BiConsumer<Long, Round> visitor)
            throws SQLException {
        byte[][] digest = {NO_ROUNDS};
        connection.each(
                ROUNDS + "ORDER BY round",
                row -> {
                    Round round = Round.of(row);
                    digest[0] = round.digest(row.getLong("round"), digest[0]);
                    visitor.accept(row.getLong("round"), round);
                },
                training);
        return digest[0];
    }

    /** Stores new tickets, and their digest in the training's state. */
    static int[] insertTickets(StoreConnection transaction, StoredCollection training, List<byte[]> keys)
            throws SQLException {
        State state = state(transaction, training).orElseThrow();
        keys.forEach(key -> state.tickets().change(key, UNUSED));
        keep(transaction, training, state);
        return transaction.updateEach(
                "INSERT INTO training_ticket (collection, ticket, round) VALUES (?, ?, NULL)",
                keys.stream().map(key -> new Object[] {training.number(), key}).toList());
    }

    /** Uses tickets. Returns for each 1 if it was unused, and 0 if it was used or there is no such ticket. */
    static int[] use(StoreConnection transaction, StoredCollection training, long round, List<byte[]> keys)
            throws SQLException {
        return transaction.updateEach(
                "UPDATE training_ticket SET round = ? WHERE collection = ? AND ticket = ? AND round IS NULL",
                keys.stream()
                        .map(key -> new Object[] {round, training.number(), key})
                        .toList());
    }

    /** The elements of {@code keys} that are tickets, used or not. A ticket exists as long as the training. */
    static Set<ByteBuffer> tickets(StoreConnection connection, StoredCollection training, List<byte[]> keys)
            throws SQLException {
        Set<ByteBuffer> found = new HashSet<>();
        for (int start = 0; start < keys.size(); start += AT_ONCE) {
            Object[] values = new Object[1 + AT_ONCE];
            values[0] = training.number();
            for (int i = 0; i < AT_ONCE; i++) {
                values[1 + i] = keys.get(Math.min(start + i, keys.size() - 1));
            }
            connection.each(TICKETS, row -> found.add(ByteBuffer.wrap(row.getBytes(1))), values);
        }
        return found;
    }

    private static byte[] bytes(double[] numbers) {
        ByteBuffer buffer = ByteBuffer.allocate(numbers.length * Double.BYTES);
        buffer.asDoubleBuffer().put(numbers);
        return buffer.array();
    }

    private static double[] doubles(byte[] bytes) {
        double[] numbers = new double[bytes.length / Double.BYTES];
        ByteBuffer.wrap(bytes).asDoubleBuffer().get(numbers);
        return numbers;
    }
}
