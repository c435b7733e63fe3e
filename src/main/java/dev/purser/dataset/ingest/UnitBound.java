package dev.purser.dataset.ingest;

import dev.purser.rows.RecordSort;
import dev.purser.rows.RowsFileWriter;
import dev.purser.rows.RowsNotWritten;
import dev.purser.rows.RowsShape;
import dev.purser.rows.SortedRecords;
import dev.purser.rows.WaitingRows;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.BitSet;

/**
 * Keeps at most m rows of each privacy unit.
 *
 * <p>Which rows stay is a function of that unit's own rows alone: they are numbered in the order of the file, ranked by
 * HMAC(secret, unit, number), and the m lowest stay. A row of another unit, added or removed anywhere, changes neither the
 * numbers nor the ranks. So adding or removing one unit adds or removes its at most m rows and touches no other, which is what
 * "sensitivity m" needs. The rank does not look at the values, so it prefers none.
 *
 * <p>A unit is known here only by the first 128 bits of its HMAC. Should two units ever collide (2^-69 for a billion units),
 * they would be bounded as one. The secret is drawn for one upload and never stored, and the HMACs are gone with the files that
 * they wait in: nothing that is asked later needs to know which rows belong together, and what is not stored cannot leak.
 *
 * <p>The values of all rows wait on the disk. Meanwhile their units, without the values, are sorted by (unit, arrival), and then the
 * rows of crowded units by (unit, rank). A unit of at most m rows keeps them all whatever their ranks, so none are computed; up
 * to 4096 rows of a unit are held back to see that.
 *
 * <p>Memory does not depend on the number of units, on m, or on how the rows are spread over units; it is one bit per row, and at
 * most 13 MB beside the writer's: that of {@link WaitingRows}, and of two {@link RecordSort}s when one is read into the other.
 */
final class UnitBound implements AutoCloseable {
    private static final int MAX_HELD_BACK = 1 << 12;

    private final int maxRowsPerUnit;
    private final KeyedHash hmac;
    private final ByteBuffer numbered = ByteBuffer.allocate(3 * Long.BYTES);
    private final WaitingRows rows;
    /** Unit, unit, arrival. */
    private final RecordSort arrivals;
    /** Number of the unit, rank, arrival; of crowded units only. */
    private final RecordSort ranked;

    private final long[] values;
    private int rowsArrived;

    /**
     * @param secret of this upload alone
     * @param target what the rows are for; files with names like it come and go
     * @throws RowsNotWritten if no file can be made there
     */
    UnitBound(RowsShape shape, int maxRowsPerUnit, byte[] secret, Path target) throws RowsNotWritten {
        this.maxRowsPerUnit = maxRowsPerUnit;
        hmac = new KeyedHash(secret);
        arrivals = new RecordSort(sibling(target, ".units"));
        ranked = new RecordSort(sibling(target, ".ranked"));
        values = new long[shape.columns().size()];
        rows = new WaitingRows(shape, sibling(target, ".waiting"));
    }

    private static Path sibling(Path target, String suffix) {
        return target.resolveSibling(target.getFileName() + suffix);
    }

    /** A secret for one upload. */
    static byte[] newSecret() {
        byte[] secret = new byte[32];
        new SecureRandom().nextBytes(secret);
        return secret;
    }

    /** Takes the next rows of the file, with their units. */
    void add(RowBatch batch) throws RowsNotWritten {
        for (int row = 0; row < batch.size(); row++) {
            for (int i = 0; i < values.length; i++) {
                values[i] = batch.columns()[i][row];
            }
            add(batch.units(), batch.unitFrom(row), batch.unitTo(row), values);
        }
    }

    /**
     * Takes the next row of the file.
     *
     * @param unit bytes whose slice {@code [from, to)} names the unit
     */
    void add(byte[] unit, int from, int to, long[] values) throws RowsNotWritten {
        if (rowsArrived == Integer.MAX_VALUE) {
            throw InvalidData.ofWhole("where the privacy unit is a column, a file has at most 2147483647 rows");
        }
        // The leading byte keeps the names of units apart from what rank() hashes under the same secret.
        hmac.hash(0, unit, from, to);
        arrivals.add(hmac.word(0), hmac.word(1), rowsArrived);
        rows.add(values);
        rowsArrived++;
    }

    /**
     * Hands on what stays.
     *
     * @return how many rows stay
     */
    long storeRows(RowsFileWriter writer) throws RowsNotWritten {
        BitSet kept = new BitSet(rowsArrived);
        keepUncrowded(kept);
        keepLowestRanks(kept);
        rows.writeTo(writer, kept);
        return kept.cardinality();
    }

    /** Keeps all rows of a unit that has at most m, and ranks those of any other, or of one that has too many to hold back. */
    private void keepUncrowded(BitSet kept) throws RowsNotWritten {
        SortedRecords sorted = arrivals.sorted();
        long[] row = new long[RecordSort.WORDS];
        OneUnit unit = new OneUnit(kept);
        while (sorted.next(row)) {
            unit.add(row[0], row[1], (int) row[2]);
        }
        unit.end();
    }

    /** Of the units whose rows were ranked. */
    private void keepLowestRanks(BitSet kept) throws RowsNotWritten {
        SortedRecords sorted = ranked.sorted();
        long[] row = new long[RecordSort.WORDS];
        long unit = -1;
        long number = 0;
        while (sorted.next(row)) {
            number = row[0] == unit ? number + 1 : 0;
            unit = row[0];
            if (number < maxRowsPerUnit) {
                kept.set((int) row[2]);
            }
        }
    }

    private long rank(long unit0, long unit1, long number) {
        numbered.clear().putLong(unit0).putLong(unit1).putLong(number);
        hmac.hash(1, numbered.array(), 0, numbered.capacity());
        return hmac.word(0);
    }

    @Override
    public void close() throws RowsNotWritten {
        try (rows;
                arrivals) {
            ranked.close();
        }
    }

    /** Takes the rows of one unit after the other, numbers them, and ranks them once they are too many. */
    private final class OneUnit {
        private final BitSet kept;
        private final int[] heldBack = new int[Math.min(maxRowsPerUnit, MAX_HELD_BACK)];
        private long units;
        private long unit0;
        private long unit1;
        private int count;

        private OneUnit(BitSet kept) {
            this.kept = kept;
        }

        private void add(long nextUnit0, long nextUnit1, int arrival) throws RowsNotWritten {
            if (nextUnit0 != unit0 || nextUnit1 != unit1) {
                end();
                unit0 = nextUnit0;
                unit1 = nextUnit1;
            }
            if (count < heldBack.length) {
                heldBack[count] = arrival;
            } else {
                rankHeldBack();
                rank(count, arrival);
            }
            count++;
        }

        private void rankHeldBack() throws RowsNotWritten {
            for (int number = 0; count == heldBack.length && number < count; number++) {
                rank(number, heldBack[number]);
            }
        }

        private void rank(int number, int arrival) throws RowsNotWritten {
            ranked.add(units, UnitBound.this.rank(unit0, unit1, number), arrival);
        }

        /** Those that were never ranked stay. */
        private void end() {
            for (int number = 0; count <= heldBack.length && number < count; number++) {
                kept.set(heldBack[number]);
            }
            units++;
            count = 0;
        }
    }
}
