package dev.purser.mcp;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * An answer as short text, with one line for each number and its interval. It says that numbers are noisy, so that a
 * model does not overstate what they tell.
 */
final class AnswerText {
    private static final int MOST_LINES = 100;
    private static final String INTERVAL = "interval";

    /** The names of the number beside an interval, in all answers. */
    private static final List<String> NUMBERS = List.of("value", "count", "sum", "mean");

    private final List<String> lines = new ArrayList<>();
    private final JsonNode names;

    /** @param names the names of the values of each group; missing if there are no groups */
    private AnswerText(JsonNode names) {
        this.names = names;
    }

    /** An answer with its envelope. */
    static String of(JsonNode envelope) {
        JsonNode charge = envelope.path("charge");
        String paid = envelope.has("reusedFrom")
                ? "This is the stored answer to an earlier question, so nothing was charged"
                : "Charged: epsilon " + ToolResult.epsilon(charge);
        return "%s of \"%s\", queryId %s. %s; left: epsilon %s.\n%s %s\n%s"
                .formatted(
                        envelope.path("kind").asString(),
                        envelope.path("datasetId").asString(),
                        envelope.path("queryId").asString(),
                        paid,
                        ToolResult.epsilon(envelope.path("remaining")),
                        caution(envelope.path("accuracy").path("beta").decimalValue()),
                        envelope.path("accuracy").path("statement").asString(),
                        numbers(envelope.path("answer")));
    }

    /** The caution that has to stand beside noisy numbers. */
    static String caution(BigDecimal beta) {
        return "The numbers are noisy. An interval holds the exact value with probability at least "
                + BigDecimal.ONE.subtract(beta).toPlainString() + "; state it with the number.";
    }

    /** The numbers of an answer, one line for each. */
    static String numbers(JsonNode answer) {
        AnswerText text = new AnswerText(answer.path("aggregates"));
        if (answer.isObject() && hasInterval(answer)) {
            text.addObject("", answer, true);
        } else {
            text.add("", "", answer);
        }
        int more = text.lines.size() - MOST_LINES;
        return text.lines.stream().limit(MOST_LINES).collect(Collectors.joining("\n"))
                + (more > 0 ? "\n" + more + " more lines are in structuredContent." : "");
    }

    /** @param path what the node is about, in words */
    private void add(String path, String name, JsonNode node) {
        if (!hasInterval(node)) {
            lines.add(joined(path, described(node)));
        } else if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                boolean isNamed = name.equals("values") && names.size() == node.size();
                add(isNamed ? joined(path, names.get(i).asString()) : path, "", node.get(i));
            }
        } else {
            addObject(path, node, false);
        }
    }

    /** @param isWhole whether the node is the whole answer: its members without intervals have one line of their own */
    private void addObject(String path, JsonNode node, boolean isWhole) {
        boolean isOneNumber = node.path(INTERVAL).isObject();
        String number = isOneNumber
                ? NUMBERS.stream()
                        .filter(each ->
                                node.path(each).isNumber() || node.path(each).isString())
                        .findFirst()
                        .orElse("")
                : "";
        String about = node.propertyStream()
                .filter(each ->
                        !each.getKey().equals(INTERVAL) && !each.getKey().equals(number))
                .filter(each ->
                        !hasInterval(each.getValue()) && !each.getValue().isNull())
                .map(each -> each.getKey() + " " + described(each.getValue()))
                .collect(Collectors.joining(", "));
        if (isWhole && !about.isEmpty()) {
            lines.add(about);
        }
        String label = isWhole ? "" : joined(path, about);
        if (isOneNumber) {
            JsonNode interval = node.get(INTERVAL);
            lines.add(joined(label, number) + ": " + described(node.path(number)) + ", interval "
                    + described(interval.path("low")) + " to " + described(interval.path("high")));
        }
        node.propertyStream()
                .filter(each -> hasInterval(each.getValue()))
                .forEach(each -> add(label, each.getKey(), each.getValue()));
    }

    private static boolean hasInterval(JsonNode node) {
        return node.path(INTERVAL).isObject() || node.valueStream().anyMatch(AnswerText::hasInterval);
    }

    /** A node without intervals, in a few words. */
    private static String described(JsonNode node) {
        if (node.isValueNode()) {
            return node.asString();
        }
        Stream<String> parts = node.isArray()
                ? node.valueStream().map(AnswerText::described)
                : node.propertyStream()
                        .filter(each -> !each.getValue().isNull())
                        .map(each -> each.getKey() + " " + described(each.getValue()));
        return parts.collect(Collectors.joining(", "));
    }

    private static String joined(String path, String more) {
        return path.isEmpty() || more.isEmpty() ? path + more : path + ", " + more;
    }
}
