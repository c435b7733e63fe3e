package dev.purser.query;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.purser.dataset.Column;
import dev.purser.dataset.ColumnValue;
import dev.purser.dataset.Dataset;
import dev.purser.engine.Filter;
import dev.purser.json.Elements;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.mechanism.SparseVector;
import dev.purser.mechanism.SparseVector.Allocation;
import dev.purser.mechanism.SparseVector.Release;
import dev.purser.mechanism.SparseVector.Variant;
import dev.purser.mechanism.Statistic;
import dev.purser.mechanism.ThresholdQueries;
import dev.purser.privacy.Grid;
import dev.purser.privacy.PrivacyAllowance;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which of many ranges of a column hold at least a threshold of rows, and on request how many? */
public final class SparseRangeQuery {
    private static final Field<Elements<ObjectReader>> RANGES =
            Field.required("ranges", FieldType.elements(Range.TYPE, 1, 100_000), "Ranges of the column.");
    private static final Field<Integer> MAX_POSITIVES =
            Field.required("maxPositives", FieldType.integer(1, 1_000), "How many positives may be released.", 5);
    private static final Field<Release> RELEASE = Field.choice(
                    "release",
                    Release.INDICES,
                    "`indices`: positions, all of epsilon in the comparison. `values`: also counts with fresh noise."
                            + " `gaps`: also each positive's distance above the noisy threshold, for no more epsilon.")
            .withExample(FieldType.word(Release.VALUES));
    private static final Field<Allocation> ALLOCATION =
            Field.choice("allocation", Allocation.OPTIMAL, "How epsilon is divided.");
    private static final Field<Variant> VARIANT = Field.choice(
            "variant",
            Variant.AUTOMATIC,
            "With allocation `optimal`, how ranges are compared. `automatic`: the one of `single-threshold`"
                    + " and `restart` with the lesser error bound. `one-sided`: noise that is never below"
                    + " zero, with about half that bound; the noisy threshold is moved by a public shift."
                    + " `adaptive`: for many positives about half the noise for ranges near the threshold,"
                    + " each of which then takes the place of two positives; indices or gaps only.");

    public static final QuestionKind KIND = new QuestionKind(
            "sparse-range",
            "Which of many ranges hold at least a threshold of rows?",
            "Sparse and NumericSparse: one charge whatever the number of ranges; at most `maxPositives` are released.",
            List.of(
                    Columns.ORDERED,
                    RANGES,
                    Thresholds.FIELD.describedAs("Rows; an integer.").withExample(10_000),
                    MAX_POSITIVES,
                    RELEASE,
                    ALLOCATION,
                    VARIANT),
            QuestionKind.Example.ofVisits("""
                    {
                      "epsilon": "2",
                      "column": "age",
                      "threshold": 300,
                      "maxPositives": 3,
                      "release": "values",
                      "ranges": [
                        {"atLeast": 0, "below": 20},
                        {"atLeast": 20, "below": 40},
                        {"atLeast": 40, "below": 60},
                        {"atLeast": 60, "below": 80},
                        {"atLeast": 80, "below": 111}
                      ],
                      "reuse": true
                    }"""),
            Value.class,
            false,
            SparseRangeQuery::read,
            Optional.empty());

    private SparseRangeQuery() {}

    /** The answer's value. */
    @Schema(name = "SparseRangeAnswerValue", description = "The ranges above the threshold.")
    public record Value(
            @Schema(description = "In the order of the request, at most maxPositives.")
            List<Positive> positives,

            @Schema(
                    description = "How many ranges were looked at: up to the last permitted positive, else all.",
                    example = "8")
            int examined,

            @Schema(description = "Whether the last permitted positive was released.")
            boolean halted) {}

    /** One range that was found above the threshold. */
    @Schema(name = "SparseRangePositive", description = "A range above the threshold.")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Positive(
            @Schema(description = "The range's position in the request, from 0.", example = "2")
            int index,

            @Schema(
                    implementation = Object.class,
                    ref = "#/components/schemas/Range",
                    description = "The range as sent; times in UTC.")
            Map<String, ColumnValue> range,

            @Schema(description = "The range's count with fresh noise; with release values.", example = "14417")
            @Nullable
            BigInteger value,

            @Schema(
                    description =
                            "With release gaps: how far the range's noisy count was above the noisy threshold. Its"
                                    + " selection biases it upwards, because only positive ranges have one; no interval"
                                    + " is stated.",
                    example = "4391")
            @Nullable
            BigInteger gap,

            @Schema(description = "With release values.") @Nullable
            Interval interval) {}

    private record Parameters(
            CommonFields common,
            Column.Numeric column,
            List<Range.Sent> ranges,
            BigInteger threshold,
            int maxPositives,
            SparseVector.Form form) {}

