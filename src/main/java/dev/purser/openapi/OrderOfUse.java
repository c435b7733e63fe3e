package dev.purser.openapi;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.Paths;
import io.swagger.v3.oas.models.tags.Tag;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * The order in which the interface is used. The page shows operations in this order, and their examples succeed in this
 * order. Tags come in the order stated here. Within a tag, a path comes before the paths below it.
 */
final class OrderOfUse {
    private static final List<String> TAGS = List.of(
            "Datasets",
            "Questions",
            "Threshold sessions",
            "Synopses",
            "Quotes",
            "Agents",
            "Keys",
            "Budget and ledger",
            "Collections",
            "Trainings",
            "SQL");

    private OrderOfUse() {}

    static void arrange(OpenAPI api) {
        Comparator<Map.Entry<String, PathItem>> order = Comparator.comparingInt(path -> TAGS.indexOf(
                path.getValue().readOperations().getFirst().getTags().getFirst()));
        Paths paths = new Paths();
        api.getPaths().entrySet().stream()
                .sorted(order.thenComparing(OrderOfUse::parent))
                .forEach(path -> paths.addPathItem(path.getKey(), path.getValue()));
        api.setPaths(paths);
        api.setTags(api.getTags().stream()
                .sorted(Comparator.comparingInt((Tag tag) -> TAGS.indexOf(tag.getName())))
                .toList());
    }

    private static String parent(Map.Entry<String, PathItem> path) {
        return path.getKey().substring(0, path.getKey().lastIndexOf('/'));
    }
}
