package dev.purser.json;

import dev.purser.json.JsonValue.JsonArray;
import dev.purser.json.JsonValue.JsonBoolean;
import dev.purser.json.JsonValue.JsonNull;
import dev.purser.json.JsonValue.JsonNumber;
import dev.purser.json.JsonValue.JsonObject;
import dev.purser.json.JsonValue.JsonOmitted;
import dev.purser.json.JsonValue.JsonOversizedArray;
import dev.purser.json.JsonValue.JsonString;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Random documents are read back unchanged. Random bytes end in one of two refusals. */
class JsonFuzzTests {
    private static final int TREES = 20_000;
    private static final int MUTATIONS = 100_000;
    private static final String[] NUMBERS = {"0", "-0", "1.50", "1e5", "-2.5E-7", "12345678901234567890", "0.0000001"};
    private static final String[] TEXTS = {
        "", "a", "epsilon", "a/b~c", "ü", "\uD83D\uDE00", "\"\\\n\t", "\u2028", "where"
    };
    private static final String QUESTION = """
            {"epsilon":"0.5","delta":1e-6,"maxPositives":3,\
            "where":[{"column":"age","above":1.5},{"column":"a","below":2}]}""";
    private static final String[] PIECES = {
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "null",
        "1e400",
        "-",
        "\\u",
        "\\ud800",
        "NaN",
        "\uFEFF",
        "\u0000",
        "/*",
        "\"epsilon\":",
        "\"where\":[{",
        "0.5",
        "\"0.5\"",
        "1",
        " ",
        "é"
    };

    @Test
    void everyTreeComesBackAsItWas() {
        Random random = new Random(20250601);
        for (int i = 0; i < TREES; i++) {
            JsonValue tree = tree(random, 5);
            JsonDocument document = JsonDocument.parse(written(tree).getBytes(StandardCharsets.UTF_8));
            assertThat(document.root()).isEqualTo(tree);
            assertThat(document.violations().isEmpty()).isTrue();
        }
    }

    @Test
    void everyBrokenBodyEndsInARefusal() {
        Random random = new Random(20250602);
        JsonLimits tight = new JsonLimits(4, 5, 60, 8, 8, 8);
        int understood = 0;
        for (int i = 0; i < MUTATIONS; i++) {
            String whole = random.nextBoolean() ? QUESTION : written(tree(random, 4));
            byte[] body = mutated(random, whole.getBytes(StandardCharsets.UTF_8));
            try {
                JsonDocument.parse(body, random.nextBoolean() ? tight : JsonLimits.DEFAULT)
                        .read(ObjectReaderTests.Question::read);
                understood++;
            } catch (ProblemException refusal) {
                assertThat(refusal.type()).isIn(Set.of(ProblemType.MALFORMED_REQUEST, ProblemType.VALIDATION_FAILED));
                assertThat(refusal.violations()).allMatch(each -> Text.isWellFormed(each.location() + each.detail()));
            }
        }
        // Some mutations are harmless. Most mutations are not harmless.
        assertThat(understood).isBetween(100, MUTATIONS / 2);
    }

    private static byte[] mutated(Random random, byte[] body) {
        byte[] result = body;
        for (int times = random.nextInt(4); times >= 0; times--) {
            int at = random.nextInt(result.length + 1);
            int to = Math.min(result.length, at + random.nextInt(4));
            byte[] piece = random.nextInt(3) == 0
                    ? new byte[] {(byte) random.nextInt(256)}
                    : PIECES[random.nextInt(PIECES.length)].getBytes(StandardCharsets.UTF_8);
            byte[] next = new byte[at + piece.length + result.length - to];
            System.arraycopy(result, 0, next, 0, at);
            System.arraycopy(piece, 0, next, at, piece.length);
            System.arraycopy(result, to, next, at + piece.length, result.length - to);
            result = next;
        }
        return result;
    }

    private static JsonValue tree(Random random, int depth) {
        return switch (random.nextInt(depth == 0 ? 4 : 7)) {
            case 0 -> new JsonNull();
            case 1 -> new JsonBoolean(random.nextBoolean());
            case 2 -> new JsonNumber(NUMBERS[random.nextInt(NUMBERS.length)]);
            case 3 -> new JsonString(TEXTS[random.nextInt(TEXTS.length)]);
            case 4 -> {
                List<JsonValue> elements = new ArrayList<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    elements.add(tree(random, depth - 1));
                }
                yield new JsonArray(elements);
            }
            default -> {
                Map<String, JsonValue> members = new LinkedHashMap<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    members.put(TEXTS[random.nextInt(TEXTS.length)], tree(random, depth - 1));
                }
                yield new JsonObject(members);
            }
        };
    }

    private static String written(JsonValue value) {
        return switch (value) {
            case JsonNull() -> "null";
            case JsonBoolean(boolean truth) -> String.valueOf(truth);
            case JsonNumber(String token) -> token;
            case JsonString(String text) -> quoted(text);
            case JsonArray(List<JsonValue> elements) ->
                elements.stream().map(JsonFuzzTests::written).collect(Collectors.joining(" , ", "[", "\n]"));
            case JsonObject(Map<String, JsonValue> members) ->
                members.entrySet().stream()
                        .map(member -> quoted(member.getKey()) + ":" + written(member.getValue()))
                        .collect(Collectors.joining(",\t", "{", "}"));
            case JsonOversizedArray _, JsonOmitted _ -> throw new IllegalStateException("never made here");
        };
    }

    private static String quoted(String text) {
        String escaped = text.replace("\\", "\\\\")
                .replace("\"", "\\\"")
                .replace("\n", "\\n")
                .replace("\t", "\\u0009");
        return '"' + escaped + '"';
    }
}
