package dev.purser.rows;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class SpilledRowsTests {
    /** Stored in one, two, four and eight bytes, and so many that a chunk has 1024 rows. */
    private static final RowsShape SHAPE = shape();

    @TempDir
    private Path folder;

    private static RowsShape shape() {
        List<StoredRange> ranges = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            ranges.add(new StoredRange(-100, 100));
            ranges.add(new StoredRange(5, 50_000));
            ranges.add(new StoredRange(-5_000_000, 5_000_000));
            ranges.add(new StoredRange(-(1L << 40), 1L << 40));
        }
        return StoredRows.shape(ranges);
    }

    private SpilledRows spilled() throws IOException {
        return new SpilledRows(SHAPE, folder.resolve("spilled"));
    }

    @AfterEach
    void leavesNothing() {
        assertThat(folder).isDirectoryNotContaining("glob:**spilled*");
    }

    private static List<Long> row(Random random) {
        return SHAPE.columns().stream()
                .map(range -> random.nextLong(range.lower(), range.upper() + 1))
                .toList();
    }

    private static void add(SpilledRows rows, List<Long> row) throws IOException {
        rows.add(row.stream().mapToLong(Long::longValue).toArray());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1023, 1024, 1025, 4500})
    void passesOnTheRowsThatStayAsTheyCame(int count) throws IOException {
        Random random = new Random(count);
        BitSet stays = new BitSet();
        List<List<Long>> expected = new ArrayList<>();
        Path file = folder.resolve("rows");
        try (SpilledRows rows = spilled();
                RowsFileWriter writer = new RowsFileWriter(SHAPE, file)) {
            for (int i = 0; i < count; i++) {
                List<Long> row = row(random);
                add(rows, row);
                // None of the second chunk.
                if (random.nextInt(20) == 0 && i / 1024 != 1) {
                    stays.set(i);
                    expected.add(row);
                }
            }
            rows.writeTo(writer, stays);
            writer.finish();
        }
        assertThat(StoredRows.in(file, SHAPE)).isEqualTo(expected);
    }

    @Test
    void tellsWhatCannotBeWritten() throws IOException {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> new SpilledRows(SHAPE, folder.resolve("missing/spilled")));
        try (SpilledRows rows = spilled()) {
            assertThatExceptionOfType(IOException.class).isThrownBy(this::spilled);
            add(rows, row(new Random(1)));
        }
    }

    /** A channel whose thread was interrupted is closed: to whoever uses it, the disk is broken. */
    @Test
    void tellsThatTheDiskIsBroken() throws IOException {
        try (SpilledRows rows = spilled();
                RowsFileWriter writer = new RowsFileWriter(SHAPE, folder.resolve("rows"))) {
            add(rows, row(new Random(1)));
            Thread.currentThread().interrupt();
            assertThatExceptionOfType(IOException.class).isThrownBy(() -> rows.writeTo(writer, new BitSet()));
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void refusesAValueOutsideItsColumnsBounds() throws IOException {
        try (SpilledRows rows = spilled();
                RowsFileWriter writer = new RowsFileWriter(SHAPE, folder.resolve("rows"))) {
            rows.add(LongStream.range(0, 400).toArray());
            assertThatExceptionOfType(IOException.class).isThrownBy(() -> rows.writeTo(writer, new BitSet()));
        }
    }
}
