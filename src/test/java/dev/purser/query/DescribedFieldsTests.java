package dev.purser.query;

import dev.purser.access.KeyChange;
import dev.purser.access.NewKey;
import dev.purser.accounting.PureAccountant;
import dev.purser.collection.CollectionDeclaration;
import dev.purser.collection.CollectionsForTests;
import dev.purser.collection.CollectionsForTests.Reading;
import dev.purser.collection.ReportCollections;
import dev.purser.collection.TrainingDeclaration;
import dev.purser.collection.Trainings;
import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.dataset.LimitReader;
import dev.purser.dataset.Notation;
import dev.purser.dataset.RegistrationReader;
import dev.purser.json.Field;
import dev.purser.json.JsonDocument;
import dev.purser.json.ObjectReader;
import dev.purser.json.Shape;
import dev.purser.privacy.Blocks;
import dev.purser.problem.ProblemException;
import dev.purser.problem.Violation;
import dev.purser.query.quote.QuoteRequest;
import dev.purser.query.quote.RefinementQuote;
import dev.purser.session.SessionDeclaration;
import dev.purser.synopsis.Refinement;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The fields that a form lists are the fields that its reader reads, and their examples are accepted. This holds for
 * questions of every kind and for other bodies. The type of a field tells both what the field is.
 */
class DescribedFieldsTests {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Dataset DATASET = DatasetsForTests.rows("adult", DatasetsForTests.integer("age", 0, 125));
    private static final long DAY = LocalDate.parse("2026-03-01").toEpochDay();
    private static final Dataset DIVIDED = DatasetsForTests.divided(
            DatasetsForTests.rows(
                    "adult",
                    DatasetsForTests.integer("age", 0, 125),
                    new Column.Numeric("day", new Notation.Dates(), DAY, DAY + 9, null)),
            Blocks.over("day", new Blocks.Day(), DAY, DAY + 9));
    private static final Pattern UNKNOWN =
            Pattern.compile("unknown field \"zz\"; (?:there are no fields here|the fields here are (.*))");

    /**
     * A described request.
     *
     * @param readings the ways to read the request; each way takes some of its fields, all ways together take all
     *     fields
     */
    private record Request(Shape.ObjectOf type, List<Reading> readings) {
        Request(Shape.ObjectOf type, Function<ObjectReader, Optional<?>> decoder) {
            this(type, List.of(reading(example(type), decoder)));
        }

        /** A request that is read for a dataset without blocks, and for a dataset with blocks. */
        static Request ofDatasets(Shape.ObjectOf type, BiFunction<ObjectReader, Dataset, Optional<?>> decoder) {
            ObjectNode ofBlocks = example(type);
            ObjectNode question = ofBlocks.at("/questions/0/request") instanceof ObjectNode item ? item : ofBlocks;
            question.putObject("blocks").put("from", "2026-03-01");
            return new Request(
                    type,
                    List.of(
                            reading(example(type), in -> decoder.apply(in, DATASET)),
                            reading(ofBlocks, in -> decoder.apply(in, DIVIDED))));
        }

        @Override
        public String toString() {
            return type.name();
        }
    }

    private static Reading reading(JsonNode body, Function<ObjectReader, Optional<?>> decoder) {
        return new Reading(body, document -> document.read(decoder::apply));
    }

    private static Reading session(Dataset dataset, String more) {
        String body = "{\"epsilon\": 1, \"threshold\": 1, \"maxPositives\": 1, \"queries\": " + more + "}";
        return reading(JSON.readTree(body), in -> SessionDeclaration.read(in, dataset));
    }

