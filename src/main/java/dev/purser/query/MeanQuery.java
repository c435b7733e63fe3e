package dev.purser.query;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.engine.Filter;
import dev.purser.json.Field;
import dev.purser.json.ObjectReader;
import dev.purser.mechanism.AutoClipMean;
import dev.purser.mechanism.CenteredMean;
import dev.purser.mechanism.IntervalEstimate;
import dev.purser.mechanism.KnownCountMean;
import dev.purser.mechanism.MeanAnswer;
import dev.purser.mechanism.MeanMechanism;
import dev.purser.mechanism.MeanTarget;
import dev.purser.mechanism.SumAndCountMean;
import dev.purser.mechanism.TwoSidedMean;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.Grid;
import dev.purser.privacy.PrivacyAllowance;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is the mean of a column's values, clamped to a range? */
public final class MeanQuery {
    private static final Field<Method> METHOD = Field.choice("method", Method.TWO_SIDED, "How the mean is computed.");

    public static final QuestionKind KIND = new QuestionKind(
            "mean",
            "What is the mean of a column, each value clamped to a range?",
            "Methods: `two-sided` (the default), `auto-clip` (finds the range privately first), `sum-and-count`,"
                    + " `centered`, `known-count` (only where the number of rows is public).",
            Field.all(List.of(Columns.NUMBERS, METHOD), ClampBounds.OF_NUMBERS),
            QuestionKind.Example.ofVisits("""
                    {"epsilon": "1", "column": "age", "method": "two-sided", "reuse": true}"""),
            Value.class,
            true,
            MeanQuery::read,
            Optional.empty());

    private MeanQuery() {}

    /** The method of computing the mean. */
    public enum Method {
        TWO_SIDED,
        AUTO_CLIP,
        SUM_AND_COUNT,
        CENTERED,
        KNOWN_COUNT
    }

    /** The answer's value. */
    @Schema(name = "MeanAnswerValue", description = "A noisy mean.")
    public record Value(
            @Schema(description = "The noisy mean of clamped values, within the clip range.", example = "38.58")
            BigDecimal mean,

            Clip clip,
            Interval interval,

            @Schema(
                    description = "The noisy number of rows, which `two-sided` and `auto-clip` release with the mean"
                            + " for nothing. Its interval fails with probability at most beta, for itself. Null for"
                            + " the other methods, and where the number of rows is public.")
            @Nullable
            Count count) {}

    /** The number of rows whose mean is stated. */
    @Schema(name = "MeanCount", description = "A noisy number of rows. It is unbiased, and can be below zero.")
    public record Count(@Schema(example = "48842") BigDecimal count, Interval interval) {}

    /** The range that values were clamped to. */
    @Schema(description = "The range that values were clamped to before they were averaged.")
    public record Clip(
            @Schema(example = "0") BigDecimal lower,
            @Schema(example = "125") BigDecimal upper) {}

    private static Optional<Draft> read(ObjectReader in, Dataset dataset) {
        CommonFields common = CommonFields.read(in, dataset);
        Optional<Column.Numeric> column = Columns.numbers(in, dataset);
        Optional<ClampBounds> bounds = ClampBounds.read(in, column);
        Optional<Method> method = in.read(METHOD);
        return in.complete(
                () -> draft(common, column.orElseThrow(), bounds.orElseThrow(), method.orElseThrow(), dataset));
    }

    /** The mean that is asked for, whose table is added to a plan. */
    static MeanTarget target(
            BucketPlan plan, CommonFields common, Column.Numeric column, ClampBounds bounds, Dataset dataset) {
        Filter filter = common.where().filter();
        return new MeanTarget(
                plan.table(column, filter),
                filter.isSelective(),
                bounds.lower(),
                bounds.upper(),
                dataset.neighborhood());
    }

