package dev.purser.collection;

import dev.purser.json.JsonDocument;
import dev.purser.local.FrequencyRandomizer;
import dev.purser.local.LeveledNoise;
import dev.purser.local.LocalLaplace;
import dev.purser.local.Position;
import dev.purser.noise.RandomBits;
import dev.purser.noise.SeededBits;
import dev.purser.privacy.Epsilon;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Instant;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Intervals of collections whose reports are drawn by the randomizers themselves. If each collection misses with a
 * probability of 0.05, more than 15 of 80 miss with a probability of 2e-6, and more than 26 of 200 with a probability
 * of 3e-6. If each missed with a probability of 0.4, at most 15 of 80 would miss with a probability of 4e-5.
 */
class IntervalCoverageStatisticalTests {
    private static final double BETA = 0.05;
    private static final Trials EVERY_BUILD = new Trials(80, 15);
    private static final Trials DEEP = new Trials(200, 26);

    /** How many collections are drawn, and how many of them may miss. */
    private record Trials(int collections, int mostMisses) {}

    private static Protocol<?> protocol(String fields) {
        return JsonDocument.parse(CollectionsForTests.json("'id':'c'," + fields))
                .read(in -> CollectionDeclaration.read(in, Instant.MIN))
                .declared()
                .protocol();
    }

    @ParameterizedTest
    @CsvSource({
        "grr, 100, 10, 1000",
        "frequencies, 100, 6, 1000",
        "frequencies, 300, 6, 1000",
        "frequencies, 2, 10, 1",
        "grr, 2, 0.1, 10000",
        "grr, 500, 3, 2000",
        "oue, 100, 10, 1000",
        "oue, 2, 1, 30",
        "olh, 20, 6, 1000",
        "olh, 100, 1, 200",
        "hadamard, 100, 10, 1000",
        "hadamard, 500, 0.1, 1000"
    })
    @Retention(RetentionPolicy.RUNTIME)
    @interface OfCategories {}

    @OfCategories
    void theSharesOfAllCategoriesAreWithinTheirIntervals(String name, int categories, String epsilon, int devices) {
        assertWithin(EVERY_BUILD, name, categories, epsilon, devices);
    }

    @Tag("deep")
    @OfCategories
    void theSharesOfManyCollectionsAreWithinTheirIntervals(String name, int categories, String epsilon, int devices) {
        assertWithin(DEEP, name, categories, epsilon, devices);
    }

    private static void assertWithin(Trials trials, String name, int categories, String epsilon, int devices) {
        String labels =
                IntStream.range(0, categories).mapToObj("'%d'"::formatted).collect(Collectors.joining(","));
        Protocol<?> protocol =
                protocol("'protocol':'" + name + "','categories':[" + labels + "],'epsilon':'" + epsilon + "'");
        assertThat(missed(trials, protocol, categories, devices, device -> 0)).isLessThanOrEqualTo(trials.mostMisses());
        assertThat(missed(trials, protocol, categories, devices, device -> device % categories))
                .isLessThanOrEqualTo(trials.mostMisses());
    }

    @SuppressWarnings("unchecked") // the sums of a protocol of categories are its randomizer
    private static <R> int missed(
            Trials trials, Protocol<R> protocol, int categories, int devices, IntUnaryOperator category) {
        FrequencyRandomizer<R> randomizer = (FrequencyRandomizer<R>) protocol.sums();
        RandomBits bits = new SeededBits(43);
        double[] truth = new double[categories];
        IntStream.range(0, devices).forEach(device -> truth[category.applyAsInt(device)]++);
        int missed = 0;
        for (int collection = 0; collection < trials.collections(); collection++) {
            long[] sums = new long[randomizer.tallies()];
            for (int device = 0; device < devices; device++) {
                randomizer.add(randomizer.report(category.applyAsInt(device), bits), sums, 0);
            }
            Estimate estimate = protocol.estimator().of(sums, devices, BETA);
            missed += IntStream.range(0, categories)
                            .allMatch(i -> estimate.lows()[i] <= truth[i] / devices
                                    && truth[i] / devices <= estimate.highs()[i])
                    ? 0
                    : 1;
        }
        return missed;
    }

    /** Of 2,000 collections at beta 0.001, more than 12 miss with a probability of at most 2e-7. */
    @ParameterizedTest
    @CsvSource({"1, 0", "2, 3", "1, 1000", "5, 30"})
    void theMeanIsWithinItsIntervalWhereFewReportsCarryTheNoise(int ofLowEpsilon, int ofHighEpsilon) {
        @SuppressWarnings("unchecked")
        Protocol<LeveledNoise> protocol = (Protocol<LeveledNoise>)
                protocol("'protocol':'multilevel-laplace','range':{'lower':0,'upper':1},'epsilons':['5','0.01']");
        List<LocalLaplace> levels = List.of(
                new LocalLaplace(Epsilon.parse("5"), Protocol.WIDTH),
                new LocalLaplace(Epsilon.parse("0.01"), Protocol.WIDTH));
        RandomBits bits = new SeededBits(47);
        Position lowest = new Position(0, Protocol.WIDTH);
        int missed = 0;
        for (int collection = 0; collection < 2_000; collection++) {
            long[] sums = new long[protocol.sums().tallies()];
            for (int device = 0; device < ofLowEpsilon; device++) {
                protocol.sums().add(new LeveledNoise(2, levels.get(1).report(lowest, bits)), sums, 0);
            }
            for (int device = 0; device < ofHighEpsilon; device++) {
                protocol.sums().add(new LeveledNoise(1, levels.get(0).report(lowest, bits)), sums, 0);
            }
            Estimate estimate = protocol.estimator().of(sums, ofLowEpsilon + ofHighEpsilon, 0.001);
            missed += estimate.lows()[0] <= -1 && -1 <= estimate.highs()[0] ? 0 : 1;
        }
        assertThat(missed).isLessThanOrEqualTo(12);
    }
}
