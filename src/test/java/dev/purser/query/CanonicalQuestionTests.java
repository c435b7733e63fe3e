package dev.purser.query;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.json.JsonDocument;
import dev.purser.problem.ProblemException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/** Requests that ask the same have the same form. Requests that ask anything else have another form. */
class CanonicalQuestionTests {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Dataset DATASET = DatasetsForTests.rows(
            "adult",
            DatasetsForTests.integer("age", 0, 125),
            DatasetsForTests.decimal("hours", "0.25", 0, 400, null),
            DatasetsForTests.category("sex", null, "Female", "Male"));
    private static final int VARIANTS = 200;
    private static final Set<String> WITH_DEFAULT = Set.of(
            "of", "delta", "beta", "where", "lower", "upper", "method", "whenNone", "release", "allocation", "variant");

    private record Asked(String kind, ObjectNode body) {
        static Asked of(String kind, String fields) {
            return new Asked(kind, (ObjectNode) JSON.readTree(quoted("{'epsilon':'0.5'" + fields + "}")));
        }

        CanonicalQuestion canonical() {
            return CanonicalQuestionTests.canonical(kind, body.toString());
        }

        @Override
        public String toString() {
            return kind + " " + body;
        }
    }

    static Stream<Asked> questions() {
        return Stream.of(
                Asked.of("count", ""),
                Asked.of(
                        "count",
                        ",'beta':0.01,'where':[{'column':'age','above':30,'below':50},"
                                + "{'column':'sex','in':['Male','Female']}]"),
                Asked.of("count", ",'where':[{'column':'sex','notIn':['Male']},{'column':'age','atMost':9}]"),
                Asked.of("sum", ",'column':'hours','lower':0.25,'upper':10"),
                Asked.of("mean", ",'column':'age','method':'auto-clip'"),
                Asked.of("mean", ",'column':'age'"),
                Asked.of("histogram", ",'column':'hours','edges':[-5,0.25,10,500]"),
                Asked.of("histogram", ",'column':'sex'"),
                Asked.of("quantile", ",'column':'hours','probabilities':[0.5,0.9],'upper':30"),
                Asked.of(
                        "threshold",
                        ",'threshold':9,'whenNone':'random','queries':[{'sum':{'column':'age','upper':3}},"
                                + "{'clipLoss':{'column':'hours','bound':5,'step':0.25}},"
                                + "{'count':{'where':[{'column':'age','atLeast':3},{'column':'hours','atMost':2}]}}]"),
                Asked.of(
                        "sparse-range",
                        ",'column':'age','threshold':5,'maxPositives':3,'release':'values','allocation':'textbook',"
                                + "'ranges':[{'below':50},{'above':3}]"));
    }

    private static CanonicalQuestion canonical(String kind, String body) {
        QuestionKind known = QuestionKinds.named(kind).orElseThrow();
        return JsonDocument.parse(body.getBytes(StandardCharsets.UTF_8))
                .read(in -> known.readAsked(in, DATASET))
                .canonical();
    }

    private static String digest(CanonicalQuestion canonical) {
        return HexFormat.of().formatHex(canonical.form().digest());
    }

    @ParameterizedTest
    @MethodSource("questions")
    void theCanonicalRequestIsItsOwnCanonicalForm(Asked asked) {
        CanonicalQuestion canonical = asked.canonical();

        CanonicalQuestion again = canonical(asked.kind(), canonical.json());

        assertThat(again.json()).isEqualTo(canonical.json());
        assertThat(digest(again)).isEqualTo(digest(canonical));
    }

    @Test
    void isWrittenInFull() {
        assertThat(canonical("sum", """
                                        {"where":[{"below":5e1,"column":"age"}],"upper":null,"column":"hours",\
                                        "epsilon":0.50,"reuse":true,"reuseMaxAgeSeconds":5}""").json()).isEqualTo("""
                        {"epsilon":"0.5","delta":"0","beta":0.05,"where":[{"column":"age","below":50}],\
                        "column":"hours","lower":0,"upper":100}""");
    }

    @Test
    void namesItsColumns() {
        List<Asked> all = questions().toList();
        assertThat(all.get(0).canonical().form().columns()).isEmpty();
        assertThat(all.get(1).canonical().form().columns()).containsExactly("age", "sex");
        assertThat(all.get(9).canonical().form().columns()).containsExactly("age", "hours");
    }

    /** Fields and conditions in another order, numbers in another notation, defaults written or not. */
    @ParameterizedTest
    @MethodSource("questions")
    void whatAsksTheSameHasTheSameForm(Asked asked) {
        Random random = new Random(asked.toString().hashCode());
        CanonicalQuestion canonical = asked.canonical();
        for (int i = 0; i < VARIANTS; i++) {
            ObjectNode body = (random.nextBoolean() ? asked.body() : (ObjectNode) JSON.readTree(canonical.json()));
            String variant = variant(body, "", random);
            assertThat(canonical(asked.kind(), variant).json()).as(variant).isEqualTo(canonical.json());
            assertThat(digest(canonical(asked.kind(), variant))).isEqualTo(digest(canonical));
        }
    }