    private static Optional<Draft> read(ObjectReader in, Dataset dataset) {
        CommonFields common = CommonFields.read(in, dataset);
        Optional<Column.Numeric> column = Columns.ordered(in, dataset);
        Optional<List<Range.Sent>> ranges =
                in.read(RANGES).flatMap(all -> all.read(each -> column.flatMap(known -> Range.read(each, known))));
        Optional<BigInteger> threshold = Thresholds.read(in, Optional.of(Grid.ONE));
        Optional<Integer> maxPositives = in.read(MAX_POSITIVES);
        Optional<Release> release = in.read(RELEASE);
        Optional<Allocation> allocation = in.read(ALLOCATION);
        Optional<Variant> variant = in.read(VARIANT);
        checkVariant(in, release, allocation, variant);
        return in.complete(() -> draft(
                new Parameters(
                        common,
                        column.orElseThrow(),
                        ranges.orElseThrow(),
                        threshold.orElseThrow(),
                        maxPositives.orElseThrow(),
                        new SparseVector.Form(release.orElseThrow(), allocation.orElseThrow(), variant.orElseThrow())),
                dataset));
    }

    private static void checkVariant(
            ObjectReader in, Optional<Release> release, Optional<Allocation> allocation, Optional<Variant> variant) {
        if (variant.filter(sent -> sent != Variant.AUTOMATIC).isPresent()
                && allocation.equals(Optional.of(Allocation.TEXTBOOK))) {
            in.refuse(VARIANT, "variant must be \"automatic\" with the allocation \"textbook\", which has one variant");
        }
        if (variant.equals(Optional.of(Variant.ADAPTIVE)) && release.equals(Optional.of(Release.VALUES))) {
            in.refuse(VARIANT, "variant \"adaptive\" releases indices or gaps, not values");
        }
    }

    private static Draft draft(Parameters asked, Dataset dataset) {
        Filter filter = asked.common().where().filter();
        BucketPlan plan = new BucketPlan();
        int table = plan.table(asked.column(), filter);
        List<Statistic> counts = asked.ranges().stream()
                .<Statistic>map(sent -> new Statistic.Count(
                        table,
                        filter.isSelective(),
                        sent.range().from(),
                        sent.range().to()))
                .toList();
        ThresholdQueries queries = new ThresholdQueries(
                counts,
                counts.stream().map(count -> BigInteger.ONE).toList(),
                asked.threshold(),
                dataset.neighborhood());
        return allowance -> {
            SparseVector mechanism = mechanism(asked, allowance, queries);
            BigDecimal alpha = ShownDecimals.plain(mechanism.alphaSteps());
            return Question.of(
                    KIND,
                    allowance,
                    mechanism,
                    Grid.ONE,
                    plan,
                    Accuracy.ofValue(alpha, asked.common().beta(), statement(asked, alpha)),
                    answer -> value(answer, mechanism, asked));
        };
    }

    private static SparseVector mechanism(Parameters asked, PrivacyAllowance allowance, ThresholdQueries queries) {
        if (!SparseVector.isPrivateFor(allowance, asked.maxPositives(), asked.form())) {
            throw ProblemException.of(
                    ProblemType.MECHANISM_NOT_PRIVATE,
                    "the textbook's noise for this delta is private only up to a smaller epsilon: ask with the"
                            + " allocation optimal, with a smaller epsilon, or with delta 0");
        }
        return new SparseVector(
                allowance,
                queries,
                asked.maxPositives(),
                asked.form(),
                asked.common().beta().doubleValue());
    }

    private static Value value(SparseVector.Answer answer, SparseVector mechanism, Parameters asked) {
        List<Positive> positives = new ArrayList<>();
        for (SparseVector.Positive found : answer.positives()) {
            BigInteger value = found.valueSteps().orElse(null);
            positives.add(new Positive(
                    found.index(),
                    asked.ranges().get(found.index()).shown(),
                    value,
                    found.gapSteps().orElse(null),
                    value == null
                            ? null
                            : Interval.around(
                                    value, mechanism.intervalHalfWidthSteps().orElseThrow())));
        }
        return new Value(positives, answer.examined(), answer.halted());
    }

    private static String statement(Parameters asked, BigDecimal alpha) {
        String bound = ShownDecimals.stated(alpha);
        String more = switch (asked.form().release()) {
            case INDICES -> "";
            case VALUES -> ", and every value is within " + bound + " of the exact count";
            case GAPS ->
                " (nothing is stated about the gaps: their selection biases them upwards" + oneSidedBias(asked) + ")";
        };
        return "Of the ranges looked at, every positive one holds at least threshold - " + bound
                + " rows and every other at most threshold + " + bound + more
                + "; all of this together, except with probability at most "
                + asked.common().beta().toPlainString() + ".";
    }

    private static String oneSidedBias(Parameters asked) {
        return asked.form().variant() == Variant.ONE_SIDED
                ? ", and their noise and the raised threshold by a public amount either way"
                : "";
    }
}
