package dev.purser.json;

import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.NeighboringRelation;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.problem.Violation;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatObject;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

class ObjectReaderTests {
    private static final Epsilon LEAST = Epsilon.parse("0.000001");
    private static final Epsilon MOST = Epsilon.parse("100");
    private static final Delta MOST_DELTA = Delta.parse("0.01");

    /** A request like the service's own. */
    record Question(Epsilon epsilon, Delta delta, long maxPositives, BigDecimal beta, List<Condition> where) {
        private static final Field<Epsilon> EPSILON = Field.required("epsilon", FieldType.epsilon(LEAST, MOST), "");
        private static final Field<Delta> DELTA =
                Field.optional("delta", FieldType.delta(MOST_DELTA), "").withDefault(Delta.ZERO);
        private static final Field<Integer> MAX_POSITIVES =
                Field.optional("maxPositives", FieldType.integer(1, 1000), "").withDefault(1);
        private static final Field<BigDecimal> BETA = Field.optional(
                        "beta", FieldType.number(new BigDecimal("0.000001"), new BigDecimal("0.5")), "")
                .withDefault(new BigDecimal("0.05"));
        private static final Field<List<Condition>> WHERE = Field.optional(
                        "where",
                        FieldType.listOf(FieldType.object(new Shape.Of(Condition.class), Condition::read), 0, 3),
                        "")
                .withDefault(List.of());

        static Optional<Question> read(ObjectReader in) {
            Optional<Epsilon> epsilon = in.read(EPSILON);
            Optional<Delta> delta = in.read(DELTA);
            Optional<Integer> maxPositives = in.read(MAX_POSITIVES);
            Optional<BigDecimal> beta = in.read(BETA);
            Optional<List<Condition>> where = in.read(WHERE);
            return in.complete(() -> new Question(
                    epsilon.orElseThrow(),
                    delta.orElseThrow(),
                    maxPositives.orElseThrow(),
                    beta.orElseThrow(),
                    where.orElseThrow()));
        }
    }

    record Condition(String column, Optional<BigDecimal> above, Optional<BigDecimal> below) {
        private static final Field<String> COLUMN = Field.required("column", FieldType.text(1, 128), "");
        private static final Field<BigDecimal> ABOVE = Field.optional("above", FieldType.NUMBER, "");
        private static final Field<BigDecimal> BELOW = Field.optional("below", FieldType.NUMBER, "");

        static Optional<Condition> read(ObjectReader in) {
            Optional<String> column = in.read(COLUMN);
            Optional<BigDecimal> above = in.read(ABOVE);
            Optional<BigDecimal> below = in.read(BELOW);
            if (!in.has(ABOVE) && !in.has(BELOW)) {
                in.refuse("a condition must have above or below");
            }
            return in.complete(() -> new Condition(column.orElseThrow(), above, below));
        }
    }

    @Test
    void readsWhatWasSent() {
        Question question = read("""
                {"epsilon": 0.10, "delta": "1e-6", "maxPositives": 1000, "beta": 1e-3,
                 "where": [{"column": "age", "above": -1.50}, {"column": "β", "below": 5e3}]}""", Question::read);
        assertThat(question.epsilon()).isEqualTo(Epsilon.parse("0.1"));
        assertThat(question.delta()).isEqualTo(Delta.parse("0.000001"));
        assertThat(question.maxPositives()).isEqualTo(1000);
        assertThat(question.beta()).isEqualTo(new BigDecimal("0.001"));
        assertThat(question.where())
                .containsExactly(
                        new Condition("age", Optional.of(new BigDecimal("-1.5")), Optional.empty()),
                        new Condition("β", Optional.empty(), Optional.of(new BigDecimal("5e3"))));
    }

    @Test
    void namesEveryBrokenRuleAtOnce() {
        assertThat(violations("""
                        {"epsilon": "-1", "delta": 2, "maxPositives": 1.0, "beta": "0.05", "nope": 1, "beta": 0,
                         "where": [{"column": "", "above": null}, {"column": "age"}, 7,
                                   {"a/b~": 1, "below": 1}]}""", Question::read))
                .extracting(Violation::location)
                .containsExactlyInAnyOrder("/beta", "/epsilon", "/delta", "/maxPositives", "/beta", "/where", "/nope");
        assertThat(violations("""
                        {"epsilon": "1", "where": [{"column": "", "above": null}, {"column": "age"},
                                                   {"a/b~": 1, "below": 1}]}""", Question::read))
                .extracting(Violation::location)
                .containsExactly("/where/0/column", "/where/0", "/where/1", "/where/2/column", "/where/2/a~1b~0");
    }

