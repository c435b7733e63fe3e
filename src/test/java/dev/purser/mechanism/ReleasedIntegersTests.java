package dev.purser.mechanism;

import dev.purser.noise.SeededBits;
import dev.purser.privacy.Grid;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Which integers each mechanism releases, in which order, with which noise. A stored answer is refined place by place:
 * another integer at a place would be taken for noise.
 */
class ReleasedIntegersTests {
    /** An epsilon so large that no noise is drawn: the probability of a noise is below 1e-1000. */
    private static final String NO_NOISE = "1000000";

    /** Values in the first column, groups in the second, truth values in the third. */
    private static final List<long[]> ROWS =
            List.of(new long[] {0, 0, 0, 0}, new long[] {1, 1, 1, 0}, new long[] {1, 0, 1, 1}, new long[] {4, 1, 0, 1});

    private static final SmallData GROUPED =
            new SmallData(List.of(new SmallData.View(0, row -> true, 2, row -> (int) row[1])));

    private static Aggregate of(Aggregate.Function function, Aggregate.Measure measure) {
        return new Aggregate(function, measure, 1);
    }

    static Stream<Arguments> mechanisms() {
        MeanTarget target = new MeanTarget(0, false, 0, 4, SmallData.ADD_OR_REMOVE_ROW);
        Aggregate.Measure measure = new Aggregate.Measure("x", Grid.ONE, 0, 0, 4);
        return Stream.of(
                Arguments.of(
                        ServedMechanisms.count(NO_NOISE, Statistic.Count.ofAll(0, true), SmallData.ADD_OR_REMOVE_ROW),
                        SmallData.ONE_COLUMN,
                        " *1/1000000 4"),
                Arguments.of(
                        ServedMechanisms.sum(
                                NO_NOISE, new Statistic.ClampedSum(0, false, 0, 4), SmallData.ADD_OR_REMOVE_ROW),
                        SmallData.ONE_COLUMN,
                        " *1/250000 6"),
                Arguments.of(
                        ServedMechanisms.histogram(
                                NO_NOISE, 0, false, new long[] {0, 1, 2, 5}, SmallData.ADD_OR_REMOVE_ROW),
                        SmallData.ONE_COLUMN,
                        " *1/1000000 1 2 1"),
                Arguments.of(ServedMechanisms.twoSidedMean(NO_NOISE, target), SmallData.ONE_COLUMN, " *1/250000 6 10"),
                Arguments.of(
                        ServedMechanisms.centeredMean(NO_NOISE, target),
                        SmallData.ONE_COLUMN,
                        " *1/187500 -4 *1/250000 4"),
                Arguments.of(
                        ServedMechanisms.sumAndCountMean(NO_NOISE, target),
                        SmallData.ONE_COLUMN,
                        " *1/125000 6 *1/500000 4"),
                Arguments.of(
                        ServedMechanisms.knownCountMean(
                                NO_NOISE, new MeanTarget(0, false, 0, 4, SmallData.REPLACE_ROW)),
                        SmallData.ONE_COLUMN,
                        " *1/250000 6 *0/1 4"),
                Arguments.of(
                        ServedMechanisms.table(
                                NO_NOISE,
                                List.of(
                                        of(Aggregate.Function.VARIANCE, measure),
                                        of(Aggregate.Function.SUM, new Aggregate.Measure("y", Grid.ONE, 0, -4, 4))),
                                new NoisyTable.Shape(2, false),
                                SmallData.ADD_OR_REMOVE_ROW),
                        GROUPED,
                        " *1/31250 1 6 25 *1/125000 1 *0 17 6 9 *1 5"),
                ofSynopsis(NoisySynopsis.Plan.ofMarginals(List.of(2, 2), 1), " *1/500000 2 2"),
                ofSynopsis(NoisySynopsis.Plan.ofMarginals(List.of(2, 2, 2), 2), " *3/1000000 4 4 4"));
    }

    private static Arguments ofSynopsis(NoisySynopsis.Plan plan, String released) {
        NoisySynopsis synopsis = ServedMechanisms.synopsis(
                NO_NOISE, plan, NoisySynopsis.Contents.counts(false), SmallData.ADD_OR_REMOVE_ROW);
        return Arguments.of(synopsis, SynopsisAudits.data(synopsis), released);
    }

    @ParameterizedTest(name = "{2}")
    @MethodSource("mechanisms")
    void theyStayWhatTheyAre(Refinable<?> mechanism, SmallData data, String released) {
        IntegerRelease release = IntegerRelease.first(new SeededBits(1));
        release.answer(mechanism, Sensitive.of(data.tables(mechanism.statistics(), ROWS)));
        assertThat(new String(release.released().orElseThrow().bytes(), StandardCharsets.US_ASCII))
                .as("if this is meant to change, raise ReleasedIntegers.FORM: no answer of before can be refined then")
                .isEqualTo(ReleasedIntegers.FORM + released);
    }

    @Test
    void aTableOfAnotherSizeIsNotRefined() {
        NoisySynopsis synopsis = SynopsisAudits.counts("2", SmallData.ADD_OR_REMOVE_ROW);
        Sensitive<List<Buckets>> exact =
                Sensitive.of(SynopsisAudits.data(synopsis).tables(synopsis.statistics(), ROWS));
        IntegerRelease first = IntegerRelease.first(new SeededBits(1));
        first.answer(synopsis, exact);
        IntegerRelease again = IntegerRelease.refining(
                first.released().orElseThrow(),
                List.of(new long[3], new long[3]).iterator(),
                new SeededBits(2));

        assertThatThrownBy(() -> again.answer(synopsis, exact)).isInstanceOf(IllegalStateException.class);
    }
}
