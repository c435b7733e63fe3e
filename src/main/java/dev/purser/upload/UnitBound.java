package dev.purser.upload;

import dev.purser.rows.RecordSort;
import dev.purser.rows.RowsFileWriter;
import dev.purser.rows.RowsShape;
import dev.purser.rows.SortedRecords;
import dev.purser.rows.SpilledRows;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.BitSet;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Keeps at most m rows of each privacy unit.
 *
 * <p>Which rows stay is a function of that unit's own rows alone: they are numbered in the order of the file, ranked by
 * HMAC(secret, unit, number), and the m lowest stay. A row of another unit, added or removed anywhere, changes neither
 * the numbers nor the ranks. So adding or removing one unit adds or removes its at most m rows and touches no other,
 * which is what "sensitivity m" needs. The rank does not look at the values, so it prefers none.
 *
 * <p>A unit is known here only by the first 128 bits of its HMAC. Should two units ever collide (2^-69 for a billion
 * units), they would be bounded as one. The secret is drawn for one upload and never stored, and the HMACs are deleted
 * with their files: no later question needs to know which rows belong together, and what is not stored cannot leak.
 *
 * <p>The values of all rows are spilled to the disk. Meanwhile their units, without the values, are sorted by (unit,
 * arrival), and then the rows of crowded units by (unit, rank). A unit of at most m rows keeps them all whatever their
 * ranks, so none are computed; up to 4096 rows of a unit are held back to see that.
 *
 * <p>Memory does not depend on the number of units, on m, or on how the rows are spread over units. It is one bit per
 * row, and at most 13 MB beside the writer's: that of {@link SpilledRows}, and of two {@link RecordSort}s when one is
 * read into the other.
 */
final class UnitBound implements AutoCloseable {
    /** The most rows of a file whose privacy unit is a column. */
    static final int MAX_ROWS = Integer.MAX_VALUE;

    private static final int MAX_HELD_BACK = 1 << 12;
    private static final int WORDS = 3;
    private static final byte UNIT = 0;
    private static final byte RANK = 1;

    private final int maxRowsPerUnit;
    private final Mac hmac;
    private final ByteBuffer numbered = ByteBuffer.allocate(3 * Long.BYTES);
    private final SpilledRows rows;
    /** Unit, unit, arrival. */
    private final RecordSort arrivals;
    /** Number of the unit, rank, arrival; of crowded units only. */
    private final RecordSort ranked;

    private int rowsArrived;

    /**
     * @param secret of this upload alone
     * @param target what the rows are for; files with names like it come and go
     * @throws IOException if no file can be made there
     */
    UnitBound(RowsShape shape, int maxRowsPerUnit, byte[] secret, Path target) throws IOException {
        this.maxRowsPerUnit = maxRowsPerUnit;
        hmac = hmacSha256(secret);
        arrivals = new RecordSort(sibling(target, ".units"), WORDS);
        ranked = new RecordSort(sibling(target, ".ranked"), WORDS);
        rows = new SpilledRows(shape, sibling(target, ".spilled"));
    }

    private static Mac hmacSha256(byte[] secret) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HMAC with SHA-256", e);
        }
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

    /**
     * Takes the next row of the file.
     *
     * @param unit its first {@code unitLength} bytes name the unit
     * @throws IOException if this or an earlier row cannot be written
     * @throws IllegalStateException beyond {@value #MAX_ROWS} rows
     */
    void add(byte[] unit, int unitLength, long[] values) throws IOException {
        if (rowsArrived == MAX_ROWS) {
            throw new IllegalStateException("more rows than can be bounded");
        }
        ByteBuffer hash = hash(UNIT, unit, unitLength);
        arrivals.add(hash.getLong(), hash.getLong(), rowsArrived);
        rows.add(values);
        rowsArrived++;
    }

    /** @param use keeps the names of units apart from what is ranked under the same secret */
    private ByteBuffer hash(byte use, byte[] bytes, int length) {
        hmac.update(use);
        hmac.update(bytes, 0, length);
        return ByteBuffer.wrap(hmac.doFinal());
    }

    /**
     * Passes on the rows that stay.
     *
     * @return how many rows stay
     */
    long storeRows(RowsFileWriter writer) throws IOException {
        BitSet kept = new BitSet(rowsArrived);
        keepUncrowded(kept);
        keepLowestRanks(kept);
        rows.writeTo(writer, kept);
        return kept.cardinality();
    }

    /**
     * Keeps all rows of a unit that has at most m, and ranks those of any other, or of one that has too many to hold
     * back.
     */
    private void keepUncrowded(BitSet kept) throws IOException {
        SortedRecords sorted = arrivals.sorted();
        long[] row = new long[WORDS];
        OneUnit unit = new OneUnit(kept);
        while (sorted.next(row)) {
            unit.add(row[0], row[1], (int) row[2]);
        }
        unit.end();
    }

    /** Of the units whose rows were ranked. */
    private void keepLowestRanks(BitSet kept) throws IOException {
        SortedRecords sorted = ranked.sorted();
        long[] row = new long[WORDS];
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
        return hash(RANK, numbered.array(), numbered.capacity()).getLong();
    }

    @Override
    public void close() throws IOException {
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

        private void add(long nextUnit0, long nextUnit1, int arrival) throws IOException {
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

        private void rankHeldBack() throws IOException {
            for (int number = 0; count == heldBack.length && number < count; number++) {
                rank(number, heldBack[number]);
            }
        }

        private void rank(int number, int arrival) throws IOException {
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