    private static Draft draft(
            CommonFields common, Column.Numeric column, ClampBounds bounds, Method method, Dataset dataset) {
        BucketPlan plan = new BucketPlan();
        MeanTarget target = target(plan, common, column, bounds, dataset);
        return allowance -> {
            MeanMechanism mechanism =
                    mechanism(method, allowance, target, common.beta().doubleValue());
            return new Question<>(
                    KIND,
                    allowance,
                    mechanism,
                    column.grid(),
                    plan,
                    rows -> expected(mechanism, method, rows, target, column.grid(), common.beta()),
                    (answer, _) -> present(answer, column.grid(), common.beta()),
                    bounds.areOf(column) ? new AskedStatistic.Mean(common.beta(), common.where(), column) : null);
        };
    }

    private static MeanMechanism mechanism(Method method, PrivacyAllowance allowance, MeanTarget target, double beta) {
        Epsilon epsilon = allowance.epsilon();
        return switch (method) {
            case TWO_SIDED -> new TwoSidedMean(allowance, target, beta);
            case AUTO_CLIP -> new AutoClipMean(epsilon, target, beta);
            case SUM_AND_COUNT -> new SumAndCountMean(epsilon, target, beta);
            case CENTERED -> new CenteredMean(epsilon, target, beta);
            case KNOWN_COUNT -> {
                if (!KnownCountMean.isPrivateFor(target)) {
                    throw ProblemException.of(
                            ProblemType.MECHANISM_NOT_PRIVATE,
                            "known-count divides by the number of rows, which is public only with neighboringRelation"
                                    + " replace-one, privacyUnit row and an empty where");
                }
                yield new KnownCountMean(epsilon, target, beta);
            }
        };
    }

    /** The error bound before the release, for an assumed number of rows with any values. */
    private static Accuracy expected(
            MeanMechanism mechanism, Method method, long rows, MeanTarget target, Grid grid, BigDecimal beta) {
        String range = method == Method.AUTO_CLIP
                ? "the range that will be found, which the answer states (what lies outside of it is clamped, and that"
                        + " loss is not included here),"
                : range(target.lower(), target.upper(), grid);
        return expected(mechanism, rows, range, grid, beta);
    }

    /** The error bound of any kind of mean before the release, for an assumed number of rows with any values. */
    static Accuracy expected(MeanMechanism mechanism, long rows, String range, Grid grid, BigDecimal beta) {
        BigDecimal alpha = ShownDecimals.bound(shown(mechanism.expectedAlphaSteps(rows), grid));
        return Accuracy.ofValue(
                alpha,
                beta,
                "If " + rows + " rows pass, the exact mean of the values clamped to " + range + " is within "
                        + ShownDecimals.stated(alpha) + " of the answer, except with probability at most "
                        + beta.toPlainString() + "; the answer states its own bound.");
    }

    static String range(long lower, long upper, Grid grid) {
        return "[" + grid.toDecimal(lower).toPlainString() + ", "
                + grid.toDecimal(upper).toPlainString() + "]";
    }

    private static Question.Presented present(MeanAnswer answer, Grid grid, BigDecimal beta) {
        Clip clip = new Clip(grid.toDecimal(answer.clipLowerSteps()), grid.toDecimal(answer.clipUpperSteps()));
        return new Question.Presented(
                new Value(shown(answer.meanSteps(), grid), clip, interval(answer, grid), count(answer.count())),
                stated(answer, grid, beta));
    }

    private static @Nullable Count count(@Nullable IntervalEstimate rows) {
        return rows == null ? null : new Count(ShownDecimals.plain(rows.value()), Interval.of(rows));
    }

    static BigDecimal shown(BigDecimal steps, Grid grid) {
        return ShownDecimals.plain(steps.multiply(grid.resolution()));
    }

    static Interval interval(MeanAnswer answer, Grid grid) {
        return new Interval(shown(answer.lowSteps(), grid), shown(answer.highSteps(), grid));
    }

    /** The error bound of any kind of mean after the release. */
    static Accuracy stated(MeanAnswer answer, Grid grid, BigDecimal beta) {
        BigDecimal alpha = ShownDecimals.bound(shown(answer.alphaSteps(), grid));
        return Accuracy.ofValue(
                alpha,
                beta,
                "The exact mean of the values clamped to "
                        + range(answer.clipLowerSteps(), answer.clipUpperSteps(), grid) + " is within "
                        + ShownDecimals.stated(alpha) + " of the answer, except with probability at most "
                        + beta.toPlainString() + ".");
    }
}
