package dev.purser.json;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.problem.Violation;
import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.purser.json.JsonText.quoted;
import static dev.purser.problem.Refusals.refusedAs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** Which texts are one JSON document, which are not, and which rules a document breaks by its form alone. */
class JsonDocumentTests {
    private static final JsonLimits TIGHT = new JsonLimits(3, 4, 30, 8, 6, 5);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "{\"epsilon\":",
                "{\"a\":1,}",
                "[1,]",
                "{\"nope\":1,<garbage",
                "{} {}",
                "{}x",
                "1 2",
                "{}//",
                "/* */{}",
                "# \n{}",
                "{'a':1}",
                "{a:1}",
                "[NaN]",
                "[Infinity]",
                "[-Infinity]",
                "[+1]",
                "[01]",
                "[-01]",
                "[.5]",
                "[5.]",
                "[1e]",
                "[0x10]",
                "[-]",
                "[tru]",
                "[nul]",
                "[truex]",
                "\"\t\"",
                "\"\\x\"",
                "{\"\\ud800\":1}",
                "{\"\\udc00\":1}",
                "\"\\u12\"",
                "\"",
                "]",
                "}",
                "[}",
                "{\"a\"}",
                "{\"a\" 1}",
                "{,}",
                "[,]",
                "{\"a\":1 \"b\":2}",
                "\uFEFF{}",
                "{}\uFEFF",
                "{}\u0000",
                "\u0000{}",
                "{\"a\":\"\u0000\"}",
                "\u00A0{}",
                "{\"epsilon\":1,\"epsilon\":2,}"
            })
    void refusesBytesThatAreNotOneDocument(String body) {
        assertMalformed(body.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32", "UTF-32LE", "UTF-32BE"})
    void refusesEveryEncodingButUtf8(String charset) {
        assertMalformed(quoted("{'a':1}").getBytes(Charset.forName(charset)));
    }

    @ParameterizedTest
    @MethodSource
    void refusesBytesThatAreNotUtf8(byte[] inside) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.writeBytes("{\"a\":\"".getBytes(StandardCharsets.UTF_8));
        body.writeBytes(inside);
        body.writeBytes("\"}".getBytes(StandardCharsets.UTF_8));
        assertMalformed(body.toByteArray());
    }

    static Stream<byte[]> refusesBytesThatAreNotUtf8() {
        return Stream.of(
                bytes(0xff),
                bytes(0x80),
                bytes(0xc3),
                bytes(0xc0, 0xaf), // an overlong slash
                bytes(0xe0, 0x80, 0xaf),
                bytes(0xed, 0xa0, 0x80), // a surrogate
                bytes(0xf4, 0x90, 0x80, 0x80), // above U+10FFFF
                bytes(0xf8, 0x88, 0x80, 0x80, 0x80));
    }

    @Test
    void findsAnInvalidByteBehindTheFirstBlock() {
        byte[] body = ("[\"" + "a".repeat(20_000) + "\"]").getBytes(StandardCharsets.UTF_8);
        body[19_000] = (byte) 0xff;
        assertMalformed(body);
    }

    @ParameterizedTest
    @MethodSource
    void namesTheRuleAndThePlace(String body, List<String> pointers, String detail) {
        List<Violation> violations = violationsOf(body, TIGHT);
        assertThat(violations).extracting(Violation::location).containsExactlyElementsOf(pointers);
        assertThat(violations.isEmpty() ? "" : violations.getFirst().detail()).contains(detail);
    }

    static Stream<Arguments> namesTheRuleAndThePlace() {
        return Stream.of(
                arguments(quoted("{'a':1,'a':1}"), List.of("/a"), "must appear once"),
                arguments("""
                                {"a":1,"a":1,"a":[{}],"b":1,"b":2}""", List.of("/a", "/a", "/b"), "must appear once"),
                arguments(quoted("{'x':[0,{'a/~':1,'a/~':2}]}"), List.of("/x/1/a~1~0"), "must appear once"),
                arguments(quoted("{'':1,'':2}"), List.of("/"), "must appear once"),
                arguments(quoted("{'a':[[1]]}"), List.of(), ""),
                arguments(quoted("{'a':[[[]]]}"), List.of("/a/0/0"), "at most 3 deep"),
                arguments(quoted("{'a':[[1,{'b':[1]}]],'c':[[{}]]}"), List.of("/a/0/1", "/c/0/0"), "at most 3 deep"),
                arguments(quoted("{'a':123456789}"), List.of("/a"), "at most 8 characters"),
                arguments(quoted("{'a':[1,1.2345678]}"), List.of("/a/1"), "at most 8 characters"),
                arguments(quoted("{'a':'1234567'}"), List.of("/a"), "at most 6 characters"),
                arguments(quoted("{'a':'\\ud800'}"), List.of("/a"), "well-formed Unicode, was \"\\ud800\""),
                arguments(quoted("{'a':'\\udc00\\ud800'}"), List.of("/a"), "well-formed Unicode"),
                arguments(quoted("{'a':{'123456':1}}"), List.of("/a"), "at most 5 characters"),
                arguments("[[1,2,3,4],[1,2,3,4],[1,2,3,4],[[],[1],[],[]]]", List.of(""), "at most 30 names"),
                arguments("""
                                {"a":[[1,2,3,4],[1,2,3,4],[1,2,3,4],[1,2,3,4]],\
                                "b":[[{}]]}""", List.of(""), "brackets, had 36"));
    }

    @Test
    void findsGarbageBehindEveryBrokenRule() {
        assertMalformed("""
                {"a":1,"a":2,"b":[[[[]]],[1,2,3,4,5,6]],"c":1234567890,<""".getBytes(StandardCharsets.UTF_8), TIGHT);
        assertMalformed(("[" + "1,".repeat(100) + "<").getBytes(StandardCharsets.UTF_8), TIGHT);
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 999, 1_001, 100_000, 5_000_000})
    void refusesNestingWithoutFollowingIt(int depth) {
        assertThat(violationsOf("[".repeat(depth) + "]".repeat(depth), JsonLimits.DEFAULT))
                .first()
                .extracting(Violation::detail)
                .asString()
                .contains("16 deep");
    }

    @Test
    void countsAnArrayThatIsTooLongAndKeepsNothingOfIt() {
        JsonDocument document = JsonDocument.parse("""
                        {"a":[1,2,3,4,[5],{"b":[6]}],"c":7}""".getBytes(StandardCharsets.UTF_8), TIGHT);
        assertThat(document.root())
                .isEqualTo(new JsonValue.JsonObject(
                        Map.of("a", new JsonValue.JsonOversizedArray(6, 4), "c", new JsonValue.JsonNumber("7"))));
        assertThat(document.violations().isEmpty()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"1, 3", "2, 3", "4, 4", "9, 4"})
    void theLowerLimitOfTheFieldAndTheDocumentCounts(int most, int stated) {
        ProblemException refusal = catchThrowableOfType(
                ProblemException.class,
                () -> JsonDocument.parse(quoted("{'a':[1,2,3,4,5]}").getBytes(StandardCharsets.UTF_8), TIGHT)
                        .read(in -> in.complete(
                                in.read(Field.required(
                                        "a", FieldType.listOf(FieldType.NUMBER, 0, Math.max(most, 3)), ""))
                                        ::orElseThrow)));
        assertThat(refusal.detail()).isEqualTo("a must be an array of 0 to " + stated + " elements, had 5");
    }

    @Test
    void takesADocumentAtEveryLimit() {
        String deepest = "[".repeat(16) + "]".repeat(16);
        assertThat(JsonDocument.parse(deepest.getBytes(StandardCharsets.UTF_8))
                        .violations()
                        .isEmpty())
                .isTrue();
        String widest = "[" + "1,".repeat(100_000) + "1]";
        assertThat(JsonDocument.parse(widest.getBytes(StandardCharsets.UTF_8))
                        .violations()
                        .isEmpty())
                .isTrue();
        String longest = quoted("{'a':%s,'b':'%s'}").formatted("1".repeat(64), "é".repeat(10_000));
        assertThat(JsonDocument.parse(longest.getBytes(StandardCharsets.UTF_8))
                        .violations()
                        .isEmpty())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "[]", "\"x\"", "1", "true", " [ ] "})
    void aRootThatIsNoObjectBreaksARuleAtTheEmptyPointer(String body) {
        ProblemException refusal = refusalOf(body, JsonLimits.DEFAULT);
        assertThat(refusal.type()).isEqualTo(ProblemType.VALIDATION_FAILED);
        assertThat(refusal.violations())
                .singleElement()
                .extracting(Violation::location)
                .isEqualTo("");
    }

    @Test
    void reportsAtMostOneHundred() {
        assertThat(violationsOf("{" + "\"a\":1,".repeat(5_000) + "\"b\":1}", JsonLimits.DEFAULT))
                .hasSize(100);
    }

    /** The rules that the form of the document alone breaks. */
    private static List<Violation> violationsOf(String body, JsonLimits limits) {
        JsonDocument document = JsonDocument.parse(body.getBytes(StandardCharsets.UTF_8), limits);
        if (document.violations().isEmpty()) {
            return List.of();
        }
        return catchThrowableOfType(ProblemException.class, document.violations()::throwIfAny)
                .violations();
    }

    private static ProblemException refusalOf(String body, JsonLimits limits) {
        return catchThrowableOfType(
                ProblemException.class,
                () -> JsonDocument.parse(body.getBytes(StandardCharsets.UTF_8), limits)
                        .read(in -> in.complete(() -> Optional.of(in))));
    }

    private static void assertMalformed(byte[] body) {
        assertMalformed(body, JsonLimits.DEFAULT);
    }

    private static void assertMalformed(byte[] body, JsonLimits limits) {
        refusedAs(ProblemType.MALFORMED_REQUEST, () -> JsonDocument.parse(body, limits));
    }

    private static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }

    /** Elements of a long document are parsed again when they are read. */
    @Test
    void aLongArrayHasTheElementsThatWereSent() {
        List<String> elements = List.of(
                "1",
                "-1.50e3",
                "\"\"",
                "\"é𝄞\\n\\u00e9 ]\"",
                "true",
                "null",
                "[]",
                "{}",
                "[ [ 1 , [\"x\"]], 2 ]",
                "{\"a\": {\"b\": [0, {\"c\":\"}\"}]}, \"é\" : false}");
        int times = 5_000;
        String list = "[ " + String.join(" ,\n", Collections.nCopies(times, String.join(",", elements))) + "]";

        JsonValue document = JsonDocument.parse(
                        ("{\"first\":" + list + ", \"nested\": [" + list + "]}").getBytes(StandardCharsets.UTF_8))
                .root();

        JsonValue.JsonArray nested = (JsonValue.JsonArray) member(document, "nested");
        for (JsonValue array :
                List.of(member(document, "first"), nested.elements().getFirst())) {
            List<JsonValue> read = ((JsonValue.JsonArray) array).elements();
            assertThat(read).hasSize(times * elements.size());
            for (int i = 0; i < read.size(); i++) {
                assertThat(read.get(i))
                        .isEqualTo(JsonDocument.parse(
                                        elements.get(i % elements.size()).getBytes(StandardCharsets.UTF_8))
                                .root());
            }
        }
    }

    @Test
    void whatALateElementBreaksIsSaidOnceWhereItIs() {
        String last = "{\"a\":1,\"a\":2}," + "[".repeat(20) + "]".repeat(20) + ",\"" + "x".repeat(20_000) + "\"";
        String list = "1,".repeat(60_000) + last;

        assertThat(elements(list).subList(60_000, 60_003)).isEqualTo(elements(last));
        assertThat(violationsOf("[" + list + "]", JsonLimits.DEFAULT))
                .extracting(Violation::location)
                .containsExactly("/60000/a", "/60001" + "/0".repeat(15), "/60002");
    }

    /** Fields are kept with their names, so there may be fewer of them than elements. */
    @Test
    void theFieldsOutsideOfLongListsAreLimited() {
        String fields = IntStream.range(0, JsonParsing.KEPT_FIELDS)
                .mapToObj(i -> "\"" + i + "\":0")
                .collect(Collectors.joining(","));
        String objects = "{\"a\":0},".repeat(90_000) + "0";
        assertThat(violationsOf("{" + fields + "}", JsonLimits.DEFAULT)).isEmpty();
        assertThat(violationsOf("[" + objects + "]", JsonLimits.DEFAULT)).isEmpty();
        assertThat(violationsOf("{" + fields + ",\"a\":[" + objects + "],\"b\":0,\"c\":{}}", JsonLimits.DEFAULT))
                .extracting(Violation::location, Violation::detail)
                .containsExactly(tuple("", "a document must have at most 50000 fields that are not in a long list"));
    }

    private static List<JsonValue> elements(String list) {
        JsonValue array = JsonDocument.parse(("[" + list + "]").getBytes(StandardCharsets.UTF_8))
                .root();
        return ((JsonValue.JsonArray) array).elements();
    }

    private static JsonValue member(JsonValue object, String name) {
        return Objects.requireNonNull(((JsonValue.JsonObject) object).members().get(name));
    }
}
