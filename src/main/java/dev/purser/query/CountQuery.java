package dev.purser.query;

import dev.purser.dataset.Dataset;
import dev.purser.engine.Filter;
import dev.purser.json.ObjectReader;
import dev.purser.mechanism.NoisyStatistic;
import dev.purser.mechanism.Statistic;
import dev.purser.privacy.Grid;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;

/** How many rows pass a filter? */
public final class CountQuery {
    /** The kind in paths and envelopes. */
    public static final String KIND = "count";

    private static final BigInteger MOST_SHOWN = BigInteger.ONE.shiftLeft(53).subtract(BigInteger.ONE);

    private CountQuery() {}

    /** The answer's value. */
    @Schema(name = "CountAnswerValue", description = "A noisy count.")
    public record Value(
            @Schema(description = "The noisy count. It is unbiased, and can be below zero.", example = "14410")
            BigInteger count,

            Interval interval) {}

    /** Reads the question and holds it against the dataset's public facts. */
    public static Optional<Question<?>> read(ObjectReader in, Dataset dataset) {
        CommonFields common = CommonFields.read(in, dataset);
        return in.complete(() -> question(common, dataset));
    }

    private static Question<NoisyStatistic.Answer> question(CommonFields common, Dataset dataset) {
        Filter filter = common.where().filter();
        BucketPlan plan = new BucketPlan();
        Statistic.Count count = Statistic.Count.ofAll(plan.table(null, filter), filter.isSelective());
        NoisyStatistic mechanism = NoisyStatistic.count(
                common.allowance(), count, dataset.neighborhood(), common.beta().doubleValue());
        return new Question<>(
                KIND,
                common.allowance(),
                mechanism,
                Grid.ONE,
                plan.requests(mechanism.statistics()),
                answer -> present(answer.steps(), mechanism.alphaSteps(), common.beta()));
    }

    /** Counts stay exact in every client; a count beyond 2^53 is noise, and clamping it is post-processing. */
    static BigInteger shown(BigInteger noisy) {
        return noisy.max(MOST_SHOWN.negate()).min(MOST_SHOWN);
    }

    private static Question.Presented present(BigInteger noisy, BigInteger alpha, BigDecimal beta) {
        return new Question.Presented(
                new Value(shown(noisy), Interval.around(noisy, alpha)),
                Accuracy.ofValue(
                        new BigDecimal(alpha),
                        beta,
                        "The exact count is within " + alpha + " of the answer, except with probability at most "
                                + beta.toPlainString() + "."));
    }
}
