package dev.purser.http;

import dev.purser.store.Order;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class PagesTests {
    private final Pages pages = new Pages(JsonMapper.shared());
    private final List<Integer> read = new ArrayList<>();

    /** A list of the numbers from 1 on, each shown as a text of {@code bytesOfOne} bytes. */
    private Page<String> page(int size, int limit, int bytesOfOne) {
        return pages.bySequence(
                new Paging("", limit, Order.ASC),
                (last, count) -> {
                    int first = Math.toIntExact(last) + 1;
                    List<Integer> part = IntStream.rangeClosed(first, Math.min(size, first + count - 1))
                            .boxed()
                            .toList();
                    assertThat(count).isBetween(1, Pages.AT_ONCE);
                    read.addAll(part);
                    return part;
                },
                number -> "x".repeat(bytesOfOne - 2),
                Integer::longValue);
    }

    @Test
    void endsAtTheLimitAndSaysWhetherThereIsMore() {
        for (int limit : List.of(1, 5, Pages.AT_ONCE - 1, Pages.AT_ONCE, Pages.AT_ONCE + 1, 3 * Pages.AT_ONCE)) {
            assertThat(page(0, limit, 10)).isEqualTo(new Page<>(List.of(), null));
            assertThat(page(limit - 1, limit, 10).items()).hasSize(limit - 1);
            assertThat(page(limit, limit, 10).items()).hasSize(limit);
            assertThat(page(limit, limit, 10).next()).isNull();
            assertThat(page(limit + 1, limit, 10).items()).hasSize(limit);
            assertThat(page(limit + 1, limit, 10).next()).isEqualTo(String.valueOf(limit));
        }
    }

    @Test
    void endsBeforeTheItemThatWouldExceedTheBytes() {
        int quarter = Pages.MAX_BYTES / 4;
        assertThat(page(10, 10, quarter).items()).hasSize(4);
        assertThat(page(10, 10, quarter).next()).isEqualTo("4");
        assertThat(page(10, 10, quarter + 1).items()).hasSize(3);
        assertThat(page(4, 10, quarter).next()).isNull();
    }

    @Test
    void showsAnItemThatIsTooLargeAlone() {
        assertThat(page(2, 10, Pages.MAX_BYTES + 10).items()).hasSize(1);
        assertThat(page(2, 10, Pages.MAX_BYTES + 10).next()).isEqualTo("1");
        assertThat(page(1, 10, Pages.MAX_BYTES + 10).next()).isNull();
    }

    @Test
    void readsNoMoreThanAFewItemsThatItDoesNotShow() {
        assertThat(page(1_000, 1_000, Pages.MAX_BYTES / 20).items()).hasSize(20);
        assertThat(read).hasSize(2 * Pages.AT_ONCE);
    }
}