    /** One text of each form. {@code EpsilonTests} has the other texts. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "-1",
                "0",
                "1e400",
                "1E0",
                "0.1000000001",
                "1e1000000000",
                "'1e1000000000'",
                "9223372036854775808",
                "'NaN'",
                "'٠.١'",
                "null",
                "true",
                "[1]",
                "{}",
                "''",
                "'+1'",
                "100.000000001",
                "0.000000999"
            })
    void refusesAnEpsilonThatIsNotOne(String sent) {
        assertThat(violations("{'epsilon':" + sent + "}", Question::read))
                .singleElement()
                .satisfies(violation -> {
                    assertThat(violation.location()).isEqualTo("/epsilon");
                    assertThat(violation.detail())
                            .startsWith("epsilon must be ")
                            .contains(", was ");
                });
    }

    @Test
    void refusesAMillionDigitsWithoutArithmetic() {
        String digits = "1".repeat(1_000_000);
        long before = System.nanoTime();
        assertThat(violations("{'epsilon':" + digits + "}", Question::read)).hasSize(1);
        assertThat(violations("{'epsilon':'" + digits + "'}", Question::read)).hasSize(1);
        assertThat(System.nanoTime() - before).isLessThan(2_000_000_000L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.000001", "'0.000001'", "100", "'100'", "'99.999999999'", "0.1", "1.50"})
    void takesEveryEpsilonInRange(String sent) {
        assertThat(read("{'epsilon':" + sent + "}", Question::read).epsilon())
                .isEqualTo(Epsilon.parse(sent.replace("'", "")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.5", "1.0", "1e2", "1E0", "'5'", "0", "1001", "-1", "9223372036854775808", "true", "[]"})
    void refusesAnIntegerThatIsNotOne(String sent) {
        assertThat(violations("{'epsilon':1,'maxPositives':" + sent + "}", Question::read))
                .singleElement()
                .satisfies(violation -> {
                    assertThat(violation.location()).isEqualTo("/maxPositives");
                    assertThat(violation.detail())
                            .startsWith("maxPositives must be an integer between 1 and 1000, was ");
                });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'5'",
                "true",
                "null",
                "[]",
                "{}",
                "1e400",
                "1e-400",
                "-1e99999999999",
                "1e16",
                "1e-31",
                "1234567890123456789012345678901",
                "0.1234567890123456789012345678901"
            })
    void refusesADecimalThatIsNone(String sent) {
        assertThat(violations("{'x':" + sent + "}", in -> plain(in, in.read(x(FieldType.NUMBER)))))
                .singleElement()
                .extracting(Violation::location)
                .isEqualTo("/x");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "-0",
                "0.0e99",
                "1e15",
                "-1e-30",
                "1.0000000000000000000000000000000000000",
                "123456789012345"
            })
    void takesADecimalAsWritten(String sent) {
        assertThatObject(read("{'x':" + sent + "}", in -> plain(in, in.read(x(FieldType.NUMBER)))))
                .satisfies(number -> assertThat(number).isEqualByComparingTo(new BigDecimal(sent)));
    }

    @Test
    void doesNotTakeAnExponentForAZeroThatCannotBeWritten() {
        assertThat(violations(quoted("{'x':0e99999999999}"), in -> plain(in, in.read(x(FieldType.NUMBER)))))
                .hasSize(1);
    }

    @ParameterizedTest
    @MethodSource
    void saysWhatWasSentOnOneSafeLine(String sent, String shown) {
        assertThat(detail("{'epsilon':" + sent + "}", Question::read))
                .endsWith(", was " + quoted(shown))
                .hasSizeLessThan(220);
    }

    static Stream<Arguments> saysWhatWasSentOnOneSafeLine() {
        return Stream.of(
                arguments("'<b>\\n\\u0007'", "'<b>\\u000a\\u0007'"),
                arguments("'\\u202eabc\\u2028'", "'\\u202eabc\\u2028'"),
                arguments("'" + "x".repeat(41) + "'", "'" + "x".repeat(40) + "…'"),
                arguments("1e400", "1e400"),
                arguments(quoted("{'a':1}"), "an object"),
                arguments("[1]", "an array"),
                arguments("null", "null"),
                arguments("false", "false"));
    }

    @Test
    void anOptionalFieldThatIsNullIsAsIfAbsent() {
        Function<ObjectReader, Optional<String>> decoder = in -> plain(in, Optional.of(in.has(A) + " " + in.read(A)));
        assertThat(read("{}", decoder)).isEqualTo("false Optional.empty");
        assertThat(read(quoted("{'a':null}"), decoder)).isEqualTo("false Optional.empty");
        assertThat(read(quoted("{'a':'x'}"), decoder)).isEqualTo("true Optional[x]");
        assertThat(violations(quoted("{'a':[]}"), decoder)).hasSize(1);
        assertThat(violations(quoted("{'b':null}"), decoder)).hasSize(1);
        assertThat(violations(quoted("{'a':null}"), in -> plain(in, in.required(A))))
                .extracting(Violation::detail)
                .containsExactly("a must be a string of 1 to 5 characters without control characters, was null");
        assertThatObject(read(quoted("{'a':null,'b':1}"), in -> plain(in, in.exactlyOne(List.of(A, B)))))
                .isEqualTo(B);
    }

    @Test
    void anEmptyArrayHasNoElements() {
        Field<List<BigDecimal>> list =
                Field.optional("a", FieldType.listOf(FieldType.NUMBER, 1, 2).orNone(), "");
        assertThatObject(read(quoted("{'a':[]}"), in -> plain(in, Optional.of(in.read(list)))))
                .isEqualTo(Optional.empty());
        Function<ObjectReader, Optional<Boolean>> decoder = in -> plain(in, Optional.of(in.has(list)));
        for (String none : List.of("{}", quoted("{'a':null}"), quoted("{'a':[]}"))) {
            assertThatObject(read(none, decoder)).isEqualTo(false);
        }
        for (String some : List.of(quoted("{'a':[1]}"), quoted("{'a':{}}"), quoted("{'a':''}"))) {
            assertThatObject(read(some, decoder)).isEqualTo(true);
        }
    }

    @Test
    void fieldsOfAnotherFormAreUnknownUnlessTheyAreAsIfAbsent() {
        Function<ObjectReader, Optional<String>> decoder = in -> {
            in.notInThisForm(B, field("c"));
            return plain(in, in.required(A));
        };
        assertThat(read(quoted("{'a':'x','b':null,'c':[]}"), decoder)).isEqualTo("x");
        assertThat(violations(quoted("{'a':'x','b':0,'c':[1],'d':null}"), decoder))
                .extracting(Violation::detail)
                .containsExactly(
                        "unknown field \"b\"; the fields here are \"a\"",
                        "unknown field \"c\"; the fields here are \"a\"",
                        "unknown field \"d\"; the fields here are \"a\"");
    }

    @Test
    void listsTheFieldsThatExist() {
        assertThat(detail("{'epsilon':1,'epsillon\\u0000':2}", Question::read))
                .isEqualTo("unknown field \"epsillon\\u0000\"; the fields here are \"epsilon\", \"delta\", "
                        + "\"maxPositives\","
                        + " \"beta\", \"where\"");
    }

    @Test
    void readsLabelsAndListsThem() {
        Field<NeighboringRelation> relation = Field.required(
                "relation", FieldType.choice(List.of(NeighboringRelation.values()), NeighboringRelation::label), "");
        Function<ObjectReader, Optional<NeighboringRelation>> decoder = in -> plain(in, in.read(relation));
        assertThat(read(quoted("{'relation':'replace-one'}"), decoder)).isEqualTo(NeighboringRelation.REPLACE_ONE);
        for (String wrong : List.of("\"REPLACE_ONE\"; the nearest is \"replace-one\"", "1", "\"\"", "\"other\"")) {
            assertThat(detail("{'relation':" + wrong.split(";")[0] + "}", decoder))
                    .isEqualTo("relation must be one of \"add-or-remove-one\", \"replace-one\", was " + wrong);
        }
    }

    @Test
    void wantsExactlyOneOfSeveralFields() {
        Function<ObjectReader, Optional<String>> decoder = in ->
                plain(in, in.exactlyOne(List.of(field("count"), field("sum"))).map(Field::name));
        assertThat(read(quoted("{'sum':{}}"), decoder)).isEqualTo("sum");
        assertThat(detail("{}", decoder)).isEqualTo("exactly one of \"count\", \"sum\" is required, none was sent");
        assertThat(detail(quoted("{'sum':1,'count':2}"), decoder))
                .isEqualTo("exactly one of \"count\", \"sum\" is required, \"count\", \"sum\" were sent");
    }

    @Test
    void readsStringsListsAndBooleans() {
        Pattern id = Pattern.compile("[a-z]{1,3}");
        assertThatObject(read("""
                                {"x":"abc"}""", in -> plain(in, in.read(x(FieldType.text(id, "one to three letters"))))))
                .isEqualTo("abc");
        assertThat(detail("{'x':'abc\\n'}", in -> plain(in, in.read(x(FieldType.text(id, "one to three letters"))))))
                .isEqualTo("x must be one to three letters, was \"abc\\u000a\"");
        assertThatObject(read(quoted("{'x':true}"), in -> plain(in, in.read(x(FieldType.BOOLEAN)))))
                .isEqualTo(true);
        assertThat(violations(quoted("{'x':'true'}"), in -> plain(in, in.read(x(FieldType.BOOLEAN)))))
                .hasSize(1);
        assertThatObject(read(
                        quoted("{'x':[1,2.50]}"),
                        in -> plain(in, in.read(x(FieldType.listOf(FieldType.NUMBER, 0, 2))))))
                .isEqualTo(List.of(new BigDecimal("1"), new BigDecimal("2.5")));
        assertThat(violations(
                        quoted("{'x':[1,'2',null]}"),
                        in -> plain(in, in.read(x(FieldType.listOf(FieldType.NUMBER, 0, 3))))))
                .extracting(Violation::location)
                .containsExactly("/x/1", "/x/2");
        assertThat(detail(
                        quoted("{'x':[1,2,3]}"), in -> plain(in, in.read(x(FieldType.listOf(FieldType.NUMBER, 0, 2))))))
                .isEqualTo("x must be an array of 0 to 2 elements, had 3");
        assertThatObject(read(
                        "{'x':['a','\uD83D\uDE00']}",
                        in -> plain(in, in.read(x(FieldType.listOf(FieldType.text(1, 1), 1, 2))))))
                .isEqualTo(List.of("a", "\uD83D\uDE00"));
        assertThat(violations(
                        "{'x':['ab','\\t','']}",
                        in -> plain(in, in.read(x(FieldType.listOf(FieldType.text(1, 1), 1, 3))))))
                .hasSize(3);
    }

    /** A hundred violations are reported. Work on a hundred thousand more would be wasted. */
    @Test
    void looksForTheNearestNameOnlyWhereItIsReported() {
        List<String> permitted = Collections.nCopies(1_000, "x".repeat(40));
        AtomicInteger opened = new AtomicInteger();
        String body = "{'x':[" + "'y',".repeat(99_999) + "'y']}";
        Function<ValueReader, Optional<String>> unlisted =
                each -> each.unlisted("one of ", permitted.stream().peek(name -> opened.incrementAndGet()));
        assertThat(violations(
                        body,
                        in -> plain(
                                in,
                                in.read(x(FieldType.listOf(
                                        new FieldType<>(new Shape.Of(String.class), unlisted), 0, 100_000))))))
                .hasSize(100);
        assertThat(opened).hasValue(100_000);
    }

