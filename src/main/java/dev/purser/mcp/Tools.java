package dev.purser.mcp;

import dev.purser.access.Principal;
import dev.purser.access.Role;
import dev.purser.http.JsonSchemas;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;

/** Every tool, in the order in which they are listed. The list is written by hand: a new tool is one line. */
@Component
class Tools {
    private final List<Tool> all;
    private final Map<String, Map<String, Object>> described = new ConcurrentHashMap<>();

    Tools(DatasetTools datasets, AnswerTools answers) {
        all = List.of(
                datasets.list(),
                datasets.describe(),
                datasets.quote(),
                answers.askFree(),
                answers.ask(),
                answers.refine());
    }

    /** A tool that a key sees. Any other tool is answered like a tool that does not exist. */
    Optional<Tool> named(String name, Principal principal) {
        return visible(principal).stream()
                .filter(tool -> tool.name().equals(name))
                .findFirst();
    }

    /** The list of tools as a key sees it. */
    List<Map<String, Object>> listed(Principal principal) {
        return visible(principal).stream()
                .map(tool -> described.computeIfAbsent(tool.name(), name -> described(tool)))
                .toList();
    }

    private List<Tool> visible(Principal principal) {
        return all.stream()
                .filter(tool -> !tool.spends() || principal.role() != Role.VIEWER)
                .toList();
    }

    private static Map<String, Object> described(Tool tool) {
        Map<String, Object> described = new LinkedHashMap<>();
        described.put("name", tool.name());
        described.put("description", tool.description());
        described.put("inputSchema", JsonSchemas.of(tool.arguments()));
        // A repeated question is charged once, so a tool that spends is idempotent too.
        described.put(
                "annotations",
                Map.of(
                        "readOnlyHint",
                        !tool.spends(),
                        "destructiveHint",
                        tool.spends(),
                        "idempotentHint",
                        true,
                        "openWorldHint",
                        false));
        return described;
    }
}
