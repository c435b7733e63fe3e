package dev.purser.query;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.engine.Filter;
import dev.purser.engine.GroupKey;
import dev.purser.json.Elements;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.mechanism.Aggregate;
import dev.purser.mechanism.Aggregate.Function;
import dev.purser.mechanism.IntervalEstimate;
import dev.purser.mechanism.NoisyTable;
import dev.purser.mechanism.OnDemand;
import dev.purser.mechanism.Statistic;
import dev.purser.privacy.Grid;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Counts, sums, means, variances and shares of groups, for one charge. */
public final class AggregateQuery {
    private static final int MAX_VALUES = 200_000;
    private static final Field<Elements<ObjectReader>> AGGREGATES = Field.required(
            "aggregates",
            FieldType.elements(AggregateItem.TYPE, 1, 20),
            "At most " + MAX_VALUES + " values in all groups.");

    public static final QuestionKind KIND = new QuestionKind(
            "aggregate",
            "What are the counts, sums, means, variances and shares of all groups?",
            "A table for one charge, whatever the number of groups: all groups of the keys are listed, empty or not."
                    + " What the aggregates share is measured once, and epsilon is divided over what is measured.",
            List.of(GroupKeys.field(AggregateKey.MAX_GROUPS), AGGREGATES),
            QuestionKind.Example.ofVisits("""
                    {"epsilon": "0.5", "groupBy": [{"column": "age", "edges": [0, 20, 40, 60, 80, 111]}],
                     "aggregates": [{"count": {}}, {"mean": {"column": "minutes"}}], "reuse": true}"""),
            Value.class,
            true,
            AggregateQuery::read,
            Optional.of(new AggregateCsv()));

    private static final long MAX_BYTES = 48 << 20;

    /** The most bytes of a value and its interval in an answer, with all their digits. */
    private static final int VALUE_BYTES = 110;

    private AggregateQuery() {}

    /** The answer's value. */
    @Schema(name = "AggregateAnswerValue", description = "A table of groups.")
    public record Value(
            @Schema(description = "The columns of the keys.", example = "[\"age\"]")
            List<String> keys,

            @Schema(description = "The names of the aggregates.", example = "[\"count\", \"mean(minutes)\"]")
            List<String> aggregates,

            @Schema(description = "All groups, those of the last key fastest. Without keys, one group of all rows.")
            List<Group> groups) {}

    /** One group. */
    @Schema(name = "AggregateGroup", description = "One group and its aggregates.")
    public record Group(
            @Schema(description = "Its place in each key, in their order.")
            List<AggregateKey.Value> key,

            @Schema(description = "In the order of the aggregates.")
            List<GroupValue> values) {}

    /** One aggregate of one group. */
    @Schema(name = "AggregateValue", description = "A noisy aggregate of one group.")
    public record GroupValue(
            @Schema(
                    description = "The noisy aggregate. A count is unbiased and can be below zero; a sum is unbiased to"
                            + " within half a step of its column. A mean or a variance lies within its possible"
                            + " range.",
                    example = "38.6")
            BigDecimal value,

            Interval interval) {}

    /** The question without its allowance. */
    private record Table(CommonFields common, GroupKeys keys, List<AggregateItem> items) {
        int groups() {
            return keys.groups();
        }

        boolean isFiltered() {
            return common.where().filter().isSelective() || keys.leaveOut();
        }
    }

    private static Optional<Draft> read(ObjectReader in, Dataset dataset) {
        CommonFields common = CommonFields.read(in, dataset);
        Set<String> headers = new HashSet<>();
        Optional<GroupKeys> keys = GroupKeys.read(in, dataset, headers);
        boolean byBlock = keys.filter(GroupKeys::divideBlocks).isPresent();
        Optional<List<AggregateItem>> items = in.read(AGGREGATES)
                .flatMap(all -> all.read(each -> AggregateItem.read(each, dataset, byBlock)
                        .filter(item -> GroupKeys.addNames(each, AggregateItem.NAME, item.headers(), headers))));
        refuseIfTooLarge(in, keys.orElse(GroupKeys.NONE), items.map(List::size).orElse(0));
        return in.complete(() -> draft(new Table(common, keys.orElseThrow(), items.orElseThrow()), dataset));
    }

