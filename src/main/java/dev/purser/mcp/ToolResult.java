package dev.purser.mcp;

import dev.purser.problem.ProblemException;
import dev.purser.problem.Violation;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * The result of a call.
 *
 * @param text the result for a model that reads no structure
 * @param structured the complete result
 * @param isError whether the tool refused
 */
record ToolResult(String text, JsonNode structured, boolean isError) {
    /** The form of the results of the protocol. */
    Map<String, Object> written() {
        Map<String, Object> written = new LinkedHashMap<>();
        written.put("content", List.of(Map.of("type", "text", "text", text)));
        written.put("structuredContent", structured);
        written.put("isError", isError);
        return written;
    }

    /** The result that shows a value as it is. */
    static ToolResult of(Object shown, ObjectMapper json) {
        byte[] written = json.writeValueAsBytes(shown);
        return new ToolResult(new String(written, StandardCharsets.UTF_8), json.readTree(written), false);
    }

    /**
     * A refusal, in words that a model can act on: what was wrong, what it would be charged, what is left, and what is
     * free instead. Like every refusal, it says nothing about rows.
     */
    static ToolResult refused(ProblemException problem, ObjectMapper json) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("problem", problem.type().slug());
        members.put("title", problem.type().title());
        members.put("detail", problem.detail());
        if (!problem.violations().isEmpty()) {
            members.put(
                    "errors",
                    problem.violations().stream()
                            .map(each -> Map.of("argument", place(each), "detail", each.detail()))
                            .toList());
        }
        problem.members().forEach(members::putIfAbsent);
        JsonNode structured = json.valueToTree(members);
        Stream<String> broken = problem.violations().stream().map(each -> "- " + place(each) + ": " + each.detail());
        Stream<String> lines = Stream.concat(
                Stream.of("Refused (" + problem.type().slug() + "): " + problem.detail()),
                Stream.concat(problem.violations().size() > 1 ? broken : Stream.of(), hints(structured)));
        return new ToolResult(String.join("\n", lines.toList()), structured, true);
    }

    private static String place(Violation broken) {
        return broken.location().replaceFirst("^" + Message.ARGUMENTS, "");
    }

    private static Stream<String> hints(JsonNode refusal) {
        JsonNode charge = refusal.path("charge").isObject() ? refusal.get("charge") : refusal.path("requested");
        return Stream.of(
                        charge.isObject() ? "It would be charged epsilon " + epsilon(charge) + "." : "",
                        refusal.path("remaining").isObject()
                                ? "What is left of "
                                        + (refusal.path("scope").asString("").equals("analyst")
                                                ? "this key's allotment"
                                                : "the dataset's budget")
                                        + ": epsilon " + epsilon(refusal.get("remaining")) + "."
                                : "",
                        refusal.path("newest").isObject()
                                ? "The newest answer of its chain is "
                                        + refusal.at("/newest/queryId").asString() + "."
                                : "",
                        offers(refusal))
                .filter(line -> !line.isEmpty());
    }

    /** The synopsis that answers for nothing, and the answer that can be refined; empty if nothing is offered. */
    static String offers(JsonNode offering) {
        JsonNode free = offering.path("freeFrom");
        JsonNode refines = offering.path("refines");
        return Stream.of(
                        free.isObject()
                                ? "The synopsis " + free.get("synopsisId").asString() + " answers this for nothing"
                                        + alpha(free)
                                        + ": call ask_free with {\"synopsis\": {\"synopsisId\": …,"
                                        + " \"questions\": […]}}."
                                : "",
                        refines.isObject()
                                ? "The answer " + refines.get("queryId").asString() + " can be refined to this for"
                                        + " epsilon " + epsilon(refines.get("charge")) + alpha(refines)
                                        + ": call refine."
                                : "")
                .filter(line -> !line.isEmpty())
                .collect(Collectors.joining(" "));
    }

    private static String alpha(JsonNode offer) {
        return offer.path("alpha").isNumber() ? ", with an error of at most " + offer.get("alpha") : "";
    }

    static String epsilon(JsonNode amount) {
        return amount.path("epsilon").asString();
    }
}
