package dev.purser.mcp;

import dev.purser.access.Principal;
import dev.purser.json.ObjectReader;
import dev.purser.json.Shape;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What an agent can do. Each tool is one line in {@link Tools}.
 *
 * @param name that agents call it by; it is part of the API
 * @param description what it does, for a model that decides which tool to call
 * @param arguments made of the fields that the API declares; names of its objects are unique within the tool
 * @param spends whether a call can be charged; keys that cannot spend do not see such a tool
 */
record Tool(String name, String description, Shape.ObjectOf arguments, boolean spends, Reader reader) {
    /** Reads the arguments. Nothing is done before all of them are read and found right. */
    @FunctionalInterface
    interface Reader {
        /**
         * @return ends with {@link ObjectReader#complete}; the returned supplier does the work
         */
        Optional<Supplier<ToolResult>> read(ObjectReader in, Caller caller);
    }

    /**
     * Who calls a tool.
     *
     * @param key the idempotency key of the request
     * @param request keeps what the log says of the call
     */
    record Caller(Principal principal, String key, HttpServletRequest request) {}
}
