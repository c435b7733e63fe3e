package dev.purser.synopsis;

import dev.purser.ledger.StoredAnswer;
import dev.purser.mechanism.Grain;
import dev.purser.mechanism.Hierarchy;
import dev.purser.mechanism.Precision;
import dev.purser.query.AggregateKey;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * One purchase of a synopsis, as its stored answer states it. The question and the measured tables are not held,
 * because they can be long.
 *
 * @param stored the stored answer, whose first bytes alone are held
 * @param stated the rest of the answer
 * @param numbers how many noisy numbers the tables have
 * @param isGaussian whether the noise is Gaussian, so that a further purchase can be combined with it
 */
record Purchase(StoredAnswer stored, JsonNode stated, long numbers, boolean isGaussian) {
    private static final String QUESTION = "/question";
    private static final String ANSWER = "/answer";
    private static final String STRATEGY = ANSWER + "/strategy";
    private static final String TABLES = STRATEGY + "/tables";

    /**
     * Reads a stored answer. Only one table at a time is held.
     *
     * @param in its JSON
     * @param question gets the question
     * @param table gets each measured table
     */
    static Purchase read(StoredAnswer stored, JsonParser in, Consumer<JsonNode> question, Consumer<JsonNode> table) {
        long[] numbers = {0};
        boolean[] isGaussian = {true};
        in.nextToken();
        JsonNode stated = object(in, "", question, each -> {
            numbers[0] += each.get("cells").asLong();
            isGaussian[0] &= !each.get("rho").isNull();
            table.accept(each);
        });
        return new Purchase(stored, stated, numbers[0], isGaussian[0]);
    }

    private static JsonNode object(JsonParser in, String path, Consumer<JsonNode> question, Consumer<JsonNode> table) {
        ObjectNode stated = JsonNodeFactory.instance.objectNode();
        for (String name = in.nextName(); name != null; name = in.nextName()) {
            in.nextToken();
            String place = path + "/" + name;
            switch (place) {
                case QUESTION -> question.accept(in.readValueAsTree());
                case ANSWER, STRATEGY -> stated.set(name, object(in, place, question, table));
                case TABLES -> {
                    while (in.nextToken() != JsonToken.END_ARRAY) {
                        table.accept(in.readValueAsTree());
                    }
                }
                default -> stated.set(name, in.readValueAsTree());
            }
        }
        return stated;
    }

    /** The levels of each column. */
    List<Hierarchy> columns(List<AggregateKey> keys) {
        JsonNode levels = stated.at(STRATEGY + "/levels");
        return IntStream.range(0, keys.size())
                .mapToObj(column -> new Hierarchy(keys.get(column).groups(), integers(levels.get(column))))
                .toList();
    }

    /** How finely a measured table divides each column. */
    static Grain grain(JsonNode table, Synopsis synopsis) {
        List<String> divided =
                elements(table.get("columns")).map(JsonNode::asString).toList();
        List<Integer> widths = integers(table.get("widths"));
        return new Grain(IntStream.range(0, synopsis.columns().size())
                .map(column -> {
                    int place = divided.indexOf(
                            synopsis.cells().keys().get(column).column().name());
                    Hierarchy hierarchy = synopsis.columns().get(column);
                    return place < 0 ? hierarchy.top() : hierarchy.widths().indexOf(widths.get(place));
                })
                .boxed()
                .toList());
    }

    /** A measured table, in grid steps. */
    static Precision.Measurement measurement(JsonNode table, Grain grain, Synopsis synopsis) {
        double scale = table.get("scale").asDouble()
                / synopsis.cells().grid().resolution().doubleValue();
        return Precision.Measurement.of(grain, scale, table.get("rho").isNull());
    }

    private static Stream<JsonNode> elements(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }

    private static List<Integer> integers(JsonNode array) {
        return elements(array).map(JsonNode::asInt).toList();
    }

    String queryId() {
        return stored.queryId();
    }

    /** A part of the answer's value. */
    JsonNode answer(String part) {
        return stated.get("answer").get(part);
    }

    /** The digest of its noisy numbers. */
    byte[] digest() {
        return HexFormat.of().parseHex(answer("digest").asString());
    }

    /** The purchase that is a blurred copy of this purchase and adds nothing to it; empty if there is none. */
    Optional<String> replaced() {
        return stated.path("refines").asStringOpt();
    }

    /** Whether it was bought to refine the synopsis with this id. */
    boolean refines(String synopsisId) {
        return answer("synopsisId").asString().equals(synopsisId);
    }
}
