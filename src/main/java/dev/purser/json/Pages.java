package dev.purser.json;

import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/**
 * Cuts lists into pages. A page ends at the requested number of items or at {@value #MAX_BYTES} bytes of JSON,
 * whichever comes first, and contains at least one item if there is one. Items are read a few at a time, so a page
 * never takes much more memory than it shows.
 */
@Component
public final class Pages {
    /** The most bytes of the items of a page; one item alone may have more. */
    static final int MAX_BYTES = 1 << 20;

    private final JsonMapper json;

    Pages(JsonMapper json) {
        this.json = json;
    }

    /** Reads the items of a list in its order. */
    @FunctionalInterface
    public interface More<T> {
        /**
         * The next items.
         *
         * @param last the last item that was read; null at the beginning of the page
         * @param count how many to return, if there are so many
         */
        List<T> after(@Nullable T last, int count);
    }

    /** Counted while it is written: an item may take its content from the disk. */
    private long length(Object shown) {
        long[] bytes = {0};
        json.writeValue(
                new OutputStream() {
                    @Override
                    public void write(int one) {
                        bytes[0]++;
                    }

                    @Override
                    public void write(byte[] more, int from, int count) {
                        bytes[0] += count;
                    }
                },
                shown);
        return bytes[0];
    }

    /**
     * One page.
     *
     * @param limit the most items
     * @param atOnce the most items that are read together: few if one can be large
     * @param cursor what a client sends to get the items after this one
     */
    public <T, V> Page<V> of(int limit, int atOnce, More<T> more, Function<T, V> view, Function<T, String> cursor) {
        List<V> items = new ArrayList<>();
        long bytes = 0;
        @Nullable T last = null;
        while (true) {
            int count = Math.min(atOnce, limit + 1 - items.size());
            List<T> part = more.after(last, count);
            for (T next : part) {
                V shown = view.apply(next);
                bytes += length(shown);
                if (last != null && (items.size() == limit || bytes > MAX_BYTES)) {
                    return new Page<>(items, cursor.apply(last));
                }
                items.add(shown);
                last = next;
            }
            if (part.size() < count) {
                return new Page<>(items, null);
            }
        }
    }
}
