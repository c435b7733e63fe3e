package dev.purser.dataset.ingest;

import dev.purser.rows.RowsFileWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.BitSet;
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
 * <p>Memory does not depend on the number of units, on m, or on how the rows are spread over units; it is one bit per row. The
 * units of the rows, without their values, are sorted by (unit, arrival) and then by (unit, rank) in the database, which sorts on
 * disk. Window functions, the shorter way, ran out of a 128 MB limit at 3 million units.
 */
final class UnitBound {
    private final StagingDatabase staged;
    private final int columns;
    private final int maxRowsPerUnit;
    private final Mac hmac;
    private int rowsArrived;

    /** @param secret of this upload alone */
    UnitBound(StagingDatabase staged, int columns, int maxRowsPerUnit, byte[] secret) {
        this.staged = staged;
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
        return new Arrivals();
    }

    /** The rows on their way in: {@code staged.units} (unit, unit, arrival) and {@code staged.arrived} (values, arrival). */
    final class Arrivals implements AutoCloseable {
        private final RowTarget units = new RowTarget(staged, "units", 3);
        private final RowTarget arrived = new RowTarget(staged, "arrived", columns + 1);
        private final long[] row = new long[columns + 1];

        private Arrivals() throws SQLException {}

        /** @param unit bytes whose slice {@code [from, to)} names the unit */
        void add(byte[] unit, int from, int to, long[] values) throws SQLException {
            // The leading byte keeps the names of units apart from what rank() hashes under the same secret.
            hmac.update((byte) 0);
            hmac.update(unit, from, to - from);
            ByteBuffer name = ByteBuffer.wrap(hmac.doFinal());
            if (rowsArrived == Integer.MAX_VALUE) {
                throw InvalidData.ofWhole("where the privacy unit is a column, a file has at most 2147483647 rows");
            }
            units.add(name.getLong(), name.getLong(), rowsArrived);
            System.arraycopy(values, 0, row, 0, columns);
            row[columns] = rowsArrived;
            arrived.add(row);
            rowsArrived++;
        }

        @Override
        public void close() throws SQLException {
            try (arrived) {
                units.close();
            }
        }
    }

    /**
     * Hands on what stays.
     *
     * @return how many rows stay
     */
    long storeRows(RowsFileWriter writer) throws SQLException, IOException {
        rank();
        return store(lowestRanks(), writer);
    }

    /** {@code staged.ranked} (unit, unit, rank, arrival). */
    private void rank() throws SQLException {
        try (RowTarget ranked = new RowTarget(staged, "ranked", 4);
                Rows sorted = new Rows("SELECT * FROM staged.main.units ORDER BY c0, c1, c2")) {
            Run run = new Run();
            while (sorted.next()) {
                long unit0 = sorted.get(0);
                long unit1 = sorted.get(1);
                long number = run.next(unit0, unit1);
                ranked.add(unit0, unit1, rank(unit0, unit1, number), sorted.get(2));
            }
        }
    }

    private long rank(long unit0, long unit1, long number) {
        ByteBuffer message = ByteBuffer.allocate(25);
        message.put((byte) 1).putLong(unit0).putLong(unit1).putLong(number);
        return ByteBuffer.wrap(hmac.doFinal(message.array())).getLong();
    }

    /** By arrival, whether a row stays. */
    private BitSet lowestRanks() throws SQLException {
        BitSet kept = new BitSet(rowsArrived);
        try (Rows sorted = new Rows("SELECT * FROM staged.main.ranked ORDER BY c0, c1, c2, c3")) {
            Run run = new Run();
            while (sorted.next()) {
                if (run.next(sorted.get(0), sorted.get(1)) < maxRowsPerUnit) {
                    kept.set((int) sorted.get(3));
                }
            }
        }
        return kept;
    }

    private long store(BitSet kept, RowsFileWriter writer) throws SQLException, IOException {
        try (Rows arrived = new Rows("SELECT * FROM staged.main.arrived")) {
            long[] values = new long[columns];
            while (arrived.next()) {
                if (kept.get((int) arrived.get(columns))) {
                    for (int i = 0; i < columns; i++) {
                        values[i] = arrived.get(i);
                    }
                    writer.add(values);
                }
            }
        }
        return kept.cardinality();
    }

    /** Streamed rows of a statement, read over a connection of their own. */
    private final class Rows implements AutoCloseable {
        private final DuckDBConnection reader = staged.connect();
        private final Statement statement = reader.createStatement();
        private final ResultSet result;

        private Rows(String sql) throws SQLException {
            result = statement.executeQuery(sql);
        }

        private boolean next() throws SQLException {
            return result.next();
        }

        private long get(int column) throws SQLException {
            return result.getLong(column + 1);
        }

        @Override
        public void close() throws SQLException {
            try (reader;
                    statement) {
                result.close();
            }
        }
    }

    /** Numbers the consecutive rows of one unit from 0. */
    private static final class Run {
        private long unit0;
        private long unit1;
        private long number = -1;

        private long next(long nextUnit0, long nextUnit1) {
            boolean same = number >= 0 && nextUnit0 == unit0 && nextUnit1 == unit1;
            unit0 = nextUnit0;
            unit1 = nextUnit1;
            number = same ? number + 1 : 0;
            return number;
        }
    }
}
