package dev.purser.query;

import dev.purser.dataset.Dataset;
import dev.purser.json.Elements;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.mechanism.AboveThreshold;
import dev.purser.mechanism.AboveThreshold.WhenNone;
import dev.purser.mechanism.ThresholdQueries;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which of many counts, sums or clip losses is the first above a threshold? */
public final class ThresholdQuery {
    /** The most passes over the rows that one question may need: distinct pairs of column and filter. */
    public static final int MAX_PASSES = 256;

    /** The most conditions of all queries together; the common {@code where} counts with each query. */
    static final int MAX_CONDITIONS = 1_000_000;

    private static final int MAX_QUERIES = 100_000;

    private static final Field<Elements<ObjectReader>> QUERIES = Field.required(
            "queries",
            FieldType.elements(ThresholdItem.TYPE, 1, MAX_QUERIES),
            "Statistics, looked at in this order: of at most " + MAX_PASSES + " different pairs of column"
                    + " and filter, and with at most 1,000,000 conditions together.");
    private static final Field<WhenNone> WHEN_NONE = Field.choice(
            "whenNone", WhenNone.NONE, "What is answered when nothing is above: null, or a uniformly random index.");

    public static final QuestionKind KIND = new QuestionKind(
            "threshold",
            "Which is the first of many statistics above a threshold?",
            "AboveThreshold: one charge whatever the length of the list.",
            List.of(Thresholds.FIELD, QUERIES, WHEN_NONE),
            QuestionKind.Example.ofVisits("""
                    {
                      "epsilon": "0.2",
                      "threshold": 500,
                      "queries": [
                        {"count": {"where": [{"column": "ward", "in": ["maternity"]}]}},
                        {"count": {"where": [{"column": "ward", "in": ["outpatient"]}]}}
                      ],
                      "reuse": true
                    }"""),
            Value.class,
            false,
            ThresholdQuery::read,
            Optional.empty());

    private ThresholdQuery() {}

    /** The answer's value. */
    @Schema(name = "ThresholdAnswerValue", description = "The first query above the threshold.")
    public record Value(
            @Schema(
                    description =
                            "The position, from 0, of the first query found above the threshold; null if none was.",
                    example = "12")
            @Nullable
            Integer index) {}

    private static Optional<Draft> read(ObjectReader in, Dataset dataset) {
        CommonFields common = CommonFields.read(in, dataset);
        Optional<ThresholdList> list = in.read(QUERIES)
                .flatMap(all -> all.read(each -> ThresholdItem.read(each, dataset)))
                .flatMap(items -> common.sentWhere().flatMap(where -> among(in, items, where)))
                .map(ThresholdList::of);
        list.filter(read -> read.plan().passes() > MAX_PASSES)
                .ifPresent(read -> in.refuse(
                        QUERIES,
                        "queries may have at most " + MAX_PASSES
                                + " different pairs of column and filter, these have more"));
        Optional<BigInteger> threshold = Thresholds.read(in, list.map(ThresholdList::grid));
        Optional<WhenNone> whenNone = in.read(WHEN_NONE);
        return in.complete(
                () -> draft(common, list.orElseThrow(), threshold.orElseThrow(), whenNone.orElseThrow(), dataset));
    }

    /** Adds the common conditions to each item. The conditions are counted first, because merging takes the memory. */
    private static Optional<List<ThresholdItem>> among(ObjectReader in, List<ThresholdItem> items, Where where) {
        long conditions = (long) items.size() * where.size()
                + items.stream().mapToLong(item -> item.where().size()).sum();
        if (conditions > MAX_CONDITIONS) {
            in.refuse(
                    QUERIES,
                    "queries may have at most " + MAX_CONDITIONS
                            + " conditions together, the common where counted with each, these have " + conditions);
            return Optional.empty();
        }
        return Optional.of(items.stream().map(item -> item.among(where)).toList());
    }

    private static Draft draft(
            CommonFields common, ThresholdList list, BigInteger threshold, WhenNone whenNone, Dataset dataset) {
        ThresholdQueries queries = list.against(threshold, dataset.neighborhood());
        return allowance -> {
            AboveThreshold mechanism = new AboveThreshold(
                    allowance.epsilon(), queries, whenNone, common.beta().doubleValue());
            BigDecimal alpha = list.grid().toDecimal(mechanism.alphaSteps());
            return Question.of(
                    KIND,
                    allowance,
                    mechanism,
                    list.grid(),
                    list.plan(),
                    Accuracy.ofValue(alpha, common.beta(), statement(alpha, common.beta(), whenNone)),
                    answer -> new Value(
                            answer.index().isPresent() ? answer.index().getAsInt() : null));
        };
    }

    private static String statement(BigDecimal alpha, BigDecimal beta, WhenNone whenNone) {
        String bound = ShownDecimals.stated(alpha);
        String found = "The query at the index is at least threshold - " + bound + " and every one before it at most"
                + " threshold + " + bound;
        String none = switch (whenNone) {
            case NONE -> "; with no index, all are at most threshold + " + bound;
            case RANDOM ->
                "; if none was found, all are at most threshold + " + bound
                        + " and the index is a uniformly random one, which this answer does not reveal";
        };
        return found + none + "; except with probability at most " + beta.toPlainString() + ".";
    }
}
