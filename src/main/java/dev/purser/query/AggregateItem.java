package dev.purser.query;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.engine.Filter;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.json.Shape;
import dev.purser.mechanism.Aggregate.Function;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * One aggregate of a table as it was sent.
 *
 * @param of what the aggregate is computed of; null for a number of rows or of privacy units
 */
record AggregateItem(
        Function function,
        String name,
        int weight,
        @Nullable Of of) {
    /** What an aggregate is computed of. */
    sealed interface Of {
        Column column();
    }

    /** The values of a column, clamped. */
    record Values(Column.Numeric column, ClampBounds bounds) implements Of {}

    /** Whether the values of a column meet a condition. */
    record Meeting(Filter.Condition condition) implements Of {
        @Override
        public Column column() {
            return condition.column();
        }
    }

    private static final String COUNT = "count";
    private static final String SHARE = "share";

    /** The functions by their names in requests. A share is the mean of ones and zeros. */
    private static final SequencedMap<String, Function> WORDS = words();

    private static SequencedMap<String, Function> words() {
        SequencedMap<String, Function> words = new LinkedHashMap<>();
        for (Function function : Function.values()) {
            words.put(word(function), function);
        }
        // Units have no word of their own. A request counts them with "count" and its field "of".
        words.remove(word(Function.UNITS));
        words.put(SHARE, Function.MEAN);
        return words;
    }

    private static final Field<Integer> WEIGHT = Field.optional(
                    "weight", FieldType.integer(1, 1_000), "How much of epsilon it gets beside the others.")
            .withDefault(1);
    static final Field<String> NAME = Field.optional(
                    "name",
                    FieldType.text(1, 128),
                    "Its name in the answer. By default `mean(hours-per-week)`, for example.")
            .withoutExample();

    private static final List<Field<ObjectReader>> FUNCTIONS = List.of(
            Field.optional(
                    COUNT,
                    FieldType.object(new Shape.ObjectOf("AggregateCount", "What is counted.", List.of(Counted.FIELD))),
                    "The number of rows, or of privacy units with a row in the group."),
            measured(Function.SUM, "The sum of the clamped values."),
            measured(Function.MEAN, "The mean of the clamped values."),
            measured(
                    Function.VARIANCE,
                    "The variance of the clamped values: the mean squared distance from their mean."),
            measured(Function.STANDARD_DEVIATION, "The square root of the variance."),
            Field.optional(
                    SHARE, Where.CONDITION, "The share of the rows that meet a condition on one column, from 0 to 1."));

    /** An aggregate as the API describes it. */
    static final FieldType<ObjectReader> TYPE = FieldType.object(new Shape.ObjectOf(
            "Aggregate",
            "Exactly one of `count`, `sum`, `mean`, `variance`, `standardDeviation` and `share`.",
            Field.all(FUNCTIONS, List.of(WEIGHT, NAME))));

    private static Field<ObjectReader> measured(Function function, String description) {
        return Field.optional(
                word(function),
                FieldType.object(new Shape.ObjectOf(
                        "AggregateMeasure",
                        "A column of numbers, clamped to [lower, upper].",
                        Field.all(List.of(Columns.NUMBERS), ClampBounds.OF_NUMBERS))),
                description);
    }

    /** The name of a function in requests. */
    static String word(Function function) {
        return function == Function.STANDARD_DEVIATION ? "standardDeviation" : FieldType.word(function);
    }

    /** @param byBlock whether each group has rows of one block only */
    static Optional<AggregateItem> read(ObjectReader in, Dataset dataset, boolean byBlock) {
        Optional<Field<ObjectReader>> function = in.exactlyOne(FUNCTIONS);
        Optional<Integer> weight = in.read(WEIGHT);
        Optional<String> name = in.read(NAME);
        Optional<AggregateItem> item = function.flatMap(sent -> in.read(sent).flatMap(inner -> switch (sent.name()) {
            case COUNT -> {
                Optional<Counted> of = Counted.read(inner, dataset, byBlock);
                yield inner.complete(() -> count(of.orElseThrow()));
            }
            case SHARE ->
                Where.one(inner, dataset)
                        .flatMap(condition -> inner.complete(() -> new AggregateItem(
                                Function.MEAN, named(SHARE, condition.column()), 1, new Meeting(condition))));
            default -> measured(inner, sent.name(), dataset);
        }));
        return in.complete(() -> {
            AggregateItem read = item.orElseThrow();
            return new AggregateItem(read.function, name.orElse(read.name), weight.orElseThrow(), read.of);
        });
    }

    private static AggregateItem count(Counted of) {
        return switch (of) {
            case ROWS -> new AggregateItem(Function.COUNT, COUNT, 1, null);
            case UNITS -> new AggregateItem(Function.UNITS, COUNT + "(units)", 1, null);
        };
    }

    private static String named(String word, Column column) {
        return word + "(" + column.name() + ")";
    }

    private static Optional<AggregateItem> measured(ObjectReader in, String word, Dataset dataset) {
        Optional<Column.Numeric> column = Columns.numbers(in, dataset);
        Optional<ClampBounds> bounds = ClampBounds.read(in, column);
        return in.complete(() -> {
            Column.Numeric known = column.orElseThrow();
            return new AggregateItem(
                    Objects.requireNonNull(WORDS.get(word)),
                    named(word, known),
                    1,
                    new Values(known, bounds.orElseThrow()));
        });
    }

    boolean needsSquares() {
        return function == Function.VARIANCE || function == Function.STANDARD_DEVIATION;
    }

    /** The names of its columns in CSV. */
    List<String> headers() {
        return List.of(name, name + ".low", name + ".high");
    }
}
