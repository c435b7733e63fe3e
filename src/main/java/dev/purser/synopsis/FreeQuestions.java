package dev.purser.synopsis;

import dev.purser.json.Elements;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.json.Shape;
import dev.purser.query.Beta;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/**
 * Questions about one synopsis that are answered together.
 *
 * @param simultaneous whether all numbers are within their intervals together
 */
public record FreeQuestions(List<FreeQuestion> questions, BigDecimal beta, boolean simultaneous, boolean nonNegative) {
    static final int MAX_QUESTIONS = 100_000;
    private static final int MAX_NUMBERS = 200_000;
    private static final long MAX_WORK = 5_000_000;

    /** The work that takes about ten milliseconds. */
    private static final long MUCH_WORK = 2_000;

    /** A request that is answered. */
    public static final String EXAMPLE = """
            {"questions": [{"count": {"where": [{"column": "age", "atLeast": 60}]}}, {"mean": {"column": "age"}},
             {"quantile": {"column": "age", "probabilities": [0.25, 0.5, 0.75]}}]}""";

    private static final List<FreeKind> KINDS = List.of(
            FreeQuestion.Linear.COUNT,
            FreeQuestion.Linear.SUM,
            FreeQuestion.Mean.KIND,
            FreeQuestion.Variance.KIND,
            FreeQuestion.Histogram.KIND,
            FreeQuestion.Table.KIND,
            FreeQuestion.Quantiles.KIND,
            FreeQuestion.Cumulative.KIND,
            FreeQuestion.Correlation.KIND);
    private static final List<Field<ObjectReader>> FIELDS =
            KINDS.stream().map(FreeKind::field).toList();

    private static final Field<Elements<ObjectReader>> QUESTIONS = Field.required(
            "questions",
            FieldType.elements(
                    FieldType.object(
                            new Shape.ObjectOf("FreeQuestion", "Exactly one of its fields.", List.copyOf(FIELDS))),
                    1,
                    MAX_QUESTIONS),
            "At most " + MAX_NUMBERS + " numbers in all.");
    private static final Field<Boolean> SIMULTANEOUS = Field.optional(
                    "simultaneous",
                    FieldType.BOOLEAN,
                    "Whether all numbers of the reply lie within their intervals together, with probability at least"
                            + " 1 − beta; by default each of them does.")
            .withDefault(false);
    private static final Field<Boolean> NON_NEGATIVE = Field.optional(
                    "nonNegative",
                    FieldType.BOOLEAN,
                    "Whether counts below zero, and sums of values that never are, are stated as zero. This biases:"
                            + " what is zero is overstated, and sums of many such numbers more so. Intervals stay as"
                            + " they are.")
            .withDefault(false);

    /** The request body as the API describes it. */
    public static final Shape.ObjectOf FORM =
            new Shape.ObjectOf("SynopsisQuestions", "", List.of(QUESTIONS, Beta.FIELD, SIMULTANEOUS, NON_NEGATIVE));

    /** Reads the questions about a synopsis. */
    public static Optional<FreeQuestions> read(ObjectReader in, Synopsis synopsis) {
        Optional<BigDecimal> beta = in.read(Beta.FIELD);
        Optional<Boolean> simultaneous = in.read(SIMULTANEOUS);
        Optional<Boolean> nonNegative = in.read(NON_NEGATIVE);
        Optional<List<FreeQuestion>> questions =
                in.read(QUESTIONS).flatMap(all -> all.read(each -> question(each, synopsis)));
        questions.ifPresent(known -> {
            long numbers = known.stream().mapToLong(FreeQuestion::numbers).sum();
            long work = known.stream().mapToLong(FreeQuestion::work).sum();
            if (numbers > MAX_NUMBERS || work > MAX_WORK) {
                in.refuse(
                        QUESTIONS,
                        "questions must ask for at most " + MAX_NUMBERS + " numbers, made of at most " + MAX_WORK
                                + " runs of cells; they had " + numbers + " and " + work);
            }
        });
        return in.complete(() -> new FreeQuestions(
                questions.orElseThrow(), beta.orElseThrow(), simultaneous.orElseThrow(), nonNegative.orElseThrow()));
    }

    /** Whether answering takes so long that it must not keep small requests waiting. */
    public boolean isLarge() {
        return questions.stream().mapToLong(FreeQuestion::work).sum() > MUCH_WORK;
    }

    /** How many numbers the answers have. */
    public long numbers() {
        return questions.stream().mapToLong(FreeQuestion::numbers).sum();
    }

    /** The probability with which each number may be outside its interval. */
    double betaOfEach() {
        return beta.doubleValue() / (simultaneous ? numbers() : 1);
    }

    /** Reads one question, an object with exactly one field. */
    private static Optional<FreeQuestion> question(ObjectReader in, Synopsis synopsis) {
        Optional<FreeQuestion> question = in.exactlyOne(FIELDS)
                .flatMap(sent -> in.read(sent)
                        .flatMap(inner -> KINDS.get(FIELDS.indexOf(sent)).read(inner, synopsis)));
        return in.complete(question::orElseThrow);
    }
}
