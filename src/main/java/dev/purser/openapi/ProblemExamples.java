package dev.purser.openapi;

import dev.purser.problem.ProblemType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The specific content of each problem type's example, in the order in which it is served. */
final class ProblemExamples {
    private static final String NO_INTEGER = "the value is missing or not an integer: correct it, or register the"
            + " column with a substitute as missing";

    private ProblemExamples() {}

    static String detailOf(ProblemType type) {
        return switch (type) {
            case MALFORMED_REQUEST -> "the body is not one JSON document: line 1, column 12";
            case UNAUTHORIZED -> "Send a valid key in the header Authorization: Bearer <key>";
            case FORBIDDEN -> "The key's role must be administrator or analyst, was custodian";
            case NOT_FOUND -> "There is nothing at this address";
            case METHOD_NOT_ALLOWED -> "the method must be one of GET, PUT";
            case NOT_ACCEPTABLE -> "Accept must admit application/json";
            case REQUEST_TIMEOUT -> "the body did not arrive in time";
            case BUDGET_EXHAUSTED -> "the question needs epsilon 0.5, and 0.1 is left";
            case REQUEST_IN_FLIGHT -> "the request with this Idempotency-Key is still being answered";
            case ALREADY_EXISTS -> "the id adult is taken";
            case DATASET_NOT_READY -> "the dataset is not ready: it has no data to ask about yet";
            case SESSION_CLOSED -> "the session ended: its last positive was released";
            case COLLECTION_CLOSED -> "the collection takes no more reports";
            case PAYLOAD_TOO_LARGE -> "the body must have at most 33554432 bytes, this one has more";
            case UNSUPPORTED_MEDIA_TYPE -> "Content-Type must be application/json";
            case VALIDATION_FAILED -> "2 rules are broken; see errors";
            case IDEMPOTENCY_KEY_REUSED -> "an earlier request with this Idempotency-Key had another body";
            case MECHANISM_NOT_PRIVATE -> "known-count needs a dataset whose number of rows is public";
            case INVALID_DATA -> "line 17, column age: " + NO_INTEGER + " (the first of 2 errors; see errors)";
            case TOO_MANY_REQUESTS -> "too many requests";
            case HEADER_TOO_LARGE -> "request line and header fields must have at most 16384 bytes together";
            case INTERNAL_ERROR -> "The service failed; see its log for reference 5f2a9c0e1b7d4a36";
            case TEMPORARILY_UNAVAILABLE -> "the service cannot answer right now";
        };
    }

    static Map<String, Object> membersOf(ProblemType type) {
        return switch (type) {
            case VALIDATION_FAILED ->
                Map.of(
                        "errors",
                        List.of(
                                new BrokenRule("/epsilon", "epsilon must be between 0.000001 and 100, was 101"),
                                new BrokenRule(
                                        "/where/0/column",
                                        "column must be one of the dataset's columns: \"age\", \"sex\", was \"agee\";"
                                                + " the nearest is \"age\"")));
            case BUDGET_EXHAUSTED -> {
                Map<String, Object> members = new LinkedHashMap<>();
                members.put("requested", new Amount("0.5", "0"));
                members.put("remaining", new Amount("0.1", "0"));
                members.put("shortfall", new Amount("0.4", "0"));
                members.put("scope", "dataset");
                yield members;
            }
            case INTERNAL_ERROR -> Map.of("reference", "5f2a9c0e1b7d4a36");
            case INVALID_DATA -> {
                Map<String, Object> members = new LinkedHashMap<>();
                members.put("errors", List.of(new BadRow(17, "age", NO_INTEGER), new BadRow(21, "age", NO_INTEGER)));
                members.put("moreErrors", 0);
                yield members;
            }
            case SESSION_CLOSED -> Map.of("closedBecause", "positives");
            case MALFORMED_REQUEST,
                    UNAUTHORIZED,
                    FORBIDDEN,
                    NOT_FOUND,
                    METHOD_NOT_ALLOWED,
                    NOT_ACCEPTABLE,
                    REQUEST_TIMEOUT,
                    REQUEST_IN_FLIGHT,
                    ALREADY_EXISTS,
                    DATASET_NOT_READY,
                    COLLECTION_CLOSED,
                    PAYLOAD_TOO_LARGE,
                    UNSUPPORTED_MEDIA_TYPE,
                    IDEMPOTENCY_KEY_REUSED,
                    MECHANISM_NOT_PRIVATE,
                    TOO_MANY_REQUESTS,
                    HEADER_TOO_LARGE,
                    TEMPORARILY_UNAVAILABLE -> Map.of();
        };
    }

    private record BrokenRule(String pointer, String detail) {}

    private record BadRow(int line, String column, String detail) {}

    private record Amount(String epsilon, String delta) {}
}
