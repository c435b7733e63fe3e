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
import java.util.List;
import java.util.Optional;

/** A kind of question that only {@link AddedKindTests} adds: how many rows have a value of a column? */
final class AddedQuery {
    static final QuestionKind KIND = new QuestionKind(
            "added-kind",
            "How many rows have a value of a column?",
            "A count that names a column.",
            List.of(Columns.ORDERED),
            QuestionKind.Example.ofVisits("""
                    {"epsilon": "0.1", "column": "age"}"""),
            Value.class,
            false,
            AddedQuery::read,
            Optional.empty());

    private AddedQuery() {}

    @Schema(name = "AddedKindAnswerValue", description = "A noisy count.")
    record Value(
            @Schema(description = "The noisy count.", example = "14410")
            BigInteger rows) {}

    private static Optional<Draft> read(ObjectReader in, Dataset dataset) {
        CommonFields common = CommonFields.read(in, dataset);
        Optional<Column.Numeric> column = Columns.ordered(in, dataset);
        return in.complete(() -> draft(common, column.orElseThrow(), dataset));
    }

    private static Draft draft(CommonFields common, Column column, Dataset dataset) {
        Filter filter = common.where().filter();
        BucketPlan plan = new BucketPlan();
        Statistic.Count rows = Statistic.Count.ofAll(plan.table(column, filter), filter.isSelective());
        return allowance -> {
            NoisyStatistic mechanism = NoisyStatistic.count(
                    allowance, rows, dataset.neighborhood(), common.beta().doubleValue());
            return Question.of(
                    KIND,
                    allowance,
                    mechanism,
                    Grid.ONE,
                    plan,
                    Accuracy.ofValue(new BigDecimal(mechanism.alphaSteps()), common.beta(), "It is near."),
                    answer -> new Value(answer.steps()));
        };
    }
}
