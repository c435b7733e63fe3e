package dev.purser.collection;

import dev.purser.json.JsonDocument;
import dev.purser.json.ObjectReader;
import dev.purser.noise.SeededBits;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static java.util.Map.entry;
import static java.util.Objects.requireNonNull;

/** Requests about collections and trainings of all protocols. */
public final class CollectionsForTests {
    private static final JsonMapper JSON = JsonMapper.shared();

    /** For each protocol, the fields of declarations that together lead to all forms of its reports. */
    static final Map<String, List<String>> DECLARATIONS = Map.ofEntries(
            entry("harmony", List.of(number("'epsilon':1"), number("'epsilon':1,'dimensions':4"))),
            entry("piecewise", List.of(number("'epsilon':1"), severalNumbers(1), severalNumbers(6))),
            entry("hybrid", List.of(number("'epsilon':1"), severalNumbers(1), severalNumbers(6))),
            entry("laplace", List.of(number("'epsilon':1"))),
            entry("multilevel-laplace", List.of(number("'epsilons':[2,1]"))),
            entry("hiera", List.of(number("'epsilons':[2,1],'divisions':[0,1,9],'reuse':2"))),
            entry("lhp", List.of(number("'epsilons':[2,1],'levelEpsilon':1"))),
            entry("grr", List.of(category("'epsilon':1"))),
            entry("oue", List.of(category("'epsilon':1"))),
            entry("olh", List.of(category("'epsilon':1"))),
            entry("hadamard", List.of(category("'epsilon':1"))),
            entry("frequencies", List.of(category("'epsilon':1,'maxReportBits':8"))));

    /**
     * A way to read a request. It can depend on a protocol.
     *
     * @param body a body that is accepted
     */
    public record Reading(JsonNode body, Consumer<JsonDocument> reader) {
        static Reading of(byte[] body, Function<ObjectReader, Optional<?>> reader) {
            return new Reading(JSON.readTree(body), document -> document.read(reader::apply));
        }
    }

    private CollectionsForTests() {}

    private static String number(String more) {
        return "'range':{'lower':0,'upper':9}," + more;
    }

    private static String severalNumbers(int epsilon) {
        return number("'epsilon':" + epsilon + ",'dimensions':4");
    }

    private static String category(String more) {
        return "'categories':['a','b','c','d','e']," + more;
    }

    static byte[] json(String fields) {
        return ("{" + fields + "}").replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    }

    /** A body with one gradient for each ticket, all at the same coordinate. */
    public static String gradients(int round, List<String> tickets, int coordinate, int sign) {
        String reports = tickets.stream()
                .map(ticket -> """
                        {"ticket":"%s","coordinate":%d,"sign":%d}""".formatted(ticket, coordinate, sign))
                .collect(Collectors.joining(","));
        return """
                {"round":%d,"reports":[%s]}""".formatted(round, reports);
    }

    /** The bodies that open collections of a protocol. */
    static List<byte[]> declarations(String protocol) {
        return requireNonNull(DECLARATIONS.get(protocol)).stream()
                .map(fields -> json("'id':'x','protocol':'" + protocol + "'," + fields))
                .toList();
    }

    static byte[] training(GradientKind kind) {
        String epsilon = kind.amount().equals("epsilon") ? "'epsilon':1" : "'epsilons':[2,1]";
        return json("'id':'x','model':'linear','features':3,'protocol':'" + kind.name() + "'," + epsilon);
    }

    static CollectionDeclaration declared(byte[] body) {
        return JsonDocument.parse(body).read(in -> CollectionDeclaration.read(in, Instant.MIN));
    }

    /** All openings of collections. */
    public static List<Reading> openingsOfCollections() {
        return bodies().map(body -> Reading.of(body, in -> CollectionDeclaration.read(in, Instant.MIN)))
                .toList();
    }

    /** All openings of trainings. */
    public static List<Reading> openingsOfTrainings() {
        return Protocols.OF_GRADIENTS.stream()
                .map(kind -> Reading.of(training(kind), TrainingDeclaration::read))
                .toList();
    }

    /** A batch of reports for each of the collections. */
    public static List<Reading> batches() {
        return bodies().map(CollectionsForTests::declared)
                .map(declaration -> Reading.of(
                        batch(declaration.protocol(), "reportId", Map.of()),
                        in -> ReportCollections.read(in, declaration.protocol())))
                .toList();
    }

    /** A batch of gradients for each of the trainings. */
    public static List<Reading> batchesOfGradients() {
        return Protocols.OF_GRADIENTS.stream()
                .map(kind -> JsonDocument.parse(training(kind)).read(TrainingDeclaration::read))
                .map(declaration -> Reading.of(
                        batch(declaration.protocol(), "ticket", Map.of("round", 1)),
                        in -> Trainings.read(in, declaration, declaration.protocol())))
                .toList();
    }

    private static Stream<byte[]> bodies() {
        return Protocols.ALL.stream().flatMap(kind -> declarations(kind.name()).stream());
    }

    private static <R> byte[] batch(Protocol<R> protocol, String id, Map<String, Object> beside) {
        R report = protocol.examples().getFirst().report().apply(new SeededBits(7));
        Map<String, Object> fields = new HashMap<>(protocol.form().write(report));
        fields.put(id, "a");
        Map<String, Object> batch = new HashMap<>(beside);
        batch.put("reports", List.of(fields));
        return JSON.writeValueAsBytes(batch);
    }
}
