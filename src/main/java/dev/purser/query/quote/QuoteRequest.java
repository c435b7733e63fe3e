package dev.purser.query.quote;

import dev.purser.accounting.Accountant;
import dev.purser.dataset.Dataset;
import dev.purser.json.Elements;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.JsonValue;
import dev.purser.json.JsonValue.JsonObject;
import dev.purser.json.JsonValue.JsonString;
import dev.purser.json.ObjectReader;
import dev.purser.json.Shape;
import dev.purser.json.ValueReader;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.query.Accuracy;
import dev.purser.query.AllowanceFields;
import dev.purser.query.AskedBlocks;
import dev.purser.query.Draft;
import dev.purser.query.NamedQuestion;
import dev.purser.query.Question;
import dev.purser.query.QuestionKind;
import dev.purser.query.QuestionRequest;
import dev.purser.query.Reuse;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A question to be quoted, read and checked against the dataset's public facts.
 *
 * @param place the place of the question in the request body: a JSON pointer, empty for the whole body
 * @param assumedRows the assumed number of rows that pass, in each group; empty if none was sent
 * @param maxRows the most rows of the dataset
 * @param sent the request as it was sent
 * @param blocks the blocks that the question is about; null for a dataset without blocks
 * @param reuse what the request says about earlier answers; a quote takes the question as charged
 */
