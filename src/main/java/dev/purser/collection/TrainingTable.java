package dev.purser.collection;

import dev.purser.store.StoreConnection;
import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads and writes what a training has besides what every collection has. */
final class TrainingTable {
    private static final int AT_ONCE = 500;
    private static final String TICKETS = "SELECT ticket FROM training_ticket WHERE collection = ? AND ticket IN ("
            + String.join(", ", Collections.nCopies(AT_ONCE, "?")) + ")";

    private TrainingTable() {}

    /**
     * Where a training is.
     *
     * @param round that reports are for now, from 1
     * @param roundReports of this round so far
     * @param unused reports that came after their round, and are in no sum
     * @param parameters that the round's gradients are taken at
     */
    record State(long round, long roundReports, long unused, double[] parameters) {}

    /**
     * A round that ended.
     *
     * @param parameters that its gradients were taken at
     * @param gradient the estimated mean gradient
     * @param squaredGradient the square of its length, less the largest variance of its noise
     * @param lossChange of the mean loss since round 1, estimated from the gradients at the ends of the steps
     */
    record Round(double[] parameters, double[] gradient, double squaredGradient, double lossChange) {}

    static void insert(StoreConnection transaction, StoredCollection training, int parameters) throws SQLException {
        transaction.update(
                "INSERT INTO training (collection, round, round_reports, unused, parameters) VALUES (?, 1, 0, 0, ?)",
                training.number(),
                bytes(new double[parameters]));
    }

    static Optional<State> state(StoreConnection connection, StoredCollection training) throws SQLException {
        return connection.first(
                "SELECT round, round_reports, unused, parameters FROM training WHERE collection = ?",
                row -> new State(
                        row.getLong("round"),
                        row.getLong("round_reports"),
                        row.getLong("unused"),
                        doubles(row.getBytes("parameters"))),
                training.number());
    }

    static void keep(StoreConnection transaction, StoredCollection training, State state) throws SQLException {
        transaction.update(
                "UPDATE training SET round = ?, round_reports = ?, unused = ?, parameters = ? WHERE collection = ?",
                state.round(),
                state.roundReports(),
                state.unused(),
                bytes(state.parameters()),
                training.number());
    }

    static Optional<Round> round(StoreConnection connection, StoredCollection training, long round)
            throws SQLException {
        return connection.first(
                "SELECT parameters, gradient, squared_gradient, loss_change FROM training_round WHERE collection = ?"
                        + " AND round = ?",
                row -> new Round(
                        doubles(row.getBytes("parameters")),
                        doubles(row.getBytes("gradient")),
                        row.getDouble("squared_gradient"),
                        row.getDouble("loss_change")),
                training.number(),
                round);
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

    static List<TrainingView.CurvePoint> curve(StoreConnection connection, StoredCollection training)
            throws SQLException {
        return connection.all(
                "SELECT round, squared_gradient, loss_change FROM training_round WHERE collection = ? ORDER BY round",
                row -> new TrainingView.CurvePoint(
                        row.getLong("round"), row.getDouble("squared_gradient"), row.getDouble("loss_change")),
                training.number());
    }

    static int[] insertTickets(StoreConnection transaction, StoredCollection training, List<byte[]> keys)
            throws SQLException {
        return transaction.updateEach(
                "INSERT INTO training_ticket (collection, ticket, round) VALUES (?, ?, NULL)",
                keys.stream().map(key -> new Object[] {training.number(), key}).toList());
    }

    /** Uses tickets; gives for each 1 if it was unused, and 0 if it was used or there is no such ticket. */
    static int[] use(StoreConnection transaction, StoredCollection training, long round, List<byte[]> keys)
            throws SQLException {
        return transaction.updateEach(
                "UPDATE training_ticket SET round = ? WHERE collection = ? AND ticket = ? AND round IS NULL",
                keys.stream()
                        .map(key -> new Object[] {round, training.number(), key})
                        .toList());
    }

    /** Those of {@code keys} that are tickets, used or not. A ticket stays one while the training is there. */
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
