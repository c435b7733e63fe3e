package dev.purser.rows;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** A profile against counts and sums of all values, computed value by value. */
class ColumnProfileTests {
    private static final long HUGE = 1L << 40;

    /** The number of records in a block. The first record of a profile stands for no rows. */
    private static final int BLOCK = 512;

    @TempDir
    private Path folder;

    @AutoClose
    private FileChannel channel;

    @BeforeEach
    void open() throws IOException {
        channel = OwnFile.create(folder.resolve("profile"));
    }

    /** A profile of values with how often each occurs, somewhere in the file. */
    private ColumnProfile profile(Map<Long, Long> times) throws IOException {
        long begin = channel.size() + 3;
        ProfileWriter writer = new ProfileWriter(channel, begin);
        for (var value : new TreeMap<>(times).entrySet()) {
            writer.add(value.getKey(), value.getValue());
        }
        writer.finish();
        assertThat(writer.records()).isEqualTo(times.size() + 1);
        assertThat(writer.end()).isEqualTo(channel.size()).isEqualTo(begin + 32L * writer.records());
        return new ColumnProfile(channel, begin, writer.records(), writer.checksum());
    }

    private static Map<Long, Long> times(long... values) {
        Map<Long, Long> times = new TreeMap<>();
        LongStream.of(values).forEach(value -> times.merge(value, 1L, Long::sum));
        return times;
    }

    /** Checks each value, the next value and the previous value, in ascending order and then in any order. */
    private void check(Map<Long, Long> times) throws IOException {
        List<Long> edges = new ArrayList<>(List.of(Long.MIN_VALUE, Long.MIN_VALUE + 1, -HUGE, HUGE, Long.MAX_VALUE));
        times.keySet().forEach(value -> edges.addAll(List.of(value - 1, value, value + 1)));
        long[] asked = edges.stream().mapToLong(Long::longValue).sorted().toArray();
        check(times, asked);
        java.util.Collections.shuffle(edges, new Random(7));
        check(times, edges.stream().mapToLong(Long::longValue).toArray());
    }

    private void check(Map<Long, Long> times, long[] edges) throws IOException {
        TreeMap<Long, BigInteger[]> upTo = new TreeMap<>();
        BigInteger[] reached = {BigInteger.ZERO, BigInteger.ZERO};
        for (var value : new TreeMap<>(times).entrySet()) {
            BigInteger count = BigInteger.valueOf(value.getValue());
            reached = new BigInteger[] {
                reached[0].add(count),
                reached[1].add(BigInteger.valueOf(value.getKey()).multiply(count))
            };
            upTo.put(value.getKey(), reached);
        }
        Prefixes below = profile(times).below(edges);
        BigInteger[] sums = StoredRows.sums(below);
        assertThat(below.counts()).hasSize(edges.length + 1);
        assertThat(sums).hasSize(edges.length + 1);
        for (int i = 0; i <= edges.length; i++) {
            var last = i == edges.length ? upTo.lastEntry() : upTo.lowerEntry(edges[i]);
            BigInteger[] expected =
                    last == null ? new BigInteger[] {BigInteger.ZERO, BigInteger.ZERO} : last.getValue();
            if (below.counts()[i] != expected[0].longValueExact() || !sums[i].equals(expected[1])) {
                throw new AssertionError("below " + (i == edges.length ? "all" : edges[i]) + ": " + below.counts()[i]
                        + " rows, " + sums[i] + " in place of " + Arrays.toString(expected));
            }
        }
    }

    @Test
    void isExactBelowEveryEdge() throws IOException {
        Random random = new Random(6);
        for (int different : new int[] {1, 2, BLOCK - 2, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK - 1, 2 * BLOCK, 3000}) {
            for (long lower : new long[] {-different / 2, -HUGE, HUGE - different + 1}) {
                check(times(LongStream.range(lower, lower + different).toArray()));
                check(times(random.longs(different, lower, lower + different).toArray()));
            }
            check(times(random.longs(different, -HUGE, HUGE + 1).toArray()));
        }
    }

    @Test
    void hasNothingBelowAnyEdgeWhereThereIsNoRow() throws IOException {
        check(Map.of());
    }

    /** As many rows as can be counted, at both ends of what can be stored: their sums are near 2^103. */
    @Test
    void sumsDoNotWrap() throws IOException {
        long many = Long.MAX_VALUE / 3;
        check(Map.of(-HUGE, many, -HUGE + 1, many, 0L, many));
        check(Map.of(HUGE - 1, many, HUGE, many));
        check(Map.of(-HUGE, many, HUGE, many));
        check(Map.of(-1L, 1L, 1L, 1L));
    }

    /** The values come one after another, as a sort gives them. */
    @Test
    void addsUpWhatComesInSeveralParts() throws IOException {
        ProfileWriter writer = new ProfileWriter(channel, 0);
        for (long value : new long[] {-5, -5, 0, 0, 0, HUGE, HUGE}) {
            writer.add(value, 1);
        }
        writer.finish();
        ColumnProfile profile = new ColumnProfile(channel, 0, writer.records(), writer.checksum());
        Prefixes below = profile.below(-5, -4, 0, 1, HUGE);
        assertThat(below.counts()).containsExactly(0, 2, 2, 5, 5, 7);
        assertThat(StoredRows.sums(below)[5]).isEqualTo(BigInteger.valueOf(2 * HUGE - 10));
    }
}
