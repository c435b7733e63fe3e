package dev.purser.query;

import dev.purser.access.NewKey;
import dev.purser.accounting.PureAccountant;
import dev.purser.collection.Trainings;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.dataset.LimitReader;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.JsonDocument;
import dev.purser.problem.ProblemException;
import dev.purser.problem.Violation;
import dev.purser.query.quote.QuoteRequest;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/** That what is described of requests is what their readers take: of every kind, and of bodies beside them. */
class DescribedFieldsTests {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Dataset DATASET = DatasetsForTests.rows("adult", DatasetsForTests.integer("age", 0, 125));
    private static final Pattern UNKNOWN = Pattern.compile("unknown field \"zz\"; the fields here are (.*)");

    /** A request that is described and read. */
    private record Request(FieldType.ObjectOf type, Consumer<JsonDocument> reader) {
        List<Violation> violations(JsonNode body) {
            try {
                reader.accept(JsonDocument.parse(body.toString().getBytes(StandardCharsets.UTF_8)));
                return List.of();
            } catch (ProblemException refusal) {
                return refusal.violations();
            }
        }

        @Override
        public String toString() {
            return type.name();
        }
    }

    private static Stream<Request> requests() {
        Request plan = new Request(
                QuoteRequest.sentForPlan(), document -> document.read(in -> QuoteRequest.readPlan(in, DATASET)));
        Request key = new Request(NewKey.FORM, document -> document.read(in -> NewKey.read(in, Instant.EPOCH)));
        Request limit = new Request(
                LimitReader.FORM, document -> document.read(in -> LimitReader.limit(in, new PureAccountant())));
        Request tickets =
                new Request(Trainings.TicketCount.FORM, document -> document.read(Trainings.TicketCount::read));
        return Stream.concat(
                Stream.of(plan, key, limit, tickets),
                QuestionKinds.ALL.stream().flatMap(kind -> Stream.of(asking(kind), quoting(kind))));
    }

    private static Request asking(QuestionKind kind) {
        return new Request(kind.request(), document -> document.read(in -> kind.readAsked(in, DATASET)));
    }

    private static Request quoting(QuestionKind kind) {
        return new Request(
                QuoteRequest.sentFor(kind), document -> document.read(in -> QuoteRequest.read(in, DATASET, kind)));
    }

    /** One object of a request: where it stands in a body that is taken, and as what it is described. */
    private record Place(Request request, ObjectNode body, ObjectNode object, String pointer, FieldType.ObjectOf type) {
        List<Violation> violations() {
            return request.violations(body);
        }

        /** What is noted of a field, if anything is. */
        Optional<String> noted(String field) {
            return violations().stream()
                    .filter(violation -> violation.location().equals(pointer + "/" + field))
                    .map(Violation::detail)
                    .findFirst();
        }
    }

    /** Does something at every object that the request is described to have, each time in a body of its own. */
    private static void atEveryObject(Request request, Consumer<Place> work) {
        ObjectNode body = example(request.type());
        atEveryObject(new Place(request, body, body, "", request.type()), work);
    }

    private static void atEveryObject(Place place, Consumer<Place> work) {
        ObjectNode before = place.object().deepCopy();
        work.accept(place);
        for (Field field : place.type().fields()) {
            boolean isListed = field.type() instanceof FieldType.ListOf;
            objectsIn(field.type()).forEach(type -> {
                place.object().removeAll();
                if (place.type().fields().stream().anyMatch(Field::isRequired)) {
                    place.object().setAll(before);
                }
                ObjectNode object = example(type);
                place.object()
                        .set(field.name(), isListed ? JSON.createArrayNode().add(object) : object);
                String pointer = place.pointer() + "/" + field.name() + (isListed ? "/0" : "");
                atEveryObject(new Place(place.request(), place.body(), object, pointer, type), work);
            });
        }
        place.object().removeAll();
        place.object().setAll(before);
    }

    private static List<FieldType.ObjectOf> objectsIn(FieldType type) {
        return switch (type) {
            case FieldType.ObjectOf object -> List.of(object);
            case FieldType.ListOf list -> objectsIn(list.element());
            case FieldType.OneOf one -> List.copyOf(one.alternatives().values());
            case FieldType.Plain _, FieldType.Text _, FieldType.NumberBetween _, FieldType.Choice _, FieldType.Word _ ->
                List.of();
        };
    }

    /** An object of the examples of its fields, with the fields that it needs. */
    private static ObjectNode example(FieldType.ObjectOf type) {
        ObjectNode object = JSON.createObjectNode();
        for (Field field : type.fields()) {
            if (field.isRequired() || field.example() != null) {
                object.set(field.name(), value(field));
            }
        }
        if (type.name().equals("ThresholdItem")) {
            // It has exactly one of its fields.
            Field first = type.fields().getFirst();
            object.set(first.name(), value(first));
        }
        return object;
    }

