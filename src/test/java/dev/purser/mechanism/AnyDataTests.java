package dev.purser.mechanism;

import dev.purser.mechanism.SparseVector.Allocation;
import dev.purser.mechanism.SparseVector.Form;
import dev.purser.mechanism.SparseVector.Release;
import dev.purser.mechanism.SparseVector.Variant;
import dev.purser.noise.Rational;
import dev.purser.noise.SecureBits;
import dev.purser.noise.SeededBits;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.Neighborhood;
import dev.purser.privacy.PrivacyAllowance;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Every mechanism answers for all rows, from exactly the statistics that it requested: an error would be an output. */
class AnyDataTests {
    private static final long FAR = 1L << 40;

    private static List<Mechanism<?>> mechanisms(SplittableRandom random) {
        List<Neighborhood> neighborhoods = List.of(
                SmallData.ADD_OR_REMOVE_ROW,
                SmallData.REPLACE_ROW,
                SmallData.addOrRemoveUnit(Integer.MAX_VALUE),
                SmallData.replaceUnit(3));
        Neighborhood neighborhood = neighborhoods.get(random.nextInt(neighborhoods.size()));
        Epsilon epsilon = Epsilon.parse(List.of("0.000001", "0.7", "100").get(random.nextInt(3)));
        double beta = List.of(FailureProbability.LEAST, 0.05, 0.999999).get(random.nextInt(3));
        long one = value(random);
        long other = random.nextInt(5) == 0 ? one : value(random);
        long lower = Math.min(one, other);
        long upper = Math.max(one, other);
        boolean selective = random.nextBoolean();
        MeanTarget target = new MeanTarget(0, selective, lower, upper, neighborhood);
        Statistic.Count count = new Statistic.Count(0, selective, one, random.nextBoolean() ? other : Long.MAX_VALUE);
        Statistic.ClampedSum sum = new Statistic.ClampedSum(0, selective, lower, upper);
        ThresholdQueries queries = new ThresholdQueries(
                List.of(count, sum, new Statistic.ClipLoss(0, selective, lower, 1 + random.nextLong(FAR)), count),
                List.of(BigInteger.ONE, BigInteger.TEN, BigInteger.TWO.pow(70), BigInteger.ONE),
                BigInteger.valueOf(value(random)),
                neighborhood);

        List<Mechanism<?>> mechanisms = new ArrayList<>();
        mechanisms.add(PureMechanisms.count(epsilon, count, neighborhood, beta));
        mechanisms.add(PureMechanisms.count(epsilon, Statistic.Count.ofAll(0, selective), neighborhood, beta));
        mechanisms.add(PureMechanisms.sum(epsilon, sum, neighborhood, beta));
        mechanisms.add(
                PureMechanisms.histogram(epsilon, 0, selective, new long[] {-FAR, -1, 0, 7}, neighborhood, beta));
        QuantilePoints points = new QuantilePoints(0, selective, lower, upper, (upper - lower) / 9 + 1, 1);
        mechanisms.add(new NoisyMaxQuantile(epsilon, points, halfAndMost(), neighborhood, beta));
        QuantilePoints two = new QuantilePoints(0, selective, -7, FAR, FAR, 2);
        mechanisms.add(new NoisyMaxQuantile(epsilon, two, halfAndMost(), neighborhood, beta));
        mechanisms.add(new AboveThreshold(epsilon, queries, AboveThreshold.WhenNone.NONE, beta));
        for (Allocation allocation : Allocation.values()) {
            mechanisms.add(PureMechanisms.indices(epsilon, queries, 2, allocation, beta));
            mechanisms.add(PureMechanisms.values(epsilon, queries, 1_000, allocation, beta));
        }
        for (PrivacyAllowance allowance : allowances(epsilon)) {
            for (Release release : Release.values()) {
                Form textbook = new Form(release, Allocation.TEXTBOOK, Variant.AUTOMATIC);
                if (SparseVector.isPrivateFor(allowance, 3, textbook)) {
                    mechanisms.add(new SparseVector(allowance, queries, 3, textbook, beta));
                }
                for (Variant variant : Variant.values()) {
                    if (release != Release.VALUES || variant != Variant.ADAPTIVE) {
                        Form form = PureMechanisms.optimal(release, variant);
                        mechanisms.add(new SparseVector(allowance, queries, 1 + random.nextInt(4), form, beta));
                    }
                }
            }
            mechanisms.add(NoisyStatistic.count(allowance, count, neighborhood, beta));
            mechanisms.add(NoisyStatistic.sum(allowance, sum, neighborhood, beta));
            mechanisms.add(
                    new NoisyHistogram(allowance, 0, selective, new long[] {-FAR, -1, 0, 7}, neighborhood, beta));
        }
        for (PrivacyAllowance allowance : allowances(epsilon)) {
            NoisySynopsis.Plan plan = NoisySynopsis.Plan.ofRanges(List.of(1 + random.nextInt(5)));
            mechanisms.add(new NoisySynopsis(allowance, plan, NoisySynopsis.Contents.counts(selective), neighborhood));
            NoisySynopsis.Contents sums = new NoisySynopsis.Contents(selective, lower, upper);
            mechanisms.add(new NoisySynopsis(allowance, plan, sums, neighborhood));
        }
        ThresholdFamily counts = ThresholdFamily.ofCounts(neighborhood);
        ThresholdFamily sums =
                ThresholdFamily.ofSums(sum.l1Sensitivity(neighborhood).max(BigInteger.ONE));
        for (Variant variant : Variant.values()) {
            PrivacyAllowance allowance = allowances(epsilon).get(random.nextInt(3));
            Form gaps = PureMechanisms.optimal(Release.GAPS, variant);
            mechanisms.add(conversation(allowance, counts, count, neighborhood, gaps, beta));
            mechanisms.add(conversation(allowance, sums, sum, neighborhood, gaps, beta));
        }
        mechanisms.add(new SumAndCountMean(epsilon, target, beta));
        for (PrivacyAllowance allowance : allowances(epsilon)) {
            mechanisms.add(new TwoSidedMean(allowance, target, beta));
        }
        mechanisms.add(new CenteredMean(epsilon, target, beta));
        mechanisms.add(new AutoClipMean(epsilon, target, beta));
        MeanTarget narrow = new MeanTarget(0, false, -3, random.nextInt(-3, 5), SmallData.REPLACE_ROW);
        for (LocalMean.Protocol protocol : LocalMean.Protocol.values()) {
            if (epsilon.compareTo(protocol.mostEpsilon()) <= 0) {
                mechanisms.add(new LocalMean(epsilon, protocol, narrow, beta));
            }
        }
        if (KnownCountMean.isPrivateFor(target)) {
            mechanisms.add(new KnownCountMean(epsilon, target, beta));
        }
        return mechanisms;
    }

