package dev.purser.mechanism;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Opens what only mechanisms may open, so that a test can compare engines with an oracle. This class exists under
 * src/test only.
 */
public final class ExactForTests {
    private ExactForTests() {}

    public static <T> T open(Sensitive<T> sensitive) {
        return sensitive.open();
    }

    /** The number of values from {@code from} to before {@code to}. */
    public static long count(Buckets buckets, long from, long to) {
        return buckets.countBelow(to) - buckets.countBelow(from);
    }

    /** All counts and sums that buckets have. */
    public static Prefixes prefixes(Buckets buckets, long[] edges) {
        return new Prefixes(
                LongStream.concat(Arrays.stream(edges).map(buckets::countBelow), LongStream.of(buckets.totalCount()))
                        .boxed()
                        .toList(),
                Stream.concat(Arrays.stream(edges).mapToObj(buckets::sumBelow), Stream.of(buckets.totalSum()))
                        .toList());
    }

    /** The sums of squares below each edge, and of all rows last. */
    public static List<BigInteger> squares(Buckets buckets, long[] edges) {
        return Stream.concat(Arrays.stream(edges).mapToObj(buckets::squaresBelow), Stream.of(buckets.totalSquares()))
                .toList();
    }

    /** Each group of a table, in order. */
    public static List<Buckets> groups(Buckets buckets) {
        return IntStream.range(0, buckets.groups()).mapToObj(buckets::group).toList();
    }

    /** The counts and sums below each edge, and of all rows last. */
    public record Prefixes(List<Long> counts, List<BigInteger> sums) {}
}
