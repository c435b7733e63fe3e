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
import dev.purser.json.Shape;
import dev.purser.privacy.Blocks;
import dev.purser.problem.ProblemException;
import dev.purser.problem.Violation;
import dev.purser.query.quote.QuoteRequest;
import dev.purser.session.SessionDeclaration;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
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
    private static final Pattern UNKNOWN = Pattern.compile("unknown field \"zz\"; the fields here are (.*)");

    /**
     * A described request.
     *
     * @param readings the ways to read the request; each way takes some of its fields, all ways together take all
     *     fields
     */
    private record Request(Shape.ObjectOf type, List<Reading> readings) {
        /** A request that is read for a dataset without blocks, and for a dataset with blocks. */
        static Request ofDatasets(Shape.ObjectOf type, BiConsumer<JsonDocument, Dataset> reader) {
            ObjectNode ofBlocks = example(type);
            ObjectNode question = ofBlocks.at("/questions/0/request") instanceof ObjectNode item ? item : ofBlocks;
            question.putObject("blocks").put("from", "2026-03-01");
            return new Request(
                    type,
                    List.of(
                            new Reading(example(type), document -> reader.accept(document, DATASET)),
                            new Reading(ofBlocks, document -> reader.accept(document, DIVIDED))));
        }

        Request(Shape.ObjectOf type, Consumer<JsonDocument> reader) {
            this(type, List.of(new Reading(example(type), reader)));
        }

        /** A request whose fields depend on each other. It is read in bodies that together have all fields. */
        Request(Shape.ObjectOf type, Consumer<JsonDocument> reader, String... bodies) {
            this(
                    type,
                    Stream.of(bodies)
                            .map(body -> new Reading(JSON.readTree(body), reader))
                            .toList());
        }

        @Override
        public String toString() {
            return type.name();
        }
    }

    private static Stream<Request> requests() {
        Request plan = Request.ofDatasets(
                QuoteRequest.sentForPlan(),
                (document, dataset) -> document.read(in -> QuoteRequest.readPlan(in, dataset)));
        Request key = new Request(
                NewKey.FORM, document -> document.read(in -> NewKey.read(in, Instant.EPOCH, "https://id.example")));
        Request change =
                new Request(KeyChange.FORM, document -> document.read(in -> KeyChange.read(in, Instant.EPOCH)));
        Request limit = new Request(
                LimitReader.FORM, document -> document.read(in -> LimitReader.limit(in, new PureAccountant())));
        Request tickets =
                new Request(Trainings.TicketCount.FORM, document -> document.read(Trainings.TicketCount::read));
        Request registration = new Request(
                RegistrationReader.FORM,
                document -> document.read(RegistrationReader::read),
                RegistrationReader.VISITS,
                RegistrationReader.VISITS_PUBLIC);
        Consumer<JsonDocument> undivided = document -> document.read(in -> SessionDeclaration.read(in, DATASET));
        Request session = new Request(
                SessionDeclaration.FORM,
                List.of(
                        new Reading(JSON.readTree("""
                                {"epsilon": 1, "threshold": 1, "maxPositives": 1, "queries": "counts"}"""), undivided),
                        new Reading(JSON.readTree("""
                                {"epsilon": 1, "threshold": 1, "maxPositives": 1, "queries": "sums", "sumBound": 1}"""), undivided),
                        new Reading(
                                JSON.readTree("""
                                {"epsilon": 1, "threshold": 1, "maxPositives": 1, "queries": "counts",
                                 "blocks": {"from": "2026-03-01"}}"""),
                                document -> document.read(in -> SessionDeclaration.read(in, DIVIDED)))));
        return Stream.concat(
                Stream.of(
                        plan,
                        key,
                        change,
                        limit,
                        tickets,
                        registration,
                        session,
                        new Request(CollectionDeclaration.FORM, CollectionsForTests.openingsOfCollections()),
                        new Request(TrainingDeclaration.FORM, CollectionsForTests.openingsOfTrainings()),
                        new Request(ReportCollections.Batch.FORM, CollectionsForTests.batches()),
                        new Request(Trainings.Batch.FORM, CollectionsForTests.batchesOfGradients())),
                QuestionKinds.ALL.stream().flatMap(kind -> Stream.of(asking(kind), quoting(kind))));
    }

    private static Request asking(QuestionKind kind) {
        return Request.ofDatasets(
                kind.request(), (document, dataset) -> document.read(in -> kind.readAsked(in, dataset)));
    }

    private static Request quoting(QuestionKind kind) {
        return Request.ofDatasets(
                QuoteRequest.sentFor(kind),
                (document, dataset) -> document.read(in -> QuoteRequest.read(in, dataset, kind)));
    }

    /** One object of a request: where it stands in a body, and its described type. */
    private record Place(Reading reading, ObjectNode body, ObjectNode object, String pointer, Shape.ObjectOf type) {
        List<Violation> violations() {
            return DescribedFieldsTests.violations(reading, body);
        }

        /** What the reader's refusal says of a field, if it says anything. */
        Optional<String> noted(String field) {
            return violations().stream()
                    .filter(violation -> violation.location().equals(pointer + "/" + field))
                    .map(Violation::detail)
                    .findFirst();
        }

        /** The fields that a reader knows, from its refusal of an unknown field. Empty if the object is not read. */
        Optional<Set<String>> known() {
            object.put("zz", 1);
            String noted = noted("zz").orElse("nothing");
            Matcher unknown = UNKNOWN.matcher(noted);
            object.remove("zz");
            if (noted.endsWith("there are no fields here")) {
                return Optional.of(Set.of());
            }
            return unknown.matches()
                    ? Optional.of(Set.of(unknown.group(1).replace("\"", "").split(", ")))
                    : Optional.empty();
        }
    }

    private static List<Violation> violations(Reading reading, JsonNode body) {
        try {
            reading.reader().accept(JsonDocument.parse(body.toString().getBytes(StandardCharsets.UTF_8)));
            return List.of();
        } catch (ProblemException refusal) {
            return refusal.violations();
        }
    }

    /**
     * Does the work at every object that the request is described to have, in each way in which the object is read,
     * each time in a body of its own.
     */
    private static void atEveryObject(Request request, Consumer<Place> work) {
        for (Reading reading : request.readings()) {
            ObjectNode body = (ObjectNode) reading.body().deepCopy();
            atEveryObject(new Place(reading, body, body, "", request.type()), place -> {
                if (place.known().isPresent()) {
                    work.accept(place);
                }
            });
        }
    }

    /** For every object, the fields that the work finds in each of the ways in which the object is read. */
    private static Map<String, Set<String>> foundAlways(Request request, Function<Place, Set<String>> work) {
        Map<String, Set<String>> found = new TreeMap<>();
        atEveryObject(
                request,
                place -> found.merge(place.pointer() + " " + place.type().name(), work.apply(place), (before, here) -> {
                    before.retainAll(here);
                    return before;
                }));
        return found;
    }

    private static void atEveryObject(Place place, Consumer<Place> work) {
        ObjectNode before = place.object().deepCopy();
        work.accept(place);
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
                        atEveryObject(new Place(place.reading(), place.body(), object, pointer, type), work);
                    }));
        }
        place.object().removeAll();
        place.object().setAll(before);
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

    private static Set<String> names(Stream<Field<?>> fields) {
        return fields.map(Field::name).collect(Collectors.toCollection(TreeSet::new));
    }

    @ParameterizedTest
    @MethodSource("requests")
    void whatIsDescribedIsKnownAndNothingElse(Request request) {
        assertThat(foundAlways(request, DescribedFieldsTests::unknown).values()).containsOnly(Set.of());
    }

    private static Set<String> unknown(Place place) {
        Set<String> known = place.known().orElseThrow();
        assertThat(names(place.type().fields().stream())).as(place.pointer()).containsAll(known);
        return names(place.type().fields().stream().filter(field -> {
            if (known.contains(field.name())) {
                return false;
            }
            // A condition on numbers does not take the fields of categories, but its reader recognizes them.
            place.object().set(field.name(), value(field));
            Optional<String> noted = place.noted(field.name());
            place.object().remove(field.name());
            return noted.isEmpty() || noted.orElseThrow().contains("unknown");
        }));
    }

    @ParameterizedTest
    @MethodSource("requests")
    void theExamplesAndTheDefaultsAreTaken(Request request) {
        for (Reading reading : request.readings()) {
            ObjectNode body = (ObjectNode) reading.body().deepCopy();
            assertThat(violations(reading, body)).isEmpty();
            for (Field<?> field : request.type().fields()) {
                if (field.defaultValue() != null && !body.has(field.name())) {
                    body.putPOJO(field.name(), field.defaultValue());
                }
            }
            assertThat(violations(reading, body)).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("requests")
    void eachExampleIsTaken(Request request) {
        Map<String, Set<String>> refused = foundAlways(
                request,
                place -> names(place.type().fields().stream().filter(field -> {
                    JsonNode before = place.object().path(field.name());
                    if (field.example() != null) {
                        place.object().set(field.name(), value(field));
                    }
                    boolean isRefused =
                            field.example() != null && place.noted(field.name()).isPresent();
                    if (before.isMissingNode()) {
                        place.object().remove(field.name());
                    } else {
                        place.object().set(field.name(), before);
                    }
                    return isRefused;
                })));
        assertThat(refused.values()).containsOnly(Set.of());
    }

    /** About an object that they never reach, these tests would say nothing. */
    @ParameterizedTest
    @MethodSource("requests")
    void everyDescribedObjectIsLookedAt(Request request) {
        Set<String> seen = new TreeSet<>();
        atEveryObject(request, place -> seen.add(place.type().name()));
        assertThat(seen).isEqualTo(objectsOf(request.type()).collect(Collectors.toCollection(TreeSet::new)));
    }

    private static Stream<String> objectsOf(Shape.ObjectOf type) {
        return Stream.concat(
                Stream.of(type.name()),
                type.fields().stream()
                        .flatMap(field -> objectsIn(field.type().shape()).stream())
                        .flatMap(DescribedFieldsTests::objectsOf));
    }

    @Test
    void everyKindIsAmongTheRequests() {
        List<String> expected = new ArrayList<>(List.of("Plan"));
        QuestionKinds.ALL.forEach(
                kind -> List.of("Question", "QuoteRequest").forEach(end -> expected.add(kind.typeName() + end)));
        assertThat(requests().map(Request::toString)).containsAll(expected);
    }

    @Test
    void aKindIsNamedInTheDescriptionAsInItsPath() {
        assertThat(SparseRangeQuery.KIND.typeName()).isEqualTo("SparseRange");
        assertThat(MeanQuery.KIND.typeName()).isEqualTo("Mean");
    }
}