    /** A conversation that asks for the same statistic seven times. */
    private static Conversation conversation(
            PrivacyAllowance allowance,
            ThresholdFamily family,
            Statistic statistic,
            Neighborhood neighborhood,
            Form form,
            double beta) {
        return new Conversation(
                new InteractiveSparseVector(allowance, family, BigInteger.TWO, 3, OptionalInt.of(7), form, beta),
                List.of(statistic),
                neighborhood,
                replies -> replies.size() < 7 ? OptionalInt.of(0) : OptionalInt.empty());
    }

    private static List<PrivacyAllowance> allowances(Epsilon epsilon) {
        return List.of(
                new PrivacyAllowance.Pure(epsilon),
                new PrivacyAllowance.Approximate(epsilon, Delta.parse("0.000001")),
                new PrivacyAllowance.Concentrated(epsilon));
    }

    private static List<Rational> halfAndMost() {
        return List.of(Rational.of(1, 2), Rational.of(999_999, 1_000_000));
    }

    private static long value(SplittableRandom random) {
        return switch (random.nextInt(5)) {
            case 0 -> FAR;
            case 1 -> -FAR;
            case 2 -> 0;
            case 3 -> random.nextLong(-FAR, FAR + 1);
            default -> random.nextLong(-3, 4);
        };
    }

    @Test
    void isAnsweredByEveryMechanism() {
        SplittableRandom random = new SplittableRandom(61);
        for (int round = 0; round < 25; round++) {
            for (Mechanism<?> mechanism : mechanisms(random)) {
                for (List<Buckets> tables : tables(mechanism, random)) {
                    assertThat((Object) mechanism.release(Sensitive.of(tables), new SeededBits(round)))
                            .isNotNull();
                }
                assertThat((Object) mechanism.release(
                                Sensitive.of(tables(mechanism, random).getFirst()), new SecureBits()))
                        .isNotNull();
            }
        }
    }

    /** No row, a few rows of any value, and as many rows as a count can hold, unless each row takes a draw. */
    private static List<List<Buckets>> tables(Mechanism<?> mechanism, SplittableRandom random) {
        long[] edges = mechanism.statistics().stream()
                .flatMapToLong(Statistic::edges)
                .sorted()
                .distinct()
                .toArray();
        Buckets.Builder few = Buckets.over(edges);
        for (int i = 0; i < 5; i++) {
            few.add(value(random), 1);
        }
        long most = mechanism instanceof LocalMean ? 20 : Long.MAX_VALUE / 4;
        Buckets.Builder many = Buckets.over(edges);
        many.add(FAR, most);
        many.add(-FAR, most);
        return List.of(List.of(Buckets.over(edges).build()), List.of(few.build()), List.of(many.build()));
    }

