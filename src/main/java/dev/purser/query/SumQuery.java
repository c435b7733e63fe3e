package dev.purser.query;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.engine.Filter;
import dev.purser.json.Field;
import dev.purser.json.ObjectReader;
import dev.purser.mechanism.NoisyStatistic;
import dev.purser.mechanism.Statistic;
import dev.purser.privacy.Grid;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/** What is the sum of a column's values, clamped to a range? */
public final class SumQuery {
    public static final QuestionKind KIND = new QuestionKind(
            "sum",
            "What is the sum of a column, each value clamped to a range?",
            "The sum with discrete Laplace noise, a multiple of the column's resolution.",
            Field.all(List.of(Columns.NUMBERS), ClampBounds.OF_NUMBERS),
            QuestionKind.Example.ofVisits("""
                    {"epsilon": "0.1", "column": "minutes", "reuse": true}"""),
            Value.class,
            false,
            SumQuery::read,
            Optional.empty());

    private SumQuery() {}

    /** The answer's value. */
    @Schema(name = "SumAnswerValue", description = "A noisy sum.")
    public record Value(
            @Schema(description = "The noisy sum of clamped values, a multiple of the resolution.", example = "1256257")
            BigDecimal sum,

            Interval interval) {}

    private static Optional<Draft> read(ObjectReader in, Dataset dataset) {
        CommonFields common = CommonFields.read(in, dataset);
        Optional<Column.Numeric> column = Columns.numbers(in, dataset);
        Optional<ClampBounds> bounds = ClampBounds.read(in, column);
        return in.complete(() -> draft(common, column.orElseThrow(), bounds.orElseThrow(), dataset));
    }

    private static Draft draft(CommonFields common, Column.Numeric column, ClampBounds bounds, Dataset dataset) {
        Filter filter = common.where().filter();
        BucketPlan plan = new BucketPlan();
        Statistic.ClampedSum sum = new Statistic.ClampedSum(
                plan.table(column, filter), filter.isSelective(), bounds.lower(), bounds.upper());
        return allowance -> {
            NoisyStatistic mechanism = NoisyStatistic.sum(
                    allowance, sum, dataset.neighborhood(), common.beta().doubleValue());
            BigInteger alpha = mechanism.alphaSteps();
            return Question.of(
                            KIND,
                            allowance,
                            mechanism,
                            column.grid(),
                            plan,
                            accuracy(column.grid().toDecimal(alpha), common.beta()),
                            answer -> value(answer.steps(), alpha, column.grid()))
                    .asking(
                            bounds.areOf(column)
                                    ? new AskedStatistic.Sum(common.beta(), common.where(), column)
                                    : null);
        };
    }

    private static Value value(BigInteger noisy, BigInteger alpha, Grid grid) {
        return new Value(
                grid.toDecimal(noisy),
                new Interval(grid.toDecimal(noisy.subtract(alpha)), grid.toDecimal(noisy.add(alpha))));
    }

    private static Accuracy accuracy(BigDecimal alpha, BigDecimal beta) {
        return Accuracy.ofValue(
                alpha,
                beta,
                "The exact sum of the clamped values is within " + alpha.toPlainString()
                        + " of the answer, except with probability at most " + beta.toPlainString() + ".");
    }
}
