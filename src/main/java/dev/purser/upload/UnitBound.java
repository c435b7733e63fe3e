package dev.purser.upload;

import dev.purser.rows.PackedRow;
import dev.purser.rows.RecordSort;
import dev.purser.rows.RowsFileWriter;
import dev.purser.rows.RowsShape;
import dev.purser.rows.SortedRecords;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Keeps at most m rows of each privacy unit.
 *
 * <p>The unit's own rows alone decide which of them stay. They are numbered in the order of the file and ranked by
 * HMAC(secret, unit, number), and the m rows with the lowest ranks stay. A row of another unit, added or removed
 * anywhere, changes neither the numbers nor the ranks. So adding or removing one unit adds or removes its at most m
 * rows and changes no other row, which is what "sensitivity m" needs. The rank does not depend on the values, so it
 * prefers no value.
 *
 * <p>A unit is known here only by the first 128 bits of its HMAC. If two units collide (probability 2^-69 for a billion
 * units), they are bounded as one. The secret is drawn for one upload and never stored, and the HMACs are deleted with
 * their files. So what is stored shows which rows belong together, but names no unit.
 *
 * <p>Whole rows are sorted by (unit, arrival). Then the rows of crowded units are sorted by (unit, rank). The rows that
 * stay are passed on unit by unit, each with a mark that is 1 in the first row of its unit. With these marks, the units
 * with a row that passes a filter are counted in one pass. Units are ordered by their HMACs, and crowded units come
 * last. A unit of at most m rows keeps all its rows, so no ranks are computed for it. To recognize such units, some
 * rows of a unit are held back.
 *
 * <p>Memory does not depend on the number of rows and units, on m, or on how the rows are spread over units. It is at
 * most 9 MB beside the writer's memory: the memory of two {@link RecordSort}s when one is read into the other, and of
 * the rows that are held back.
 */
final class UnitBound implements AutoCloseable {
    private static final int WORDS_HELD_BACK = 1 << 14;
    /** The words of a record before the values of the row. */
    private static final int KEY_WORDS = 3;

    private static final byte UNIT = 0;
    private static final byte RANK = 1;

    private final int columns;
    private final int maxRowsPerUnit;
    private final Mac hmac;
    private final ByteBuffer numbered = ByteBuffer.allocate(3 * Long.BYTES);
    private final PackedRow packed;
    /** Records of all rows: two words of the unit, number of arrival, the row. */
    private final RecordSort arrivals;
    /** Records of crowded units: number of the unit, rank, number of the row, the row. */
    private final RecordSort ranked;

    private final long[] arriving;
    private long rowsArrived;

    /**
     * @param secret a secret of this upload alone
     * @param target the file that the rows are for; temporary files have names that begin like it
     */
    UnitBound(RowsShape shape, int maxRowsPerUnit, byte[] secret, Path target) {
        this.maxRowsPerUnit = maxRowsPerUnit;
        columns = shape.columns().size();
        hmac = hmacSha256(secret);
        packed = new PackedRow(shape);
        arriving = new long[KEY_WORDS + packed.words()];
        arrivals = new RecordSort(sibling(target, ".units"), arriving.length);
        ranked = new RecordSort(sibling(target, ".ranked"), arriving.length);
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
     * @throws IOException if this or an earlier row cannot be written, or is outside the dataset's bounds
     */
    void add(byte[] unit, int unitLength, long[] values) throws IOException {
        ByteBuffer hash = hash(UNIT, unit, unitLength);
        arriving[0] = hash.getLong();
        arriving[1] = hash.getLong();
        arriving[2] = rowsArrived++;
        packed.pack(values, arriving, KEY_WORDS);
        arrivals.add(arriving);
    }

    /** @param use separates hashes for names of units from hashes for ranks, under the same secret */
    private ByteBuffer hash(byte use, byte[] bytes, int length) {
        hmac.update(use);
        hmac.update(bytes, 0, length);
        return ByteBuffer.wrap(hmac.doFinal());
    }

    /**
     * Passes on the rows that stay, each with its mark.
     *
     * @return how many rows stay
     */
    long storeRows(RowsFileWriter writer) throws IOException {
        Stored stored = new Stored(writer);
        storeUncrowded(stored);
        storeLowestRanks(stored);
        return stored.rows;
    }

    /**
     * Passes on all rows of a unit that has at most m rows and can be held back. Ranks the rows of every other unit.
     */
    private void storeUncrowded(Stored stored) throws IOException {
        SortedRecords sorted = arrivals.sorted();
        long[] row = new long[arriving.length];
        OneUnit unit = new OneUnit(stored);
        while (sorted.next(row)) {
            unit.add(row);
        }
        unit.end();
    }

    /** Passes on the lowest-ranked rows of the units whose rows were ranked. */
    private void storeLowestRanks(Stored stored) throws IOException {
        SortedRecords sorted = ranked.sorted();
        long[] row = new long[arriving.length];
        long unit = -1;
        long number = 0;
        while (sorted.next(row)) {
            number = row[0] == unit ? number + 1 : 0;
            unit = row[0];
            if (number < maxRowsPerUnit) {
                stored.add(row, 0, number == 0);
            }
        }
    }

    private long rank(long unit0, long unit1, long number) {
        numbered.clear().putLong(unit0).putLong(unit1).putLong(number);
        return hash(RANK, numbered.array(), numbered.capacity()).getLong();
    }

    @Override
    public void close() throws IOException {
        try (arrivals) {
            ranked.close();
        }
    }

    /** Passes rows on to the writer. */
    private final class Stored {
        private final RowsFileWriter writer;
        private final long[] row = new long[columns + 1];
        private long rows;

        private Stored(RowsFileWriter writer) {
            this.writer = writer;
        }

        /** Takes the record that begins at {@code records[at]}. */
        private void add(long[] records, int at, boolean isFirstOfUnit) throws IOException {
            packed.unpack(records, at + KEY_WORDS, row);
            row[columns] = isFirstOfUnit ? 1 : 0;
            writer.add(row);
            rows++;
        }
    }

    /**
     * Takes the rows of one unit after the other, numbers them, and ranks the rows of a unit once they are too many.
     */
    private final class OneUnit {
        private final Stored stored;
        private final int words = arriving.length;
        private final int most = Math.min(maxRowsPerUnit, WORDS_HELD_BACK / words);
        private final long[] heldBack = new long[most * words];
        private final long[] record = new long[words];
        private long units;
        private long unit0;
        private long unit1;
        private long count;

        private OneUnit(Stored stored) {
            this.stored = stored;
        }

        private void add(long[] row) throws IOException {
            if (row[0] != unit0 || row[1] != unit1) {
                end();
                unit0 = row[0];
                unit1 = row[1];
            }
            if (count < most) {
                System.arraycopy(row, 0, heldBack, (int) count * words, words);
            } else {
                rankHeldBack();
                rank(count, row, 0);
            }
            count++;
        }

        private void rankHeldBack() throws IOException {
            for (int number = 0; count == most && number < count; number++) {
                rank(number, heldBack, number * words);
            }
        }

        private void rank(long number, long[] rows, int at) throws IOException {
            System.arraycopy(rows, at, record, 0, words);
            record[0] = units;
            record[1] = UnitBound.this.rank(unit0, unit1, number);
            record[2] = number;
            ranked.add(record);
        }

        /** Passes on the rows of a unit whose rows were never ranked. */
        private void end() throws IOException {
            for (int number = 0; count <= most && number < count; number++) {
                stored.add(heldBack, number * words, number == 0);
            }
            units++;
            count = 0;
        }
    }
}
