package dev.purser.local;

import dev.purser.privacy.Epsilon;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class FrequenciesTests {
    /**
     * Randomized response up to k = 3e^ε + 2, then the bits while they fit, then the hash, then the row. A hash onto
     * two values is as good as a row, and longer. At the least epsilon, all protocols but the first are equally good.
     */
    @ParameterizedTest
    @CsvSource({
        "1, 2, 4096, GeneralizedRandomizedResponse, 1",
        "1, 10, 4096, GeneralizedRandomizedResponse, 4",
        "1, 11, 4096, OptimizedUnaryEncoding, 11",
        "1, 1000, 4096, OptimizedUnaryEncoding, 1000",
        "1, 4096, 4096, OptimizedUnaryEncoding, 4096",
        "1, 4097, 4096, OptimizedLocalHashing, 64",
        "1, 16384, 4096, OptimizedLocalHashing, 64",
        "1, 16385, 4096, HadamardResponse, 16",
        "1, 16385, 100000, OptimizedUnaryEncoding, 16385",
        "1, 1000, 63, HadamardResponse, 11",
        "1, 1000, 10, GeneralizedRandomizedResponse, 10",
        "0.3, 5000, 4096, HadamardResponse, 14",
        "0.000001, 1000, 4096, HadamardResponse, 11",
        "5, 447, 4096, GeneralizedRandomizedResponse, 9",
        "5, 448, 4096, OptimizedUnaryEncoding, 448",
        "12, 100000, 4096, GeneralizedRandomizedResponse, 17",
        "1, 100000, 4096, HadamardResponse, 18",
        "1, 100001, 1000000, GeneralizedRandomizedResponse, 17",
        "100, 1000000, 20, GeneralizedRandomizedResponse, 20"
    })
    void areReportedWithTheLeastVarianceThatFits(
            String epsilon, int categories, int maxReportBits, String type, int reportBits) {
        FrequencyRandomizer<?> chosen = Frequencies.ofLeastVariance(Epsilon.parse(epsilon), categories, maxReportBits);
        assertThat(chosen.getClass().getSimpleName()).isEqualTo(type);
        assertThat(chosen.categories()).isEqualTo(categories);
        assertThat(chosen.epsilon()).isEqualTo(Epsilon.parse(epsilon));
        assertThat(chosen.reportBits()).isEqualTo(reportBits);
    }

    @Test
    void haveNoFittingProtocolOfLessVariance() {
        for (String text : List.of("0.01", "0.3", "0.5", "1", "2", "4", "8")) {
            Epsilon epsilon = Epsilon.parse(text);
            for (int categories : new int[] {2, 3, 7, 20, 100, 1000, 9000}) {
                List<FrequencyRandomizer<?>> all = List.of(
                        new GeneralizedRandomizedResponse(categories, epsilon),
                        new OptimizedUnaryEncoding(categories, epsilon),
                        new OptimizedLocalHashing(categories, epsilon),
                        new HadamardResponse(categories, epsilon));
                for (int most : new int[] {14, 100, 10_000}) {
                    FrequencyRandomizer<?> chosen = Frequencies.ofLeastVariance(epsilon, categories, most);
                    double variance = chosen.frequencyVariance(0, 1);
                    assertThat(chosen.reportBits()).isLessThanOrEqualTo(most);
                    assertThat(all)
                            .filteredOn(each -> each.reportBits() <= most)
                            .allSatisfy(each -> assertThat(each.frequencyVariance(0, 1))
                                    .isGreaterThanOrEqualTo(variance * (1 - 1e-9)));
                }
            }
        }
    }

    @Test
    void areRefusedWhereNoProtocolFits() {
        Epsilon one = Epsilon.parse("1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Frequencies.ofLeastVariance(one, 1000, 9))
                .withMessage("no protocol reports one of 1000 categories in at most 9 bits");
        assertThatIllegalArgumentException().isThrownBy(() -> Frequencies.ofLeastVariance(one, 1, 4096));
        assertThatIllegalArgumentException().isThrownBy(() -> Frequencies.ofLeastVariance(one, 1_000_001, 4096));
        assertThatIllegalArgumentException().isThrownBy(() -> Frequencies.ofLeastVariance(Epsilon.ZERO, 2, 4096));
    }

    /** A report of 4 categories: every protocol adds the report at an offset, and nowhere else. */
    @Test
    void areSumsThatBeginAtAnOffset() {
        Epsilon one = Epsilon.parse("1");
        assertSums(new GeneralizedRandomizedResponse(4, one), 3, 4, 5, 1);
        OptimizedLocalHashing hashed = new OptimizedLocalHashing(4, one);
        assertThat(hashed.values()).isEqualTo(4);
        // The category is its own image, and all images are in the first of four parts.
        assertSums(hashed, new HashedCategory(1, 0, 0), 4, 2, 1, 1, 1, 1);
        assertSums(hashed, new HashedCategory(1, 0, 1), 4, 2);
        assertSums(new HadamardResponse(4, one), new HadamardSign(7, Sign.MINUS), 8, 9, -1);
        assertSums(
                new OptimizedUnaryEncoding(4, one),
                new CategoryBits(BitSet.valueOf(new long[] {0b1010})),
                4,
                3,
                1,
                0,
                1);
    }

    private static <R> void assertSums(
            FrequencyRandomizer<R> randomizer, R report, int tallies, int first, long... expected) {
        assertThat(randomizer.tallies()).isEqualTo(tallies);
        long[] tally = new long[2 + tallies + 2];
        randomizer.add(report, tally, 2);
        long[] all = new long[tally.length];
        System.arraycopy(expected, 0, all, first, expected.length);
        assertThat(tally).isEqualTo(all);
    }
}
