package dev.purser.query;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.purser.dataset.Column;
import dev.purser.dataset.ColumnValue;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.Notation;
import dev.purser.engine.Filter;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.json.ValueReader;
import dev.purser.mechanism.NoisyMaxQuantile;
import dev.purser.mechanism.OnDemand;
import dev.purser.mechanism.QuantilePoints;
import dev.purser.noise.Rational;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Below which value of a column is a given share of the rows? */
public final class QuantileQuery {
    private static final int FRACTION_DIGITS = 6;
    private static final int MAX_GROUPS = 1_000;
    private static final long MILLION = 1_000_000;

    /** The probabilities. */
    public static final Field<List<BigDecimal>> PROBABILITIES = Field.required(
            "probabilities",
            FieldType.listOf(
                    FieldType.number(new BigDecimal("0.000001"), new BigDecimal("0.999999"))
                            .then(QuantileQuery::probability),
                    1,
                    100),
            "Numbers above 0 and below 1, with at most " + FRACTION_DIGITS + " fraction digits.",
            List.of(0.25, 0.5, 0.75));

    public static final QuestionKind KIND = new QuestionKind(
            "quantile",
            "Below which values are given shares of the rows?",
            "Report-noisy-max over equally spaced public points between the bounds: at most 100,000, and at most"
                    + " 1,000,000 for all probabilities together, or 2,000,000 for all groups. Epsilon is split equally"
                    + " between the probabilities; half of each share goes to the value and half to its interval. All"
                    + " groups of `groupBy` are answered for one charge.",
            Field.all(
                    List.of(Columns.ORDERED, PROBABILITIES),
                    ClampBounds.OF_VALUES,
                    List.of(GroupKeys.field(MAX_GROUPS))),
            QuestionKind.Example.ofVisits("""
                    {"epsilon": "0.2", "column": "age", "probabilities": [0.25, 0.5, 0.75], "reuse": true}"""),
            Value.class,
            false,
            QuantileQuery::read,
            Optional.of(new QuantileCsv()));

    private QuantileQuery() {}

    /** The answer's value. */
    @Schema(name = "QuantileAnswerValue", description = "Private quantiles: of all rows, or of each group.")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Value(
            @Schema(
                    description = "Without `groupBy`: in the order of the request. They need not ascend: each is drawn"
                            + " separately. With `groupBy` there are none.")
            List<Quantile> quantiles,

            @Schema(description = "With `groupBy`: the columns of the keys.", example = "[\"ward\"]") @Nullable
            List<String> keys,

            @Schema(description = "With `groupBy`: all groups, those of the last key fastest, empty or not.") @Nullable
            List<Group> groups) {}

    /** The quantiles of one group. */
    @Schema(name = "QuantileGroup", description = "One group and its quantiles.")
    public record Group(
            @Schema(description = "Its place in each key, in their order.")
            List<AggregateKey.Value> key,

            @Schema(description = "In the order of the request.")
            List<Quantile> quantiles) {}

    /** One quantile. */
    @Schema(name = "Quantile", description = "A private quantile.")
    public record Quantile(
            @Schema(description = "As sent.", example = "0.25")
            BigDecimal probability,

            @Schema(description = "One of the public points: about this share of the rows is below it.", example = "28")
            ColumnValue value,

            QuantileInterval interval) {}

    /** An interval of values of the column. */
    @Schema(description = "Holds the exact quantile of the clamped values with probability at least 1 − beta.")
    public record QuantileInterval(
            @Schema(description = "The lower end.", example = "27")
            ColumnValue low,

            @Schema(description = "The upper end.", example = "29")
            ColumnValue high) {}

    private static Optional<Draft> read(ObjectReader in, Dataset dataset) {
        CommonFields common = CommonFields.read(in, dataset);
        Optional<Column.Numeric> column = Columns.ordered(in, dataset);
        Optional<List<BigDecimal>> probabilities = in.read(PROBABILITIES);
        Optional<ClampBounds> bounds = ClampBounds.read(in, column);
        Optional<GroupKeys> keys = GroupKeys.read(in, dataset, new HashSet<>(QuantileCsv.COLUMNS));
        keys.ifPresent(read -> read.requireFew(in, MAX_GROUPS));
        return in.complete(() -> draft(
                common,
                column.orElseThrow(),
                probabilities.orElseThrow(),
                bounds.orElseThrow(),
                keys.orElseThrow(),
                dataset));
    }

