package dev.purser.dataset.ingest;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.duckdb.DuckDBConnection;

/**
 * Keeps at most m rows of each privacy unit.
 *
 * <p>Which rows stay is a function of that unit's own rows alone: they are numbered in the order of the file, ranked by
 * HMAC(secret, unit, number), and the m lowest stay. A row of another unit, added or removed anywhere, changes neither the
 * numbers nor the ranks. So adding or removing one unit adds or removes its at most m rows and touches no other, which is what
 * "sensitivity m" needs. The rank does not look at the values, so it prefers none.
 *
 * <p>A unit is known here only by the first 128 bits of its HMAC. Should two units ever collide (2^-69 for a billion units),
 * they would be bounded as one. The secret is drawn for one upload and never stored, and the HMACs are gone with the scratch
 * tables: nothing that is asked later needs to know which rows belong together, and what is not stored cannot leak.
 *
 * <p>Memory does not depend on the number of units, on m, or on how the rows are spread over units: the rows are sorted by
 * (unit, number) and then by (unit, rank), in the database, which sorts on disk. Window functions, the shorter way, ran out of a
 * 128 MB limit at 3 million units.
 */
final class UnitBound {
    private static final String BY_ARRIVAL = "by_arrival";
    private static final String BY_RANK = "by_rank";

    private final Connection connection;
    private final int columns;
    private final int maxRowsPerUnit;
    private final Mac hmac;

    /** @param secret of this upload alone */
    UnitBound(Connection connection, int columns, int maxRowsPerUnit, byte[] secret) {
        this.connection = connection;
        this.columns = columns;
        this.maxRowsPerUnit = maxRowsPerUnit;
        hmac = keyed(secret);
    }

    /** A secret for one upload. */
    static byte[] newSecret() {
        byte[] secret = new byte[32];
        new SecureRandom().nextBytes(secret);
        return secret;
    }

    private static Mac keyed(byte[] secret) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HmacSHA256", e);
        }
    }

    /** Takes the rows in the order of the file. */
    Arrivals arrivals() throws SQLException {
        return new Arrivals(RowTarget.staged(connection, BY_ARRIVAL, columns));
    }

    /** The rows on their way in. */
    final class Arrivals implements AutoCloseable {
        private final RowTarget staged;
        private long arrived;

        private Arrivals(RowTarget staged) {
            this.staged = staged;
        }

        /** @param unit bytes whose slice {@code [from, to)} names the unit */
        void add(byte[] unit, int from, int to, long[] values) throws SQLException {
            // The leading byte keeps the names of units apart from what rank() hashes under the same secret.
            hmac.update((byte) 0);
            hmac.update(unit, from, to - from);
            ByteBuffer name = ByteBuffer.wrap(hmac.doFinal());
            staged.add(name.getLong(), name.getLong(), arrived++, values);
        }

        @Override
        public void close() throws SQLException {
            staged.close();
        }
    }

    /**
     * Moves what stays into the finished table.
     *
     * @return how many rows stay
     */
    long moveTo(RowTarget rows) throws SQLException {
        rank();
        return keepLowest(rows);
    }

    private void rank() throws SQLException {
        try (RowTarget ranked = RowTarget.staged(connection, BY_RANK, columns);
                Connection reader = connection.unwrap(DuckDBConnection.class).duplicate();
                Statement statement = reader.createStatement();
                ResultSet sorted = statement.executeQuery(sortedByUnit(BY_ARRIVAL))) {
            Run run = new Run();
            long[] values = new long[columns];
            while (sorted.next()) {
                long number = run.next(sorted);
                readValues(sorted, values);
                ranked.add(run.key0, run.key1, rank(run.key0, run.key1, number), values);
            }
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE staged.main." + BY_ARRIVAL);
        }
    }

    private long rank(long key0, long key1, long number) {
        ByteBuffer message = ByteBuffer.allocate(25);
        message.put((byte) 1).putLong(key0).putLong(key1).putLong(number);
        hmac.update(message.array());
        return ByteBuffer.wrap(hmac.doFinal()).getLong();
    }

    private long keepLowest(RowTarget rows) throws SQLException {
        long stored = 0;
        try (Connection reader = connection.unwrap(DuckDBConnection.class).duplicate();
                Statement statement = reader.createStatement();
                ResultSet sorted = statement.executeQuery(sortedByUnit(BY_RANK))) {
            Run run = new Run();
            long[] values = new long[columns];
            while (sorted.next()) {
                if (run.next(sorted) < maxRowsPerUnit) {
                    readValues(sorted, values);
                    rows.add(values);
                    stored++;
                }
            }
        }
        return stored;
    }

    private static String sortedByUnit(String table) {
        return "SELECT * FROM staged.main." + table + " ORDER BY key0, key1, key2";
    }

    private static void readValues(ResultSet row, long[] values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            values[i] = row.getLong(4 + i);
        }
    }

    /** Numbers the consecutive rows of one unit from 0. */
    private static final class Run {
        private long key0;
        private long key1;
        private long number = -1;

        private long next(ResultSet row) throws SQLException {
            long nextKey0 = row.getLong(1);
            long nextKey1 = row.getLong(2);
            boolean same = number >= 0 && nextKey0 == key0 && nextKey1 == key1;
            key0 = nextKey0;
            key1 = nextKey1;
            number = same ? number + 1 : 0;
            return number;
        }
    }
}
