package dev.purser.http;

import dev.purser.problem.ProblemException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
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

    /** The most items that are read together. A key with the most grants takes 130 kB of JSON. */
    static final int AT_ONCE = 16;

    private final JsonMapper json;

    Pages(JsonMapper json) {
        this.json = json;
    }

    /** Reads the items of a list in its order. */
    @FunctionalInterface
    public interface More<T, C> {
        /**
         * The next items.
         *
         * @param cursor the cursor of the last item that was read, or the cursor before the first item
         * @param count the number of items to return, if there are enough
         */
        List<T> after(C cursor, int count);
    }

    /**
     * One page of a list that is ordered by ids.
     *
     * @throws ProblemException {@code validation-failed} if the cursor does not come from a page of such a list
     */
    public <T, V> Page<V> byId(Paging paging, More<T, String> more, Function<T, V> view, Function<T, String> id) {
        return of(paging.afterId(), paging.limit(), more, view, id);
    }

    /** One page of a list that is ordered by ULIDs, as {@link #byId}. */
    public <T, V> Page<V> byUlid(Paging paging, More<T, String> more, Function<T, V> view, Function<T, String> id) {
        return of(paging.afterUlid(), paging.limit(), more, view, id);
    }

    /** One page of a list that is ordered by sequence numbers, as {@link #byId}. */
    public <T, V> Page<V> bySequence(
            Paging paging, More<T, Long> more, Function<T, V> view, Function<T, Long> sequence) {
        return of(paging.afterSequence(), paging.limit(), more, view, sequence);
    }

    /** The length in JSON, counted while the item is written: it may take its content from the disk. */
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

    private <T, V, C> Page<V> of(C first, int limit, More<T, C> more, Function<T, V> view, Function<T, C> cursor) {
        List<V> items = new ArrayList<>();
        long bytes = 0;
        C last = first;
        while (true) {
            int count = Math.min(AT_ONCE, limit + 1 - items.size());
            List<T> part = more.after(last, count);
            for (T next : part) {
                V shown = view.apply(next);
                bytes += length(shown);
                if (!items.isEmpty() && (items.size() == limit || bytes > MAX_BYTES)) {
                    return new Page<>(items, last.toString());
                }
                items.add(shown);
                last = cursor.apply(next);
            }
            if (part.size() < count) {
                return new Page<>(items, null);
            }
        }
    }
}
