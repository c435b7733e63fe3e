package dev.purser.http;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Objects;

/**
 * The arguments of a handler that were made so far: the arguments before the argument that is being made, and at the
 * second look all arguments of the first.
 */
public final class HandlerArguments {
    private final HttpServletRequest request;

    private HandlerArguments(HttpServletRequest request) {
        this.request = request;
    }

    /** The arguments for this request. */
    public static HandlerArguments of(HttpServletRequest request) {
        return new HandlerArguments(request);
    }

    /** The argument of this type, which a {@link TypedArgument} made. */
    public <T> T get(Class<T> type) {
        return type.cast(Objects.requireNonNull(request.getAttribute(type.getName()), type.getName()));
    }
}
