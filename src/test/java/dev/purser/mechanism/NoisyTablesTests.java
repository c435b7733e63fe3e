package dev.purser.mechanism;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Noisy numbers come back from their bytes. */
class NoisyTablesTests {
    private static List<long[]> readBack(byte[] written, List<Long> sizes) {
        List<long[]> tables = new ArrayList<>();
        NoisyTables.read(written, sizes).forEach(tables::add);
        return tables;
    }

    @Test
    void everyNumberComesBack() {
        long[] around = LongStream.rangeClosed(0, 63)
                .flatMap(bit -> LongStream.of((1L << bit) - 1, 1L << bit, -(1L << bit), -(1L << bit) - 1))
                .toArray();
        List<long[]> tables = List.of(
                new long[] {0, 1, -1, Long.MAX_VALUE, Long.MIN_VALUE, Long.MIN_VALUE + 1},
                new long[0],
                around,
                new Random(3).longs(1_000).toArray());
        byte[] written = NoisyTables.written(tables);
        assertThat(readBack(written, List.of(6L, 0L, (long) around.length, 1_000L)))
                .containsExactlyElementsOf(tables);
    }

    @Test
    void smallNumbersTakeOneByte() {
        assertThat(NoisyTables.written(List.of(new long[] {-64, 63, 0}))).hasSize(3);
        assertThat(NoisyTables.written(List.of(new long[] {-65, 64}))).hasSize(4);
        assertThat(NoisyTables.written(List.of(new long[] {Long.MIN_VALUE}))).hasSize(10);
    }
}
