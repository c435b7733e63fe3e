package dev.purser.faults;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The reply to a question.
 *
 * @param bodyDigest SHA-256 of the body's bytes
 * @param headers the headers that a replay has to repeat: all except those of time, replay and connection
 */
record Reply(int status, String bodyDigest, String headers, boolean replayed, String body) {
    private static final JsonMapper JSON = new JsonMapper();
    private static final Set<String> NOT_REPEATED =
            Set.of("date", "idempotency-replayed", "connection", "keep-alive", "transfer-encoding");

    static Reply of(HttpResponse<byte[]> response) {
        TreeMap<String, Object> headers = new TreeMap<>(response.headers().map());
        headers.keySet().removeIf(name -> NOT_REPEATED.contains(name.toLowerCase(Locale.ROOT)));
        return new Reply(
                response.statusCode(),
                Digests.sha256(response.body()),
                headers.entrySet().stream()
                        .map(header -> header.getKey().toLowerCase(Locale.ROOT) + "=" + header.getValue())
                        .collect(Collectors.joining(";")),
                response.headers().firstValue("Idempotency-Replayed").isPresent(),
                new String(response.body(), StandardCharsets.UTF_8));
    }

    /** Whether it is an answer. The purchase of a synopsis makes a new resource (201). */
    boolean isAnswer() {
        return status == 200 || status == 201;
    }

    /** Whether the refusal is final: the request was understood, and nothing is booked under its key. */
    boolean isRefusal() {
        return status >= 400 && status < 500 && !problem().equals("request-in-flight");
    }

    boolean isExhausted() {
        return status == 409 && problem().equals("budget-exhausted");
    }

    /** Refused because blocks are not loaded yet. */
    boolean isOfBlocksNotReady() {
        return status == 409 && problem().equals("dataset-not-ready") && json().has("blocks");
    }

    /** The last part of the problem's type; empty if the body is no problem document. */
    String problem() {
        String type = json().path("type").stringValue("");
        return type.substring(type.lastIndexOf('/') + 1);
    }

    JsonNode json() {
        try {
            return JSON.readTree(body);
        } catch (RuntimeException notJson) {
            return JSON.createObjectNode();
        }
    }

    boolean isRepeatedBy(Reply later) {
        return status == later.status && bodyDigest.equals(later.bodyDigest) && headers.equals(later.headers);
    }

    /** The same reply without the body, which is not needed after it was checked. */
    Reply remembered() {
        return new Reply(status, bodyDigest, headers, replayed, "");
    }
}
