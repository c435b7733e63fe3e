package dev.purser.mcp;

import dev.purser.access.Principal;
import dev.purser.json.ObjectReader;
import dev.purser.json.Shape;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * An action that an agent can take. Each tool is one line in {@link Tools}.
 *
 * @param name the name by which agents call it, which is part of the API
 * @param description what it does, for a model that decides which tool to call
 * @param arguments their form, made of fields that the API declares; names of its objects are unique within the tool
 * @param spends whether a call can be charged; keys that cannot spend do not see such a tool
 */
record Tool(String name, String description, Shape.ObjectOf arguments, boolean spends, Reader reader) {
    /** Reads the arguments. Nothing is done before all arguments are read and found right. */
    @FunctionalInterface
    interface Reader {
        /** @return a supplier that does the work, from {@link ObjectReader#complete} */
        Optional<Supplier<ToolResult>> read(ObjectReader in, Caller caller);
    }

    /**
     * The caller of a tool.
     *
     * @param key the idempotency key of the request
     * @param request keeps the facts about the call that the log states
     */
    record Caller(Principal principal, String key, HttpServletRequest request) {}
}
