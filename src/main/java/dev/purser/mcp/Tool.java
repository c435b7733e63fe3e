package dev.purser.mcp;

import dev.purser.access.Principal;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import java.util.function.Supplier;

/** What an agent can do. Each tool is one class and one line in {@link Tools}. */
interface Tool {
    /** The name that agents call it by; it is part of the API. */
    String name();

    /** What it does, for a model that decides which tool to call. */
    String description();

    /** Its arguments, made of the fields that the API declares. Names of its objects are unique within the tool. */
    FieldType.ObjectOf arguments();

    /** Whether a call can be charged. Keys that cannot spend do not see such a tool. */
    default boolean spends() {
        return false;
    }

    /**
     * Reads the arguments. Nothing is done before all of them are read and found right.
     *
     * @return ends with {@link ObjectReader#complete}; what it gives does the work
     */
    Optional<Supplier<ToolResult>> read(ObjectReader in, Caller caller);

    /**
     * Who calls a tool.
     *
     * @param key the idempotency key of the request
     * @param request keeps what the log says of the call
     */
    record Caller(Principal principal, String key, HttpServletRequest request) {}
}