    private static Stream<Request> requests() {
        List<Reading> registrations = Stream.of(RegistrationReader.VISITS, RegistrationReader.VISITS_PUBLIC)
                .map(body -> reading(JSON.readTree(body), RegistrationReader::read))
                .toList();
        List<Reading> sessions = List.of(
                session(DATASET, "\"counts\""),
                session(DATASET, "\"sums\", \"sumBound\": 1"),
                session(DIVIDED, "\"counts\", \"blocks\": {\"from\": \"2026-03-01\"}"));
        Stream<Request> bodies = Stream.of(
                Request.ofDatasets(QuoteRequest.sentForPlan(), QuoteRequest::readPlan),
                new Request(NewKey.FORM, in -> NewKey.read(in, Instant.EPOCH, "https://id.example")),
                new Request(KeyChange.FORM, in -> KeyChange.read(in, Instant.EPOCH)),
                new Request(LimitReader.FORM, in -> LimitReader.limit(in, new PureAccountant())),
                new Request(Trainings.TicketCount.FORM, Trainings.TicketCount::read),
                new Request(RefinedQuestions.Wanted.FORM, RefinedQuestions.Wanted::read),
                new Request(RefinementQuote.FORM, RefinementQuote::read),
                new Request(Refinement.FORM, Refinement::read),
                new Request(RegistrationReader.FORM, registrations),
                new Request(SessionDeclaration.FORM, sessions),
                new Request(CollectionDeclaration.FORM, CollectionsForTests.openingsOfCollections()),
                new Request(TrainingDeclaration.FORM, CollectionsForTests.openingsOfTrainings()),
                new Request(ReportCollections.Batch.FORM, CollectionsForTests.batches()),
                new Request(Trainings.Batch.FORM, CollectionsForTests.batchesOfGradients()));
        Stream<Request> questions = QuestionKinds.ALL.stream()
                .flatMap(kind -> Stream.of(
                        Request.ofDatasets(kind.request(), kind::readAsked),
                        Request.ofDatasets(
                                QuoteRequest.sentFor(kind), (in, dataset) -> QuoteRequest.read(in, dataset, kind))));
        return Stream.concat(bodies, questions);
    }

    @ParameterizedTest
    @MethodSource("requests")
    void aReaderTakesWhatItsFormDescribesAndNothingElse(Request request) {
        Map<String, Set<String>> faults = new TreeMap<>();
        for (Reading reading : request.readings()) {
            ObjectNode body = (ObjectNode) reading.body().deepCopy();
            assertThat(violations(reading, body)).isEmpty();
            lookAt(new Place(reading, body, body, "", request.type()), faults);
            for (Field<?> field : request.type().fields()) {
                if (field.defaultValue() != null && !body.has(field.name())) {
                    body.putPOJO(field.name(), field.defaultValue());
                }
            }
            assertThat(violations(reading, body)).isEmpty();
        }

        assertThat(faults.values()).containsOnly(Set.of());
        // Of an object that is never reached, nothing was seen.
        assertThat(faults.keySet().stream().map(place -> place.substring(place.indexOf(' ') + 1)))
                .containsAll(objectsOf(request.type()).toList());
    }

    private static List<Violation> violations(Reading reading, JsonNode body) {
        try {
            reading.reader().accept(JsonDocument.parse(body.toString().getBytes(StandardCharsets.UTF_8)));
            return List.of();
        } catch (ProblemException refusal) {
            return refusal.violations();
        }
    }

    /** One object of a request: where it stands in a body, and its described type. */
    private record Place(Reading reading, ObjectNode body, ObjectNode object, String pointer, Shape.ObjectOf type) {
        /** What the reader's refusal says of a field with this value; empty if it says nothing. */
        String noted(String field, JsonNode value) {
            JsonNode before = object.path(field);
            object.set(field, value);
            String noted = violations(reading, body).stream()
                    .filter(violation -> violation.location().equals(pointer + "/" + field))
                    .map(Violation::detail)
                    .findFirst()
                    .orElse("");
            object.remove(field);
            if (!before.isMissingNode()) {
                object.set(field, before);
            }
            return noted;
        }

        /** What is wrong with the fields; empty if the object is not read. */
        Optional<Set<String>> faults() {
            Matcher unknown = UNKNOWN.matcher(noted("zz", JSON.getNodeFactory().booleanNode(true)));
            if (!unknown.matches()) {
                return Optional.empty();
            }
            Set<String> known = unknown.group(1) == null
                    ? Set.of()
                    : Set.of(unknown.group(1).replace("\"", "").split(", "));
            assertThat(type.fields().stream().map(Field::name)).as(pointer).containsAll(known);
            Set<String> faults = new TreeSet<>();
            for (Field<?> field : type.fields()) {
                String noted = noted(field.name(), value(field));
                // A condition on numbers does not take the fields of categories, but its reader recognizes them.
                if (!known.contains(field.name()) && (noted.isEmpty() || noted.contains("unknown"))) {
                    faults.add(field + " is not read");
                }
                if (field.example() != null && !noted.isEmpty()) {
                    faults.add("the example of " + field + " is refused");
                }
            }
            return Optional.of(faults);
        }
    }