    @Test
    void decidesNeitherTheStatementsNorWhatIsRead() {
        // Description, event and statistics are functions of the request: the same before and after a release.
        for (Mechanism<?> mechanism : mechanisms(new SplittableRandom(62))) {
            Description description = mechanism.description();
            List<Statistic> statistics = mechanism.statistics();
            for (List<Buckets> tables : tables(mechanism, new SplittableRandom(63))) {
                mechanism.release(Sensitive.of(tables), new SeededBits(64));
                assertThat(mechanism.description()).isEqualTo(description);
                assertThat(mechanism.statistics()).isEqualTo(statistics);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -0.1, 1, 1.5, Double.NaN, Double.MIN_VALUE, Double.POSITIVE_INFINITY})
    void isNotReachedWithABetaThatHasNoTail(double beta) {
        Epsilon epsilon = Epsilon.parse("1");
        MeanTarget target = new MeanTarget(0, false, 0, 9, SmallData.REPLACE_ROW);
        Statistic.Count count = Statistic.Count.ofAll(0, false);
        ThresholdQueries queries = ThresholdQueries.ofCounts(List.of(count), 0, SmallData.ADD_OR_REMOVE_ROW);
        List<Runnable> attempts = List.of(
                () -> PureMechanisms.count(epsilon, count, SmallData.REPLACE_ROW, beta),
                () -> PureMechanisms.histogram(epsilon, 0, false, new long[] {0, 1}, SmallData.REPLACE_ROW, beta),
                () -> new NoisyMaxQuantile(
                        epsilon, QuantilePoints.between(0, false, 0, 9, 2), halfAndMost(), SmallData.REPLACE_ROW, beta),
                () -> new AboveThreshold(epsilon, queries, AboveThreshold.WhenNone.NONE, beta),
                () -> PureMechanisms.indices(epsilon, queries, 1, Allocation.OPTIMAL, beta),
                () -> PureMechanisms.values(epsilon, queries, 1, Allocation.TEXTBOOK, beta),
                () -> conversation(
                        new PrivacyAllowance.Pure(epsilon),
                        ThresholdFamily.ofCounts(SmallData.REPLACE_ROW),
                        count,
                        SmallData.REPLACE_ROW,
                        PureMechanisms.optimal(Release.GAPS, Variant.AUTOMATIC),
                        beta),
                () -> new SumAndCountMean(epsilon, target, beta),
                () -> new CenteredMean(epsilon, target, beta),
                () -> new KnownCountMean(epsilon, target, beta),
                () -> new TwoSidedMean(new PrivacyAllowance.Pure(epsilon), target, beta),
                () -> new AutoClipMean(epsilon, target, beta),
                () -> new LocalMean(epsilon, LocalMean.Protocol.HYBRID, target, beta));
        for (Runnable attempt : attempts) {
            assertThatIllegalArgumentException().isThrownBy(attempt::run).withMessageStartingWith("beta must be");
        }
    }

    @Test
    void isNotReachedWithOtherParametersOutOfRange() {
        Statistic.Count count = Statistic.Count.ofAll(0, false);
        Neighborhood added = SmallData.ADD_OR_REMOVE_ROW;
        ThresholdQueries queries = ThresholdQueries.ofCounts(List.of(count), 0, added);
        List<Runnable> attempts = new ArrayList<>(List.of(
                () -> PureMechanisms.count(Epsilon.ZERO, count, added, 0.05),
                () -> new AboveThreshold(Epsilon.ZERO, queries, AboveThreshold.WhenNone.NONE, 0.05),
                () -> PureMechanisms.histogram(Epsilon.parse("1"), 0, false, new long[] {5}, added, 0.05),
                () -> PureMechanisms.histogram(Epsilon.parse("1"), 0, false, new long[] {5, 5}, added, 0.05),
                () -> PureMechanisms.histogram(Epsilon.parse("1"), 0, false, new long[] {5, 9, 8}, added, 0.05),
                () -> new MeanTarget(0, false, 2, 1, added),
                () -> new MeanTarget(0, false, 0, FAR + 1, added),
                () -> new MeanTarget(0, false, Long.MIN_VALUE, 0, added),
                () -> new ThresholdQueries(List.of(), List.of(), BigInteger.ZERO, added),
                () -> new ThresholdQueries(List.of(count), List.of(), BigInteger.ZERO, added),
                () -> new ThresholdQueries(List.of(count), List.of(BigInteger.ZERO), BigInteger.ZERO, added),
                () -> new ThresholdQueries(List.of(count), List.of(BigInteger.valueOf(-1)), BigInteger.ZERO, added)));
        for (Variant variant : Variant.values()) {
            Form form = PureMechanisms.optimal(Release.GAPS, variant);
            attempts.add(() -> PureMechanisms.sparse(Epsilon.parse("1"), queries, 0, form, 0.05));
            if (variant != Variant.AUTOMATIC) {
                attempts.add(() -> new Form(Release.INDICES, Allocation.TEXTBOOK, variant));
            }
        }
        attempts.add(() -> PureMechanisms.optimal(Release.VALUES, Variant.ADAPTIVE));
        for (Allocation allocation : Allocation.values()) {
            for (int c : new int[] {0, -1}) {
                attempts.add(() -> PureMechanisms.indices(Epsilon.parse("1"), queries, c, allocation, 0.05));
                attempts.add(() -> PureMechanisms.values(Epsilon.parse("1"), queries, c, allocation, 0.05));
            }
        }
        for (Runnable attempt : attempts) {
            assertThatIllegalArgumentException().isThrownBy(attempt::run);
        }
    }
}
