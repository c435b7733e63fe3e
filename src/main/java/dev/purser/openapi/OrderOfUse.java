package dev.purser.openapi;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Paths;
import io.swagger.v3.oas.models.tags.Tag;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The order in which the interface is used. The page shows operations in this order, and their examples succeed in it.
 */
final class OrderOfUse {
    /** Paths, or the beginnings of those that keep their order; the paths of a tag stand together. Others come last. */
    private static final List<String> PATHS = List.of(
            "/v1/datasets",
            "/v1/datasets/{id}/data",
            "/v1/datasets/{id}/blocks/{label}/data",
            "/v1/datasets/{id}",
            "/v1/datasets/{id}/queries/",
            "/v1/datasets/{id}/queries",
            "/v1/queries/{queryId}",
            "/v1/queries/{queryId}/receipt",
            "/v1/mechanisms",
            "/v1/datasets/{id}/threshold-sessions",
            "/v1/threshold-sessions/{sessionId}/queries",
            "/v1/threshold-sessions/{sessionId}/events",
            "/v1/threshold-sessions/{sessionId}",
            "/v1/datasets/{id}/synopses",
            "/v1/synopses/{synopsisId}",
            "/v1/synopses/{synopsisId}/answers",
            "/v1/synopses/{synopsisId}/tables",
            "/v1/synopses/{synopsisId}/rows",
            "/v1/synopses/{synopsisId}/refinements",
            "/v1/datasets/{id}/quotes/",
            "/v1/datasets/{id}/quotes",
            "/mcp",
            "/v1/keys",
            "/v1/keys/self",
            "/v1/keys/{keyId}",
            "/v1/datasets/{id}/budget",
            "/v1/datasets/{id}/blocks",
            "/v1/datasets/{id}/allotments/{analyst}",
            "/v1/datasets/{id}/ledger",
            "/v1/datasets/{id}/ledger/verification",
            "/v1/collections",
            "/v1/collections/{id}/reports",
            "/v1/collections/{id}/estimate",
            "/v1/collections/{id}/closure",
            "/v1/collections/{id}",
            "/v1/trainings",
            "/v1/trainings/{id}/tickets",
            "/v1/trainings/{id}/reports",
            "/v1/trainings/{id}/closure",
            "/v1/trainings/{id}",
            "/v1/statement",
            "/v1/statement/{statementId}",
            "/v1/info");

    private OrderOfUse() {}

    static void arrange(OpenAPI api) {
        Paths paths = new Paths();
        api.getPaths().keySet().stream()
                .sorted(Comparator.comparingInt(OrderOfUse::place))
                .forEach(path -> paths.addPathItem(path, api.getPaths().get(path)));
        api.setPaths(paths);
        List<String> tags = paths.values().stream()
                .flatMap(item -> item.readOperations().stream())
                .flatMap(operation -> operation.getTags().stream())
                .distinct()
                .toList();
        api.setTags(api.getTags().stream()
                .sorted(Comparator.comparingInt((Tag tag) -> tags.indexOf(tag.getName())))
                .toList());
    }

    private static int place(String path) {
        return IntStream.range(0, PATHS.size())
                .filter(i -> PATHS.get(i).equals(path) || PATHS.get(i).endsWith("/") && path.startsWith(PATHS.get(i)))
                .findFirst()
                .orElse(PATHS.size());
    }
}
