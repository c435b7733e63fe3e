package dev.purser.json;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A part of a list.
 *
 * @param items at most as many as requested
 * @param next the value of {@code after} for the next part; null at the end
 */
public record Page<T>(
        List<T> items,

        @Schema(description = "What to send as `after` for the next part; null at the end.") @Nullable
        String next) {
    /** The first {@code limit} items of {@code oneMore}, which was read with one extra item to detect a next part. */
    public static <T, V> Page<V> of(List<T> oneMore, int limit, Function<T, V> view, Function<T, String> cursor) {
        List<T> shown = oneMore.size() > limit ? oneMore.subList(0, limit) : oneMore;
        String next = oneMore.size() > limit ? cursor.apply(shown.getLast()) : null;
        return new Page<>(shown.stream().map(view).toList(), next);
    }
}
