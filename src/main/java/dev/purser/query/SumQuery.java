package dev.purser.query;

import dev.purser.dataset.Column;
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

/** What is the sum of a column's values, clamped to a range? */
public final class SumQuery {
    /** The kind in paths and envelopes. */
    public static final String KIND = "sum";

    private SumQuery() {}

    /** The answer's value. */
    @Schema(name = "SumAnswerValue", description = "A noisy sum.")
    public record Value(
            @Schema(description = "The noisy sum of clamped values, a multiple of the resolution.", example = "1256257")
            BigDecimal sum,

            Interval interval) {}

    /** Reads the question and holds it against the dataset's public facts. */
    public static Optional<Question<?>> read(ObjectReader in, Dataset dataset) {
        CommonFields common = CommonFields.read(in, dataset);
        Optional<Column.Numeric> column = Columns.numeric(in, "column", dataset);
        Optional<ClampBounds> bounds = ClampBounds.read(in, column);
        return in.complete(() -> question(common, column.orElseThrow(), bounds.orElseThrow(), dataset));
    }

    private static Question<NoisyStatistic.Answer> question(
            CommonFields common, Column.Numeric column, ClampBounds bounds, Dataset dataset) {
        Filter filter = common.where().filter();
        BucketPlan plan = new BucketPlan();
        Statistic.ClampedSum sum = new Statistic.ClampedSum(
                plan.table(column, filter), filter.isSelective(), bounds.lower(), bounds.upper());
        NoisyStatistic mechanism = NoisyStatistic.sum(
                common.allowance(), sum, dataset.neighborhood(), common.beta().doubleValue());
        return new Question<>(
                KIND,
                common.allowance(),
                mechanism,
                column.grid(),
                plan.requests(mechanism.statistics()),
                answer -> present(answer.steps(), mechanism.alphaSteps(), column.grid(), common.beta()));
    }

    private static Question.Presented present(BigInteger noisy, BigInteger alpha, Grid grid, BigDecimal beta) {
        BigDecimal bound = grid.toDecimal(alpha);
        return new Question.Presented(
                new Value(
                        grid.toDecimal(noisy),
                        new Interval(grid.toDecimal(noisy.subtract(alpha)), grid.toDecimal(noisy.add(alpha)))),
                Accuracy.ofValue(
                        bound,
                        beta,
                        "The exact sum of the clamped values is within " + bound.toPlainString()
                                + " of the answer, except with probability at most " + beta.toPlainString() + "."));
    }
}
