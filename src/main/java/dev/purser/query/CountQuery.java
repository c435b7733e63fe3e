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
import java.util.List;
import java.util.Optional;

/** How many rows pass a filter, or how many privacy units have a row that does? */
public final class CountQuery {
    public static final QuestionKind KIND = new QuestionKind(
            "count",
            "How many rows, or privacy units, pass a filter?",
            "The count with discrete Laplace noise. Unbiased; it can be below zero.",
            List.of(Counted.FIELD),
            QuestionKind.Example.ofVisits("""
                    {"epsilon": "0.1", "where": [{"column": "ward", "in": ["emergency"]}], "reuse": true}"""),
            Value.class,
            false,
            CountQuery::read,
            Optional.empty());

    private static final BigInteger MOST_SHOWN = BigInteger.ONE.shiftLeft(53).subtract(BigInteger.ONE);

    private CountQuery() {}

    /** The answer's value. */
    @Schema(name = "CountAnswerValue", description = "A noisy count.")
    public record Value(
            @Schema(description = "The noisy count. It is unbiased, and can be below zero.", example = "14410")
            BigInteger count,

            Interval interval) {}

    private static Optional<Draft> read(ObjectReader in, Dataset dataset) {
        CommonFields common = CommonFields.read(in, dataset);
        Optional<Counted> of = Counted.read(in, dataset);
        return in.complete(() -> draft(common, of.orElseThrow(), dataset));
    }

    private static Draft draft(CommonFields common, Counted of, Dataset dataset) {
        Filter filter = common.where().filter();
        BucketPlan plan = new BucketPlan();
        Statistic.Counting count = of.statistic(plan, filter);
        return allowance -> {
            NoisyStatistic mechanism = NoisyStatistic.count(
                    allowance, count, dataset.neighborhood(), common.beta().doubleValue());
            BigInteger alpha = mechanism.alphaSteps();
            return Question.of(
                            KIND,
                            allowance,
                            mechanism,
                            Grid.ONE,
                            plan,
                            accuracy(alpha, common.beta()),
                            answer -> new Value(shown(answer.steps()), Interval.around(answer.steps(), alpha)))
                    .asking(of == Counted.ROWS ? new AskedStatistic.Count(common.beta(), common.where()) : null);
        };
    }

    /**
     * Clamps a count to the integers that every client reads exactly. A count beyond 2^53 is noise, and clamping is
     * post-processing.
     */
    static BigInteger shown(BigInteger noisy) {
        return noisy.max(MOST_SHOWN.negate()).min(MOST_SHOWN);
    }

    private static Accuracy accuracy(BigInteger alpha, BigDecimal beta) {
        return Accuracy.ofValue(
                new BigDecimal(alpha),
                beta,
                "The exact count is within " + alpha + " of the answer, except with probability at most "
                        + beta.toPlainString() + ".");
    }
}
