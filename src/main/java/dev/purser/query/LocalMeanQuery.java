package dev.purser.query;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.mechanism.LocalMean;
import dev.purser.mechanism.LocalMean.Protocol;
import dev.purser.mechanism.MeanTarget;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.Grid;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.problem.Violation;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/** What is the mean of a column's values, as devices would have reported them? */
public final class LocalMeanQuery {
    /** A report is drawn for every row, so a dataset may be registered for at most this many rows. */
    static final long MAX_ROWS = 10_000_000;

    private static final Field<Protocol> PROTOCOL = Field.choice(
            "protocol",
            Protocol.HYBRID,
            "How a row is randomized. `epsilon` is at most 10 for `piecewise` and `hybrid`.");

    public static final QuestionKind KIND = new QuestionKind(
            "local-mean",
            "What is the mean of a column, each row randomized by a local protocol?",
            "Randomizes every clamped value by itself, as a device would, and states the debiased mean of these"
                    + " reports: for comparison with collections, and for policies that demand noise on every row. For"
                    + " n rows its error is about √(n/2) times that of `mean` with `known-count`. Only where the"
                    + " number of rows is public (`replace-one`, unit `row`, no `where`); for ranges of at most 100,000"
                    + " grid values and datasets registered for at most 10,000,000 rows.",
            Field.all(List.of(Columns.NUMBERS, PROTOCOL), ClampBounds.OF_NUMBERS),
            new QuestionKind.Example("visits-public", """
                    {"epsilon": "1", "column": "age", "protocol": "piecewise", "reuse": true}"""),
            Value.class,
            true,
            LocalMeanQuery::read,
            Optional.empty());

    private LocalMeanQuery() {}

    /** The answer's value. */
    @Schema(name = "LocalMeanAnswerValue", description = "A mean of randomized values.")
    public record Value(
            @Schema(
                    description = "The debiased mean of the reports, within the range of clamped values.",
                    example = "38.58")
            BigDecimal mean,

            Interval interval) {}

    private static Optional<Draft> read(ObjectReader in, Dataset dataset) {
        CommonFields common = CommonFields.read(in, dataset);
        Optional<Column.Numeric> column = Columns.numbers(in, dataset);
        Optional<ClampBounds> bounds = ClampBounds.read(in, column);
        bounds.ifPresent(range -> requireFewValues(in, range));
        Optional<Protocol> protocol = in.read(PROTOCOL);
        return in.complete(
                () -> draft(common, column.orElseThrow(), bounds.orElseThrow(), protocol.orElseThrow(), dataset));
    }

    private static void requireFewValues(ObjectReader in, ClampBounds bounds) {
        long values = bounds.upper() - bounds.lower() + 1;
        if (values > LocalMean.MAX_VALUES) {
            in.refuse(
                    ClampBounds.UPPER,
                    "lower to upper, by default the column's bounds, must be at most " + LocalMean.MAX_VALUES
                            + " values of the column's grid, were " + values + "; narrow them");
        }
    }

    private static Draft draft(
            CommonFields common, Column.Numeric column, ClampBounds bounds, Protocol protocol, Dataset dataset) {
        BucketPlan plan = new BucketPlan();
        MeanTarget target = MeanQuery.target(plan, common, column, bounds, dataset);
        Grid grid = column.grid();
        String range = MeanQuery.range(target.lower(), target.upper(), grid);
        return allowance -> {
            requirePrivateAndInTime(protocol, allowance.epsilon(), target, dataset);
            LocalMean mechanism = new LocalMean(
                    allowance.epsilon(), protocol, target, common.beta().doubleValue());
            return new Question<>(
                    KIND,
                    allowance,
                    mechanism,
                    grid,
                    plan,
                    rows -> MeanQuery.expected(mechanism, rows, range, grid, common.beta()),
                    (answer, _) -> new Question.Presented(
                            new Value(MeanQuery.shown(answer.meanSteps(), grid), MeanQuery.interval(answer, grid)),
                            MeanQuery.stated(answer, grid, common.beta())),
                    null);
        };
    }

    private static void requirePrivateAndInTime(
            Protocol protocol, Epsilon epsilon, MeanTarget target, Dataset dataset) {
        if (!LocalMean.isPrivateFor(target)) {
            throw ProblemException.of(
                    ProblemType.MECHANISM_NOT_PRIVATE,
                    "local-mean draws a report for every row, and their number is public only with neighboringRelation"
                            + " replace-one, privacyUnit row and an empty where");
        }
        if (dataset.maxRows() > MAX_ROWS) {
            throw ProblemException.validation(Violation.atPointer(
                    "/column",
                    "local-mean draws a report for every row: the dataset's maxRows must be at most " + MAX_ROWS
                            + ", was " + dataset.maxRows()));
        }
        if (epsilon.compareTo(protocol.mostEpsilon()) > 0) {
            throw ProblemException.validation(Violation.atPointer(
                    "/" + AllowanceFields.EPSILON,
                    "epsilon must be at most " + protocol.mostEpsilon() + " with the protocol \""
                            + FieldType.word(protocol) + "\", was " + epsilon));
        }
    }
}
