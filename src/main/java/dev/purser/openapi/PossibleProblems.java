package dev.purser.openapi;

import dev.purser.problem.ProblemType;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem.HttpMethod;
import java.util.EnumSet;
import java.util.Set;
import java.util.regex.Pattern;

/** The problems that an operation can answer with: a function of its method, its path and its body. */
final class PossibleProblems {
    private static final Pattern SPENDING_QUERY = Pattern.compile("/v1/datasets/\\{[^/]+}/queries/[^/]+");
    private static final Pattern QUOTE = Pattern.compile("/v1/datasets/\\{[^/]+}/quotes(/[^/]+)?");
    private static final Pattern SESSION_OPENING = Pattern.compile("/v1/datasets/\\{[^/]+}/threshold-sessions");
    private static final Pattern SESSION_QUERY = Pattern.compile("/v1/threshold-sessions/\\{[^/]+}/queries");
    private static final Pattern CREATION = Pattern.compile("/v1/(datasets|keys|collections|trainings)");
    private static final Pattern REPORTS = Pattern.compile("/v1/collections/\\{[^/]+}/reports");
    private static final Pattern DATA = Pattern.compile("/v1/datasets/\\{[^/]+}/data");

    private PossibleProblems() {}

    static Set<ProblemType> of(HttpMethod method, String path, Operation operation) {
        Set<ProblemType> problems = EnumSet.of(
                ProblemType.MALFORMED_REQUEST,
                ProblemType.UNAUTHORIZED,
                ProblemType.FORBIDDEN,
                ProblemType.METHOD_NOT_ALLOWED,
                ProblemType.NOT_ACCEPTABLE,
                ProblemType.VALIDATION_FAILED,
                ProblemType.TOO_MANY_REQUESTS,
                ProblemType.HEADER_TOO_LARGE,
                ProblemType.INTERNAL_ERROR,
                ProblemType.TEMPORARILY_UNAVAILABLE);
        if (path.contains("{")) {
            problems.add(ProblemType.NOT_FOUND);
        }
        if (operation.getRequestBody() != null) {
            problems.addAll(EnumSet.of(
                    ProblemType.REQUEST_TIMEOUT, ProblemType.PAYLOAD_TOO_LARGE, ProblemType.UNSUPPORTED_MEDIA_TYPE));
        }
        if (method == HttpMethod.POST) {
            problems.addAll(ofPost(path));
        }
        if (method == HttpMethod.PUT && DATA.matcher(path).matches()) {
            problems.addAll(EnumSet.of(ProblemType.ALREADY_EXISTS, ProblemType.INVALID_DATA));
        }
        return problems;
    }

    private static Set<ProblemType> ofPost(String path) {
        if (SPENDING_QUERY.matcher(path).matches()) {
            return spendingAnd(ProblemType.DATASET_NOT_READY, ProblemType.MECHANISM_NOT_PRIVATE);
        }
        if (SESSION_OPENING.matcher(path).matches()) {
            return spendingAnd(ProblemType.DATASET_NOT_READY);
        }
        if (SESSION_QUERY.matcher(path).matches()) {
            return spendingAnd(ProblemType.SESSION_CLOSED);
        }
        if (REPORTS.matcher(path).matches()) {
            return EnumSet.of(ProblemType.COLLECTION_CLOSED);
        }
        if (QUOTE.matcher(path).matches()) {
            return EnumSet.of(ProblemType.MECHANISM_NOT_PRIVATE);
        }
        return CREATION.matcher(path).matches()
                ? EnumSet.of(ProblemType.ALREADY_EXISTS)
                : EnumSet.noneOf(ProblemType.class);
    }

    private static Set<ProblemType> spendingAnd(ProblemType... more) {
        Set<ProblemType> problems = EnumSet.of(
                ProblemType.BUDGET_EXHAUSTED, ProblemType.REQUEST_IN_FLIGHT, ProblemType.IDEMPOTENCY_KEY_REUSED);
        problems.addAll(Set.of(more));
        return problems;
    }
}
