package dev.purser.engine;

import dev.purser.rows.StoredRange;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class BucketLookupTests {
    private static final long LEAST = -(1L << 40);

    private static void check(StoredRange range, long[] edges, long[] values) {
        long[] offsets =
                Arrays.stream(values).map(value -> value - range.lower()).toArray();
        int[] buckets = new int[values.length];
        new BucketLookup(range, edges).find(offsets, buckets, values.length);
        for (int i = 0; i < values.length; i++) {
            long value = values[i];
            assertThat(buckets[i]).as("%d in %s", value, range).isEqualTo((int)
                    Arrays.stream(edges).filter(edge -> edge <= value).count());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 255, 16383, 16384, 16385, 32768, 32769, 1 << 20, 1L << 40, (1L << 41) + 1})
    void countsTheEdgesAtOrBelowAValue(long size) {
        SplittableRandom random = new SplittableRandom(size);
        StoredRange range = new StoredRange(LEAST, LEAST + size - 1);
        for (int edges : new int[] {0, 1, 2, 7, 300}) {
            long[] sorted = random.longs(edges, LEAST - size / 4 - 1, LEAST + size + size / 4 + 1)
                    .sorted()
                    .distinct()
                    .toArray();
            long[] values = LongStream.concat(
                            LongStream.of(range.lower(), range.upper()),
                            LongStream.concat(
                                            random.longs(100, range.lower(), range.upper() + 1),
                                            LongStream.of(sorted).flatMap(e -> LongStream.of(e - 1, e, e + 1)))
                                    .map(value -> Math.clamp(value, range.lower(), range.upper())))
                    .toArray();
            check(range, sorted, values);
        }
    }

    @Test
    void findsEdgesThatCrowdInOneCell() {
        StoredRange range = new StoredRange(LEAST, -LEAST);
        for (int crowd = 1; crowd < 70; crowd++) {
            long[] edges = LongStream.concat(LongStream.range(-3, crowd - 3), LongStream.of(1L << 39))
                    .toArray();
            check(range, edges, LongStream.rangeClosed(-5, crowd).toArray());
            check(range, edges, new long[] {LEAST, (1L << 39) - 1, 1L << 39, -LEAST});
        }
    }

    @Test
    void takesEdgesAtTheEndsOfAllNumbers() {
        StoredRange range = new StoredRange(LEAST, -LEAST);
        long[] edges = {Long.MIN_VALUE, LEAST, LEAST + 1, -LEAST, -LEAST + 1, Long.MAX_VALUE};
        check(range, edges, new long[] {LEAST, LEAST + 1, 0, -LEAST - 1, -LEAST});
    }
}