    private static Optional<BigDecimal> probability(ValueReader in, BigDecimal sent) {
        if (sent.scale() <= FRACTION_DIGITS) {
            return Optional.of(sent);
        }
        in.refuse(
                "a probability must have at most " + FRACTION_DIGITS + " fraction digits, was " + sent.toPlainString());
        return Optional.empty();
    }

    private static Draft draft(
            CommonFields common,
            Column.Numeric column,
            List<BigDecimal> probabilities,
            ClampBounds bounds,
            GroupKeys keys,
            Dataset dataset) {
        Filter filter = common.where().filter();
        BucketPlan plan = new BucketPlan();
        QuantilePoints points = QuantilePoints.between(
                plan.table(column, filter, keys.ofEngine(), false),
                filter.isSelective() || keys.leaveOut(),
                bounds.lower(),
                bounds.upper(),
                probabilities.size(),
                keys.groups());
        List<Rational> exactly =
                probabilities.stream().map(QuantileQuery::exactly).toList();
        return allowance -> {
            NoisyMaxQuantile mechanism = new NoisyMaxQuantile(
                    allowance.epsilon(),
                    points,
                    exactly,
                    keys.groups(),
                    dataset.neighborhood(),
                    common.beta().doubleValue());
            BigDecimal alpha = ShownDecimals.plain(mechanism.alphaRanks());
            return Question.of(
                            KIND,
                            allowance,
                            mechanism,
                            column.grid(),
                            plan,
                            Accuracy.ofRank(
                                    alpha, common.beta(), statement(alpha, points, column.notation(), common.beta())),
                            answer -> value(answer, keys, new Shown(probabilities, points, column.notation())))
                    .asking(
                            keys.equals(GroupKeys.NONE) && bounds.areOf(column)
                                    ? new AskedStatistic.Quantiles(common.beta(), common.where(), column, probabilities)
                                    : null);
        };
    }

    private static Rational exactly(BigDecimal probability) {
        return Rational.of(probability.movePointRight(FRACTION_DIGITS).longValueExact(), MILLION);
    }

    private static Value value(NoisyMaxQuantile.Answer answer, GroupKeys keys, Shown shown) {
        if (keys.equals(GroupKeys.NONE)) {
            return new Value(shown.quantiles(answer.groups().getFirst()), null, null);
        }
        return new Value(
                List.of(),
                keys.columns(),
                new OnDemand<>(
                        keys.groups(),
                        group -> new Group(
                                keys.place(group),
                                shown.quantiles(answer.groups().get(group)))));
    }

    /** How the selections of a group are shown. */
    private record Shown(List<BigDecimal> probabilities, QuantilePoints points, Notation notation) {
        List<Quantile> quantiles(List<NoisyMaxQuantile.Quantile> selected) {
            List<Quantile> quantiles = new ArrayList<>();
            for (int i = 0; i < probabilities.size(); i++) {
                NoisyMaxQuantile.Quantile drawn = selected.get(i);
                long value = points.start(drawn.value());
                long low = Math.min(value, points.start(drawn.low()));
                long high = Math.max(value, points.end(drawn.high()));
                quantiles.add(new Quantile(
                        ShownDecimals.plain(probabilities.get(i)),
                        notation.shown(value),
                        new QuantileInterval(notation.shown(low), notation.shown(high))));
            }
            return quantiles;
        }
    }

    private static String statement(BigDecimal alpha, QuantilePoints points, Notation notation, BigDecimal beta) {
        return "For every probability p and its value v, of n rows that pass (of every group): the number p*n is at"
                + " most " + ShownDecimals.stated(alpha)
                + " away from the range between the number of clamped values below v and that below the next point, "
                + notation.distance(points.spacing())
                + " above v (all of them above the last point, none below the first); all of this together, except with"
                + " probability at most "
                + beta.toPlainString()
                + ". The intervals hold the exact quantiles of the clamped values, all of them together, except with"
                + " the same probability. A quarter of epsilon went to each end of the intervals.";
    }
}