    private static JsonNode value(Field field) {
        if (field.example() != null) {
            return JSON.valueToTree(field.example());
        }
        if (field.type() instanceof FieldType.Word(String word)) {
            return JSON.getNodeFactory().stringNode(word);
        }
        JsonNode object = objectsIn(field.type()).stream()
                .findFirst()
                .<JsonNode>map(DescribedFieldsTests::example)
                .orElseGet(() -> JSON.getNodeFactory().stringNode("x"));
        return field.type() instanceof FieldType.ListOf ? JSON.createArrayNode().add(object) : object;
    }

    private static Set<String> names(Stream<Field> fields) {
        return fields.map(Field::name).collect(Collectors.toCollection(TreeSet::new));
    }

    @ParameterizedTest
    @MethodSource("requests")
    void whatIsDescribedIsKnownAndNothingElse(Request request) {
        atEveryObject(request, place -> {
            Set<String> described = names(place.type().fields().stream());
            Set<String> known = known(place);
            assertThat(described).as(place.pointer()).containsAll(known);
            // A condition on numbers knows no categories, but what they are.
            place.type().fields().stream()
                    .filter(field -> !known.contains(field.name()))
                    .forEach(field -> {
                        place.object().set(field.name(), value(field));
                        assertThat(place.noted(field.name()))
                                .as(place.pointer() + "/" + field.name())
                                .hasValueSatisfying(detail -> assertThat(detail).doesNotContain("unknown"));
                        place.object().remove(field.name());
                    });
        });
    }

    /** The fields that a reader knows, from what it says to one that nobody knows. */
    private static Set<String> known(Place place) {
        place.object().put("zz", 1);
        Matcher unknown = UNKNOWN.matcher(place.noted("zz").orElse("nothing"));
        assertThat(unknown.matches()).as(place.pointer() + "/zz").isTrue();
        place.object().remove("zz");
        return Set.of(unknown.group(1).replace("\"", "").split(", "));
    }

    @ParameterizedTest
    @MethodSource("requests")
    void whatIsDescribedAsRequiredIsAndNothingElse(Request request) {
        atEveryObject(request, place -> {
            place.object().removeAll();
            List<Violation> violations = place.violations();
            assertThat(names(place.type().fields().stream()
                            .filter(field -> violations.contains(Violation.atPointer(
                                    place.pointer() + "/" + field.name(), field.name() + " is required")))))
                    .as(place.pointer())
                    .isEqualTo(names(place.type().fields().stream().filter(Field::isRequired)));
        });
    }

    @ParameterizedTest
    @MethodSource("requests")
    void theWordsOfAChoiceAreThoseThatAreTaken(Request request) {
        atEveryObject(
                request,
                place -> place.type().fields().forEach(field -> {
                    if (field.type() instanceof FieldType.Choice(List<String> words)) {
                        JsonNode before = place.object().path(field.name());
                        place.object().put(field.name(), "zz");
                        assertThat(place.noted(field.name()))
                                .hasValue(field.name() + " must be one of \"" + String.join("\", \"", words)
                                        + "\", was \"zz\"");
                        place.object().set(field.name(), before);
                    }
                }));
    }

    @ParameterizedTest
    @MethodSource("requests")
    void theExamplesAndTheDefaultsAreTaken(Request request) {
        ObjectNode body = example(request.type());
        assertThat(request.violations(body)).isEmpty();
        for (Field field : request.type().fields()) {
            if (field.defaultValue() != null) {
                body.putPOJO(field.name(), field.defaultValue());
            }
        }
        assertThat(request.violations(body)).isEmpty();
    }

    /** The tests here would say nothing about an object that they never come to. */
    @Test
    void everyDescribedObjectIsLookedAt() {
        Set<String> seen = new TreeSet<>();
        requests()
                .forEach(request ->
                        atEveryObject(request, place -> seen.add(place.type().name())));
        List<String> expected = new ArrayList<>(List.of(
                "Condition", "Plan", "Range", "ThresholdClipLoss", "ThresholdCount", "ThresholdItem", "ThresholdSum"));
        QuestionKinds.ALL.forEach(kind ->
                List.of("Question", "QuoteRequest", "PlanItem").forEach(end -> expected.add(kind.typeName() + end)));
        assertThat(seen).containsAll(expected);
    }

    @Test
    void aKindIsNamedInTheDescriptionAsInItsPath() {
        assertThat(SparseRangeQuery.KIND.typeName()).isEqualTo("SparseRange");
        assertThat(MeanQuery.KIND.typeName()).isEqualTo("Mean");
    }
}
