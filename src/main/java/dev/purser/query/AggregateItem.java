package dev.purser.query;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.mechanism.Aggregate.Function;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One aggregate of a table as it was sent.
 *
 * @param values that it is computed of; null for a count
 */
record AggregateItem(
        Function function,
        String name,
        int weight,
        @Nullable Values values) {
    /** The values of a column, clamped. */
    record Values(Column.Numeric column, ClampBounds bounds) {}

    private static final int MAX_WEIGHT = 1_000;
    private static final String WEIGHT = "weight";
    static final String NAME = "name";

    /** An aggregate as the API describes it. */
    static final FieldType TYPE = new FieldType.ObjectOf(
            "Aggregate",
            "Exactly one of `count`, `sum`, `mean`, `variance` and `standardDeviation`.",
            Field.all(
                    List.of(Field.optional("count", new FieldType.ObjectOf("AggregateCount"), "The number of rows.")),
                    Stream.of(
                                    measured(Function.SUM, "The sum of the clamped values."),
                                    measured(Function.MEAN, "The mean of the clamped values."),
                                    measured(
                                            Function.VARIANCE,
                                            "The variance of the clamped values: the mean squared distance from their"
                                                    + " mean."),
                                    measured(Function.STANDARD_DEVIATION, "The square root of the variance."))
                            .toList(),
                    List.of(
                            Field.optional(
                                            WEIGHT,
                                            FieldType.INTEGER,
                                            "How much of epsilon it gets beside the others: 1 to " + MAX_WEIGHT + ".")
                                    .withDefault(BigDecimal.ONE),
                            Field.optional(
                                            NAME,
                                            FieldType.TEXT,
                                            "Its name in the answer: 1 to 128 characters. By default"
                                                    + " `mean(hours-per-week)`, for example.")
                                    .withoutExample())));

    private static Field measured(Function function, String description) {
        return Field.optional(
                word(function),
                new FieldType.ObjectOf(
                        "AggregateMeasure",
                        "A column of numbers, clamped to [lower, upper].",
                        Field.all(List.of(Columns.NUMBERS), ClampBounds.fields(FieldType.NUMBER))),
                description);
    }

    /** The name of a function in requests. */
    static String word(Function function) {
        return function == Function.STANDARD_DEVIATION ? "standardDeviation" : FieldType.Choice.word(function);
    }

    static Optional<AggregateItem> read(ObjectReader in, Dataset dataset) {
        Optional<Function> function = in.exactlyOne(Arrays.stream(Function.values())
                        .map(AggregateItem::word)
                        .toArray(String[]::new))
                .flatMap(word -> Arrays.stream(Function.values())
                        .filter(known -> word(known).equals(word))
                        .findFirst());
        Optional<Long> weight = in.has(WEIGHT) ? in.required(WEIGHT).integer(1, MAX_WEIGHT) : Optional.of(1L);
        Optional<String> name = in.has(NAME) ? in.required(NAME).string(1, 128) : Optional.empty();
        Optional<AggregateItem> item = function.flatMap(known -> in.required(word(known))
                .object(inner -> known == Function.COUNT
                        ? inner.complete(() -> new AggregateItem(known, word(known), 1, null))
                        : measured(inner, known, dataset)));
        return in.complete(() -> {
            AggregateItem read = item.orElseThrow();
            return new AggregateItem(
                    read.function, name.orElse(read.name), Math.toIntExact(weight.orElseThrow()), read.values);
        });
    }

    private static Optional<AggregateItem> measured(ObjectReader in, Function function, Dataset dataset) {
        Optional<Column.Numeric> column = Columns.numbers(in, dataset);
        Optional<ClampBounds> bounds = ClampBounds.read(in, column);
        return in.complete(() -> {
            Column.Numeric known = column.orElseThrow();
            return new AggregateItem(
                    function, word(function) + "(" + known.name() + ")", 1, new Values(known, bounds.orElseThrow()));
        });
    }

    boolean needsSquares() {
        return function == Function.VARIANCE || function == Function.STANDARD_DEVIATION;
    }

    /** The columns of CSV. */
    List<String> headers() {
        return List.of(name, name + ".low", name + ".high");
    }
}
