package dev.purser.mechanism;

import java.lang.reflect.Modifier;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class BucketsTests {
    private static final long[] EXTREMES = {
        Long.MIN_VALUE,
        Long.MIN_VALUE + 1,
        -(1L << 40) - 1,
        -(1L << 40),
        -1,
        0,
        1,
        1L << 40,
        (1L << 40) + 1,
        Long.MAX_VALUE
    };

    @Test
    void knownPrefixesAndWholeBucketsSayTheSameAsRows() {
        SplittableRandom random = new SplittableRandom(12);
        long[] edges = {-5, 0, 1L << 40};
        Buckets.Builder rows = Buckets.over(edges);
        Buckets.Builder whole = Buckets.over(edges);
        long[] counts = new long[4];
        BigInteger[] sums = new BigInteger[4];
        Arrays.fill(sums, BigInteger.ZERO);
        for (int i = 0; i < 1000; i++) {
            long value = random.nextLong(-(1L << 40), (1L << 40) + 1);
            int bucket = value < -5 ? 0 : value < 0 ? 1 : value < 1L << 40 ? 2 : 3;
            long count = 1L << random.nextInt(44);
            rows.add(value, count);
            for (long left = count; left > 0; left -= Math.min(left, 1L << 22)) {
                whole.addTo(0, bucket, Math.min(left, 1L << 22), Math.min(left, 1L << 22) * value);
            }
            for (int below = bucket; below < 4; below++) {
                counts[below] += count;
                sums[below] = sums[below].add(BigInteger.valueOf(value).multiply(BigInteger.valueOf(count)));
            }
        }
        long[] high = Arrays.stream(sums)
                .mapToLong(sum -> sum.shiftRight(64).longValueExact())
                .toArray();
        long[] low = Arrays.stream(sums).mapToLong(BigInteger::longValue).toArray();
        ExactForTests.Prefixes expected = ExactForTests.prefixes(rows.build(), edges);
        assertThat(expected.sums()).containsExactly(sums);
        assertThat(ExactForTests.prefixes(whole.build(), edges)).isEqualTo(expected);
        assertThat(ExactForTests.prefixes(Buckets.ofPrefixes(edges, counts, high, low), edges))
                .isEqualTo(expected);
    }

    @Test
    void refusesPrefixesOfEdgesOutOfOrder() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Buckets.ofPrefixes(new long[] {1, 1}, new long[3], new long[3], new long[3]));
    }

    @Test
    void agreesWithAnOracleOnRandomRowsOfEverySizeAndSign() {
        SplittableRandom random = new SplittableRandom(11);
        for (int round = 0; round < 300; round++) {
            int size = random.nextInt(0, 6);
            long[] edges = new long[size];
            for (int i = 0; i < size; i++) {
                edges[i] = value(random);
            }
            edges = Arrays.stream(edges).sorted().distinct().toArray();
            Buckets.Builder builder = Buckets.over(edges);
            long[] values = new long[30];
            long[] counts = new long[30];
            for (int i = 0; i < values.length; i++) {
                values[i] = value(random);
                counts[i] = random.nextInt(3) == 0 ? random.nextLong(1L << 57) : random.nextInt(5);
                builder.add(values[i], counts[i]);
            }
            Buckets buckets = builder.build();
            for (long edge : edges) {
                BigInteger sum = BigInteger.ZERO;
                long count = 0;
                for (int i = 0; i < values.length; i++) {
                    if (values[i] < edge) {
                        sum = sum.add(BigInteger.valueOf(values[i]).multiply(BigInteger.valueOf(counts[i])));
                        count += counts[i];
                    }
                }
                assertThat(buckets.sumBelow(edge)).isEqualTo(sum);
                assertThat(buckets.countBelow(edge)).isEqualTo(count);
            }
        }
    }

    private static long value(SplittableRandom random) {
        return switch (random.nextInt(3)) {
            case 0 -> EXTREMES[random.nextInt(EXTREMES.length)];
            case 1 -> random.nextLong(-10, 10);
            default -> random.nextLong();
        };
    }

    @Test
    void isZeroEverywhereWithoutRows() {
        Buckets buckets = Buckets.over(new long[] {Long.MIN_VALUE, 0}).build();
        assertThat(buckets.totalCount()).isZero();
        assertThat(buckets.totalSum()).isZero();
        assertThat(buckets.countBelow(Long.MIN_VALUE)).isZero();
    }

    @Test
    void refusesEdgesThatDoNotAscend() {
        assertThatIllegalArgumentException().isThrownBy(() -> Buckets.over(new long[] {1, 1}));
        assertThatIllegalArgumentException().isThrownBy(() -> Buckets.over(new long[] {2, 1}));
    }

    @Test
    void refusesAnEdgeItWasNotBuiltOver() {
        Buckets buckets = Buckets.over(new long[] {1, 3}).build();
        assertThatIllegalArgumentException().isThrownBy(() -> buckets.countBelow(2));
        assertThatIllegalArgumentException().isThrownBy(() -> buckets.sumBelow(4));
    }

    @Test
    void keepsGroupsAndSquaresApartLikeAnOracle() {
        SplittableRandom random = new SplittableRandom(13);
        for (int round = 0; round < 100; round++) {
            int groups = 1 + random.nextInt(5);
            long[] edges = random.longs(random.nextInt(5), -(1L << 40), 1L << 40)
                    .sorted()
                    .distinct()
                    .toArray();
            Buckets.Builder one = Buckets.over(groups, edges, true);
            Buckets.Builder many = Buckets.over(groups, edges, true);
            BigInteger[][] sums = new BigInteger[groups][edges.length + 1];
            BigInteger[][] squares = new BigInteger[groups][edges.length + 1];
            long[][] counts = new long[groups][edges.length + 1];
            for (int group = 0; group < groups; group++) {
                Arrays.fill(sums[group], BigInteger.ZERO);
                Arrays.fill(squares[group], BigInteger.ZERO);
            }
            for (int i = 0; i < 40; i++) {
                int group = random.nextInt(groups);
                long value = Math.clamp(random.nextLong() >> random.nextInt(60), -(1L << 40), 1L << 40);
                long count = random.nextLong(1L << random.nextInt(1, 41));
                BigInteger sum = BigInteger.valueOf(value).multiply(BigInteger.valueOf(count));
                BigInteger square = sum.multiply(BigInteger.valueOf(value));
                one.add(group, value, count);
                many.addRows(group, value, count, sum, square);
                for (int below = 0; below <= edges.length; below++) {
                    if (below == edges.length || value < edges[below]) {
                        counts[group][below] += count;
                        sums[group][below] = sums[group][below].add(sum);
                        squares[group][below] = squares[group][below].add(square);
                    }
                }
            }
            for (Buckets table : new Buckets[] {one.build(), many.build()}) {
                assertThat(table.groups()).isEqualTo(groups);
                for (int group = 0; group < groups; group++) {
                    Buckets chosen = table.group(group);
                    assertThat(ExactForTests.prefixes(chosen, edges).counts())
                            .containsExactly(
                                    Arrays.stream(counts[group]).boxed().toArray(Long[]::new));
                    assertThat(ExactForTests.prefixes(chosen, edges).sums()).containsExactly(sums[group]);
                    assertThat(ExactForTests.squares(chosen, edges)).containsExactly(squares[group]);
                }
            }
        }
    }

    @Test
    void keepsSquaresThatPassALong() {
        Buckets.Builder builder = Buckets.over(2, new long[] {0}, true);
        builder.add(1, -(1L << 40), 1L << 45);
        builder.add(1, 1L << 40, 1L << 45);
        Buckets group = builder.build().group(1);
        assertThat(group.squaresBelow(0)).isEqualTo(BigInteger.ONE.shiftLeft(125));
        assertThat(group.totalSquares()).isEqualTo(BigInteger.ONE.shiftLeft(126));
    }

    @Test
    void tablesOfSeveralGroupsAreReadOneGroupAtATime() {
        Buckets.Builder builder = Buckets.over(2, new long[] {5}, true);
        assertThatIllegalStateException().isThrownBy(() -> builder.add(1, 1));
        Buckets table = builder.build();
        assertThatIllegalStateException().isThrownBy(table::totalCount);
        assertThatIllegalStateException().isThrownBy(table::totalSum);
        assertThatIllegalStateException().isThrownBy(table::totalSquares);
        assertThatIllegalStateException().isThrownBy(() -> table.countBelow(5));
        assertThatIllegalStateException().isThrownBy(() -> table.sumBelow(5));
        assertThatIllegalStateException().isThrownBy(() -> table.squaresBelow(5));
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> table.group(2));
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> table.group(-1));
        assertThat(table.group(1).group(0).totalCount()).isZero();
    }

    @Test
    void hasNoSquaresUnlessTheyWereAskedFor() {
        Buckets.Builder builder = Buckets.over(new long[] {5});
        builder.add(3, 2);
        Buckets buckets = builder.build();
        assertThatIllegalStateException().isThrownBy(buckets::totalSquares);
        assertThatIllegalStateException().isThrownBy(() -> buckets.squaresBelow(5));
    }

    @Test
    void refusesWhatIsNoGroupOrBucketAndWhatComesTooLate() {
        assertThatIllegalArgumentException().isThrownBy(() -> Buckets.over(0, new long[0], false));
        assertThatExceptionOfType(ArithmeticException.class)
                .isThrownBy(() -> Buckets.over(Integer.MAX_VALUE, new long[] {1}, false));
        Buckets.Builder builder = Buckets.over(2, new long[] {5}, false);
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> builder.add(2, 1, 1));
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> builder.addTo(0, 2, 1, 1));
        // The product of this group and the number of buckets wraps to zero.
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> builder.add(1 << 31, 1, 1));
        builder.build();
        assertThatIllegalStateException().isThrownBy(() -> builder.add(0, 1, 1));
        assertThatIllegalStateException().isThrownBy(builder::build);
    }

    @Test
    void showsNothingOfTheRows() {
        Buckets.Builder builder = Buckets.over(new long[] {7});
        // More digits than the hash in the name of an object has.
        builder.add(1_234_567_890_123L, 815);
        Buckets buckets = builder.build();
        assertThat(buckets.toString()).isEqualTo("Buckets[1 groups, 1 edges, redacted]");
        assertThat(builder.toString()).doesNotContain("1234567890123");
        assertThat(Sensitive.of(buckets)).hasToString("Sensitive[redacted]").isNotEqualTo(Sensitive.of(buckets));
        // There is nothing that a serializer, a logger or another package could call or read.
        for (Class<?> type : new Class<?>[] {Buckets.class, Sensitive.class}) {
            assertThat(type.getInterfaces()).isEmpty();
            assertThat(type.getFields()).isEmpty();
            assertThat(Arrays.stream(type.getDeclaredMethods())
                            .filter(method -> Modifier.isPublic(method.getModifiers())
                                    && !Modifier.isStatic(method.getModifiers()))
                            .map(java.lang.reflect.Method::getName))
                    .containsOnly("toString");
        }
    }
}
