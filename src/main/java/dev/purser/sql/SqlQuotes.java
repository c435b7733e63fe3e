package dev.purser.sql;

import dev.purser.json.JsonValue;
import dev.purser.json.JsonValue.JsonBoolean;
import dev.purser.json.JsonValue.JsonNumber;
import dev.purser.json.JsonValue.JsonObject;
import dev.purser.json.JsonValue.JsonString;
import dev.purser.query.TranslatedQuestions.Translated;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A quote as the reply to EXPLAIN: the question and what the quote says of it, a line each. */
final class SqlQuotes {
    private SqlQuotes() {}

    static SqlTable table(Translated question, JsonObject quote) {
        List<List<@Nullable Object>> lines = new ArrayList<>();
        lines.add(List.of(
                "question: " + question.kind() + " of " + question.dataset().id() + " " + question.fields()));
        for (String member : List.of("epsilon", "charge", "affordable", "accuracy", "freeFrom")) {
            add(member, quote.members().get(member), lines);
        }
        return SqlTable.ofTexts(List.of("Query Plan"), lines);
    }

    private static void add(String name, @Nullable JsonValue value, List<List<@Nullable Object>> lines) {
        switch (value) {
            case JsonString(String text) -> lines.add(List.of(name + ": " + text));
            case JsonNumber(String token) -> lines.add(List.of(name + ": " + token));
            case JsonBoolean(boolean truth) -> lines.add(List.of(name + ": " + truth));
            case JsonObject(Map<String, JsonValue> members) ->
                members.forEach((member, inner) -> add(name + "." + member, inner, lines));
            case null, default -> {}
        }
    }
}