    /**
     * Finds the faults that an object and the described objects in it have in each of the ways in which they are read.
     */
    private static void lookAt(Place place, Map<String, Set<String>> faults) {
        place.faults()
                .ifPresent(found ->
                        faults.merge(place.pointer() + " " + place.type().name(), found, (before, here) -> {
                            before.retainAll(here);
                            return before;
                        }));
        ObjectNode before = place.object().deepCopy();
        for (Field<?> field : place.type().fields()) {
            boolean isListed = field.type().shape() instanceof Shape.ListOf;
            objectsIn(field.type().shape())
                    .forEach(type -> examples(type).forEach(object -> {
                        place.object().removeAll();
                        if (place.type().fields().stream().anyMatch(Field::isRequired)) {
                            place.object().setAll(before);
                        }
                        place.object()
                                .set(
                                        field.name(),
                                        isListed ? JSON.createArrayNode().add(object) : object);
                        String pointer = place.pointer() + "/" + field.name() + (isListed ? "/0" : "");
                        lookAt(new Place(place.reading(), place.body(), object, pointer, type), faults);
                    }));
        }
        place.object().removeAll();
        place.object().setAll(before);
    }

    private static Stream<String> objectsOf(Shape.ObjectOf type) {
        return Stream.concat(
                Stream.of(type.name()),
                type.fields().stream()
                        .flatMap(field -> objectsIn(field.type().shape()).stream())
                        .flatMap(DescribedFieldsTests::objectsOf));
    }

    private static List<Shape.ObjectOf> objectsIn(Shape type) {
        return switch (type) {
            case Shape.ObjectOf object -> List.of(object);
            case Shape.ListOf list -> objectsIn(list.element());
            case Shape.OneOf one -> List.copyOf(one.alternatives().values());
            case Shape.Of _,
                    Shape.Text _,
                    Shape.Matching _,
                    Shape.Whole _,
                    Shape.Decimal _,
                    Shape.Choice _,
                    Shape.Word _ -> List.of();
        };
    }

    /** The example of an object, with each of its types if it has several. */
    private static List<ObjectNode> examples(Shape.ObjectOf type) {
        for (Field<?> field : type.fields()) {
            if (field.name().equals("type") && field.type().shape() instanceof Shape.Choice(List<String> words)) {
                return words.stream()
                        .map(word -> example(type).put("type", word))
                        .toList();
            }
        }
        return List.of(example(type));
    }

    /** An object of the examples of its fields, with the fields that it needs. */
    private static ObjectNode example(Shape.ObjectOf type) {
        ObjectNode object = JSON.createObjectNode();
        for (Field<?> field : type.fields()) {
            if (field.isRequired() || field.example() != null) {
                object.set(field.name(), value(field));
            }
        }
        if (type.description().startsWith("Exactly one of")) {
            // The object has exactly one of its fields.
            Field<?> first = type.fields().getFirst();
            object.set(first.name(), value(first));
        }
        return object;
    }

    private static JsonNode value(Field<?> field) {
        if (field.example() != null) {
            return JSON.valueToTree(field.example());
        }
        if (field.type().shape() instanceof Shape.Word(String word)) {
            return JSON.getNodeFactory().stringNode(word);
        }
        if (field.type().shape() instanceof Shape.Choice(List<String> words)) {
            return JSON.getNodeFactory().stringNode(words.getFirst());
        }
        JsonNode object = objectsIn(field.type().shape()).stream()
                .findFirst()
                .<JsonNode>map(DescribedFieldsTests::example)
                .orElseGet(() -> JSON.getNodeFactory().stringNode("x"));
        return field.type().shape() instanceof Shape.ListOf
                ? JSON.createArrayNode().add(object)
                : object;
    }
}
