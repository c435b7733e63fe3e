package dev.purser.http;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of a list, as {@link Pages} cuts it.
 *
 * @param items at most as many as requested
 * @param next the value of {@code after} for the next part; null at the end
 */
public record Page<T>(
        @Schema(description = "At most `limit` items, and fewer where these would exceed a mebibyte of JSON.")
        List<T> items,

        @Schema(description = "What to send as `after` for the next part; null at the end.") @Nullable
        String next) {
    /** Describes the parameter {@code after}. */
    public static final String AFTER = "The `next` of an earlier page; without it, the list from its beginning.";
}