    private static void refuseIfTooLarge(ObjectReader in, GroupKeys keys, int aggregates) {
        if (!keys.requireFew(in, AggregateKey.MAX_GROUPS)) {
            return;
        }
        long groups = keys.groups();
        if (groups * aggregates > MAX_VALUES) {
            in.refuse(
                    AGGREGATES,
                    "the table must have at most " + MAX_VALUES + " values, had " + groups + " groups of " + aggregates
                            + " aggregates");
        } else if (bytes(keys.keys(), groups, aggregates) > MAX_BYTES) {
            in.refuse(
                    GroupKeys.FIELD,
                    "the answer must have at most " + (MAX_BYTES >> 20) + " MB, and the names of " + groups
                            + " groups would make it longer");
        }
    }

    /** The most bytes of an answer. */
    private static long bytes(List<AggregateKey> keys, long groups, int aggregates) {
        long ofKeys = keys.stream()
                .mapToLong(key -> groups / key.groups() * key.bytes())
                .sum();
        return ofKeys + groups * aggregates * VALUE_BYTES;
    }

    private static Draft draft(Table table, Dataset dataset) {
        NoisyTable.Shape shape = new NoisyTable.Shape(
                table.groups(), table.isFiltered(), table.keys().ofBlock());
        BigDecimal beta = table.common().beta();
        return allowance -> {
            BucketPlan plan = new BucketPlan();
            List<Aggregate> aggregates = aggregates(table, plan);
            NoisyTable mechanism =
                    new NoisyTable(allowance, aggregates, shape, dataset.neighborhood(), beta.doubleValue());
            AggregateAccuracy accuracy = new AggregateAccuracy(table.items(), mechanism, aggregates, beta);
            return new Question<>(
                    KIND,
                    allowance,
                    mechanism,
                    Grid.ONE,
                    plan,
                    accuracy::expected,
                    (answer, _) -> new Question.Presented(value(table, answer), accuracy.stated(answer)),
                    null);
        };
    }

    /**
     * The aggregates. Their tables are added to the plan: one for each column, and one for units. If rows are counted,
     * they are counted in the first table: the table of the first column, or a table of rows if no aggregate has a
     * column. The table of units comes after it.
     */
    private static List<Aggregate> aggregates(Table table, BucketPlan plan) {
        Filter filter = table.common().where().filter();
        List<GroupKey> keys = table.keys().ofEngine();
        if (table.items().stream().anyMatch(item -> item.function() != Function.UNITS)) {
            plan.table(firstColumn(table.items()), filter, keys, false);
        }
        List<Aggregate> aggregates = new ArrayList<>();
        for (AggregateItem item : table.items()) {
            Aggregate.Measure measure = switch (item.of()) {
                case null ->
                    item.function() == Function.UNITS ? Aggregate.Measure.units(plan.unitTable(filter, keys)) : null;
                case AggregateItem.Values(Column.Numeric column, ClampBounds bounds) ->
                    new Aggregate.Measure(
                            column.name(),
                            column.grid(),
                            plan.table(column, filter, keys, item.needsSquares()),
                            bounds.lower(),
                            bounds.upper());
                case AggregateItem.Meeting(Filter.Condition condition) ->
                    Aggregate.Measure.whether(
                            condition.column().name(),
                            rowsThatMeet(condition, plan.table(condition.column(), filter, keys, false)));
            };
            aggregates.add(new Aggregate(item.function(), measure, item.weight()));
        }
        return aggregates;
    }

    private static @Nullable Column firstColumn(List<AggregateItem> items) {
        return items.stream()
                .map(AggregateItem::of)
                .filter(Objects::nonNull)
                .map(AggregateItem.Of::column)
                .findFirst()
                .orElse(null);
    }

    /** The rows of a table of the condition's column: between two ends, or at the places of categories. */
    private static Statistic.RowsWithin rowsThatMeet(Filter.Condition condition, int table) {
        List<Statistic.Count> ranges = switch (condition) {
            case Filter.Between between -> List.of(new Statistic.Count(table, true, between.from(), between.to()));
            case Filter.OneOf oneOf ->
                IntStream.range(0, oneOf.column().categories().size())
                        .filter(oneOf.categories()::contains)
                        .mapToObj(place -> new Statistic.Count(table, true, place, place + 1L))
                        .toList();
        };
        return new Statistic.RowsWithin(table, ranges);
    }

    private static Value value(Table table, NoisyTable.Answer answer) {
        return new Value(
                table.keys().columns(),
                table.items().stream().map(AggregateItem::name).toList(),
                new OnDemand<>(
                        answer.groups().size(),
                        group -> new Group(
                                table.keys().place(group),
                                answer.groups().get(group).stream()
                                        .map(AggregateQuery::shown)
                                        .toList())));
    }

    private static GroupValue shown(IntervalEstimate estimate) {
        return new GroupValue(ShownDecimals.plain(estimate.value()), Interval.of(estimate));
    }
}