    private static String variant(JsonNode value, String name, Random random) {
        switch (value) {
            case ObjectNode object -> {
                List<String> members = new ArrayList<>();
                object.properties()
                        .forEach(each -> members.add(JSON.writeValueAsString(each.getKey()) + ":"
                                + variant(each.getValue(), each.getKey(), random)));
                if (object.has("epsilon") && random.nextBoolean()) {
                    members.add("\"reuse\":" + random.nextBoolean());
                }
                Collections.shuffle(members, random);
                return "{" + String.join(" ,", members) + "}";
            }
            case ArrayNode array -> {
                List<String> elements = new ArrayList<>();
                array.forEach(each -> elements.add(variant(each, "", random)));
                if (name.equals("where")) {
                    Collections.shuffle(elements, random);
                }
                return "[" + String.join(", ", elements) + "]";
            }
            default -> {
                boolean isAmount = name.equals("epsilon") || name.equals("delta");
                if (!value.isNumber() && !isAmount) {
                    return value.toString();
                }
                BigDecimal number = new BigDecimal(value.asString());
                boolean isWhole = name.equals("maxPositives");
                String spelled = switch (random.nextInt(isWhole ? 1 : isAmount ? 2 : 3)) {
                    case 0 -> number.toPlainString();
                    case 1 -> number.setScale(number.scale() + 2).toPlainString();
                    default -> number.movePointRight(3).toPlainString() + "e-3";
                };
                return isAmount && random.nextBoolean() ? '"' + spelled + '"' : spelled;
            }
        }
    }

    /** Another value anywhere, another order of a list, one field or condition more or less. */
    @ParameterizedTest
    @MethodSource("questions")
    void whatAsksAnythingElseHasAnotherForm(Asked asked) {
        String form = digest(asked.canonical());
        ObjectNode body = (ObjectNode) JSON.readTree(asked.canonical().json());
        int told = 0;
        for (JsonNode other : changed(body)) {
            Optional<String> otherForm = formOf(asked.kind(), other);
            assertThat(otherForm).as(other.toString()).isNotEqualTo(Optional.of(form));
            told += otherForm.isPresent() ? 1 : 0;
        }
        assertThat(told).isPositive();
        QuestionKinds.ALL.stream()
                .filter(kind -> !kind.name().equals(asked.kind()))
                .forEach(kind -> assertThat(formOf(kind.name(), body)).isNotEqualTo(Optional.of(form)));
    }

    @Test
    void whatIsExcludedIsNotWhatIsPermitted() {
        String where = quoted("{'epsilon':1,'where':[{'column':'sex','%s':['Male']}]}");
        assertThat(digest(canonical("count", where.formatted("notIn"))))
                .isNotEqualTo(digest(canonical("count", where.formatted("in"))));
    }

    private static Optional<String> formOf(String kind, JsonNode body) {
        try {
            return Optional.of(digest(canonical(kind, body.toString())));
        } catch (ProblemException refused) {
            return Optional.empty();
        }
    }

    /** Every body that differs from this one at one place. */
    private static List<JsonNode> changed(JsonNode value) {
        List<JsonNode> all = new ArrayList<>();
        switch (value) {
            case ObjectNode object ->
                object.properties().forEach(each -> {
                    changed(each.getValue())
                            .forEach(other -> all.add(object.deepCopy().set(each.getKey(), other)));
                    if (!WITH_DEFAULT.contains(each.getKey())) {
                        ObjectNode without = object.deepCopy();
                        without.remove(each.getKey());
                        all.add(without);
                    }
                });
            case ArrayNode array -> {
                for (int i = 0; i < array.size(); i++) {
                    for (JsonNode other : changed(array.get(i))) {
                        ArrayNode copy = array.deepCopy();
                        copy.set(i, other);
                        all.add(copy);
                    }
                    ArrayNode without = array.deepCopy();
                    without.remove(i);
                    all.add(without);
                }
                if (array.size() > 1 && !array.get(0).has("column")) {
                    ArrayNode swapped = array.deepCopy();
                    swapped.set(0, array.get(1)).set(1, array.get(0));
                    all.add(swapped);
                }
            }
            default -> {
                if (value.isNumber()) {
                    all.add(JSON.getNodeFactory()
                            .numberNode(value.decimalValue().add(new BigDecimal("1"))));
                    all.add(JSON.getNodeFactory()
                            .numberNode(value.decimalValue().add(new BigDecimal("0.25"))));
                } else {
                    for (String other : List.of(
                            "0.25",
                            "hours",
                            "age",
                            "Male",
                            "Female",
                            "centered",
                            "sum-and-count",
                            "none",
                            "gaps",
                            "units",
                            "optimal")) {
                        if (!other.equals(value.asString())) {
                            all.add(JSON.getNodeFactory().stringNode(other));
                        }
                    }
                }
            }
        }
        return all;
    }
}
