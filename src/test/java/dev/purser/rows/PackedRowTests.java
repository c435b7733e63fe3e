package dev.purser.rows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PackedRowTests {
    @Test
    void givesBackWhatWasPacked() throws IOException {
        Random random = new Random(3);
        for (int columns = 1; columns < 60; columns++) {
            List<StoredRange> ranges = new ArrayList<>();
            for (int i = 0; i < columns; i++) {
                long lower = random.nextLong() >> 23;
                ranges.add(new StoredRange(lower, Math.min(1L << 40, lower + (random.nextLong() >>> 23 + i % 41))));
            }
            PackedRow packed = new PackedRow(StoredRows.shape(ranges));
            long[] record = random.longs(packed.words() + 3).toArray();
            for (int trial = 0; trial < 20; trial++) {
                long[] row = new long[columns];
                for (int i = 0; i < columns; i++) {
                    StoredRange range = ranges.get(i);
                    row[i] = switch (random.nextInt(3)) {
                        case 0 -> range.lower();
                        case 1 -> range.upper();
                        default -> random.nextLong(range.lower(), range.upper() + 1);
                    };
                }
                packed.pack(row, record, 3);
                long[] unpacked = new long[columns];
                packed.unpack(record, 3, unpacked);
                assertThat(unpacked).isEqualTo(row);
            }
        }
    }

    @Test
    void takesFewWords() {
        StoredRange bit = new StoredRange(0, 1);
        assertThat(new PackedRow(StoredRows.shape(Collections.nCopies(64, bit))).words())
                .isEqualTo(1);
        assertThat(new PackedRow(StoredRows.shape(Collections.nCopies(65, bit))).words())
                .isEqualTo(2);
    }
}