public record QuoteRequest(
        QuestionKind kind,
        Draft draft,
        Aim aim,
        Delta delta,
        Accountant accountant,
        Optional<Long> assumedRows,
        long maxRows,
        String place,
        JsonObject sent,
        @Nullable AskedBlocks blocks,
        Reuse reuse) {
    /** The most questions of a plan. */
    public static final int MAX_QUESTIONS = 1_000;

    /** The most questions of a plan that may have a target. Each is tried at some forty epsilons, free of charge. */
    public static final int MAX_TARGETS = 10;

    /** The plan of the README. */
    public static final String PLAN = """
            {
              "questions": [
                {"kind": "count", "request": {"targetAlpha": 5}},
                {"kind": "mean", "request": {"epsilon": "1", "column": "age", "assumedRows": 2400}}
              ]
            }""";

    /** A plan to buy. Buying it once more costs nothing. */
    public static final String BOUGHT_PLAN = """
            {
              "questions": [
                {"kind": "count", "request": {"epsilon": "0.1", "reuse": true}},
                {"kind": "mean", "request": {"epsilon": "0.1", "column": "age", "reuse": true}}
              ]
            }""";

    static final Field<BigDecimal> TARGET_ALPHA = Field.optional(
            "targetAlpha",
            FieldType.NUMBER.then(QuoteRequest::aboveZero),
            "In place of `epsilon`: above 0, in the unit of the answer's `accuracy.alpha`. Finds the least epsilon"
                    + " whose alpha is at most this; one nano-epsilon less would miss it. Of a table of groups,"
                    + " alpha is that of its first aggregate.");

    private static final Field<ValueReader> ASSUMED_ROWS = Field.optional(
            "assumedRows",
            FieldType.unread(new Shape.Of(long.class)),
            "How many rows are taken to pass, in each group: 1 to the dataset's `maxRows`. By default `maxRows`,"
                    + " divided by the number of groups. The number that really passes is not looked up.",
            1000);
    private static final Field<Elements<ObjectReader>> QUESTIONS = Field.required(
            "questions",
            FieldType.elements(
                    NamedQuestion.form("PlanItem", "One question of a plan.", QuoteRequest::sentFor), 1, MAX_QUESTIONS),
            "At most " + MAX_TARGETS + " of them with `targetAlpha`.");

    /** How epsilon is determined. */
    sealed interface Aim {
        /** The given epsilon. */
        record Exactly(Epsilon epsilon) implements Aim {}

        /**
         * The least epsilon at which the accuracy's alpha is at most this.
         *
         * @param alpha above zero
         */
        record Within(BigDecimal alpha) implements Aim {}
    }

    /** The question at an epsilon. */
    Question<?> at(Epsilon epsilon) {
        return draft.at(accountant.allowance(epsilon, delta));
    }

    /** The question as it is asked at an epsilon, without what only a quote needs. */
    public QuestionRequest asked(Epsilon epsilon, Dataset dataset) {
        Map<String, JsonValue> fields = new LinkedHashMap<>(sent.members());
        fields.put(AllowanceFields.EPSILON, new JsonString(epsilon.toString()));
        return kind.asked(at(epsilon), new JsonObject(fields), blocks, reuse, dataset);
    }

    /** The expected accuracy of this question at some epsilon. */
    Accuracy expected(Question<?> question) {
        return question.expected(rows(question));
    }

    /** How many rows are taken to pass. */
    long rows(Question<?> question) {
        return assumedRows.orElseGet(() -> Math.max(1, maxRows / question.groups()));
    }

    /** The request body that quotes a question of one kind. */
    public static Shape.ObjectOf sentFor(QuestionKind kind) {
        Shape.ObjectOf asked = kind.request();
        List<Field<?>> fields = new ArrayList<>();
        for (Field<?> field : asked.fields()) {
            fields.add(field.equals(AllowanceFields.CHARGED) ? field.asOptional() : field);
        }
        fields.add(TARGET_ALPHA);
        if (kind.takesAssumedRows()) {
            fields.add(ASSUMED_ROWS);
        }
        return new Shape.ObjectOf(
                kind.typeName() + "QuoteRequest",
                "What `" + asked.name() + "` takes, with exactly one of `epsilon` and `targetAlpha`.",
                fields);
    }

    /** The request body that quotes a plan. */
    public static Shape.ObjectOf sentForPlan() {
        return new Shape.ObjectOf("Plan", QUESTIONS);
    }

    /** Reads a question of one kind: the body that would ask it, plus the fields of a quote. */
    public static Optional<QuoteRequest> read(ObjectReader in, Dataset dataset, QuestionKind kind) {
        Optional<Aim> aim = aim(in);
        Optional<Delta> delta = AllowanceFields.delta(in, dataset);
        Optional<AskedBlocks> blocks = AskedBlocks.read(in, dataset);
        Reuse reuse = Reuse.read(in);
        Dataset seen = AskedBlocks.seen(dataset, blocks);
        Optional<Long> assumedRows = kind.takesAssumedRows()
                ? in.read(ASSUMED_ROWS.of(FieldType.longInteger(1, seen.maxRows())))
                : Optional.empty();
        return kind.reader()
                .apply(in, seen)
                .map(draft -> new QuoteRequest(
                        kind,
                        draft,
                        aim.orElseThrow(),
                        delta.orElseThrow(),
                        dataset.registration().accountant(),
                        assumedRows,
                        seen.maxRows(),
                        "",
                        in.sent(),
                        blocks.orElse(null),
                        reuse));
    }

    /** Reads how epsilon is determined. Exactly one of two fields is required. */
    static Optional<Aim> aim(ObjectReader in) {
        return in.exactlyOne(List.of(AllowanceFields.CHARGED, TARGET_ALPHA))
                .flatMap(sent -> sent.equals(TARGET_ALPHA)
                        ? in.read(TARGET_ALPHA).map(Aim.Within::new)
                        : in.read(AllowanceFields.CHARGED).map(Aim.Exactly::new));
    }

    private static Optional<BigDecimal> aboveZero(ValueReader in, BigDecimal sent) {
        return sent.signum() > 0 ? Optional.of(sent) : in.refused("must be above 0, was " + sent.toPlainString());
    }

    /** Whether the quote searches for an epsilon, and takes so long that it must not keep small requests waiting. */
    public boolean isHeavy() {
        return aim instanceof Aim.Within;
    }

    /** Questions that are quoted together. */
    public record Plan(List<QuoteRequest> questions) {
        /** Whether one of the questions is heavy. */
        public boolean isHeavy() {
            return questions.stream().anyMatch(QuoteRequest::isHeavy);
        }
    }

    /** Reads a plan of questions of any kinds. */
    public static Optional<Plan> readPlan(ObjectReader in, Dataset dataset) {
        Optional<List<QuoteRequest>> questions = in.read(QUESTIONS)
                .flatMap(all ->
                        all.read(each -> NamedQuestion.read(each, (inner, kind) -> read(inner, dataset, kind))));
        long targets = questions.orElse(List.of()).stream()
                .filter(question -> question.aim() instanceof Aim.Within)
                .count();
        if (targets > MAX_TARGETS) {
            in.refuse(
                    QUESTIONS,
                    "questions may have at most " + MAX_TARGETS + " with targetAlpha, these have " + targets);
        }
        return in.complete(questions::orElseThrow).map(read -> new Plan(placed(read)));
    }

    private static List<QuoteRequest> placed(List<QuoteRequest> questions) {
        return IntStream.range(0, questions.size())
                .mapToObj(i -> questions.get(i).at("/questions/" + i + "/request"))
                .toList();
    }

    private QuoteRequest at(String newPlace) {
        return new QuoteRequest(
                kind, draft, aim, delta, accountant, assumedRows, maxRows, newPlace, sent, blocks, reuse);
    }
}
