package dev.purser.mechanism;

import java.math.BigInteger;
import java.util.List;

/** Opens what only mechanisms may open, so that a test can compare engines with an oracle. Exists under src/test only. */
public final class ExactForTests {
    private ExactForTests() {}

    public static <T> T open(Sensitive<T> sensitive) {
        return sensitive.open();
    }

    /** Everything buckets know: the counts and sums below each edge, and of all rows last. */
    public static Prefixes prefixes(Buckets buckets, long[] edges) {
        return new Prefixes(
                java.util.stream.LongStream.concat(
                                java.util.Arrays.stream(edges).map(buckets::countBelow),
                                java.util.stream.LongStream.of(buckets.totalCount()))
                        .boxed()
                        .toList(),
                java.util.stream.Stream.concat(
                                java.util.Arrays.stream(edges).mapToObj(buckets::sumBelow),
                                java.util.stream.Stream.of(buckets.totalSum()))
                        .toList());
    }

    public record Prefixes(List<Long> counts, List<BigInteger> sums) {}
}