    @Test
    void countsMoreViolationsThanItReports() {
        String body = "{'x':[" + "true,".repeat(500) + "1]}";
        assertThat(violations(body, in -> plain(in, in.read(x(FieldType.listOf(FieldType.NUMBER, 0, 1000))))))
                .hasSize(100);
    }

    private static final Field<String> A = field("a");
    private static final Field<String> B = field("b");

    private static Field<String> field(String name) {
        return Field.optional(name, FieldType.text(1, 5), "");
    }

    private static <T> Field<T> x(FieldType<T> type) {
        return Field.required("x", type, "");
    }

    static <T> Optional<T> plain(ObjectReader in, Optional<T> read) {
        return in.complete(read::orElseThrow);
    }

    /** Reads a body in which single quotes stand for double ones. */
    static <T> T read(String body, Function<ObjectReader, Optional<T>> decoder) {
        return JsonDocument.parse(quoted(body).getBytes(StandardCharsets.UTF_8)).read(decoder);
    }

    /** The text of the only rule that is broken. */
    private static <T> String detail(String body, Function<ObjectReader, Optional<T>> decoder) {
        List<Violation> violations = violations(body, decoder);
        assertThat(violations).hasSize(1);
        return violations.getFirst().detail();
    }

    static <T> List<Violation> violations(String body, Function<ObjectReader, Optional<T>> decoder) {
        ProblemException refusal = catchThrowableOfType(ProblemException.class, () -> read(body, decoder));
        assertThat(refusal)
                .as("refusal of %s", body.length() < 200 ? body : "the body")
                .isNotNull();
        assertThat(refusal.type()).isEqualTo(ProblemType.VALIDATION_FAILED);
        return refusal.violations();
    }
}
