package dev.purser.ledger;

import java.security.SecureRandom;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class QueryIdsTests {
    private final SecureRandom random = new SecureRandom();

    /** The time part of the example in the ULID specification, 01ARYZ6S41TSV4RRFFQ69G5FAV. */
    @Test
    void beginWithTheTime() {
        assertThat(QueryIds.next(1_469_918_176_385L, random::nextLong))
                .startsWith("01ARYZ6S41")
                .hasSize(26);
        assertThat(QueryIds.next((1L << 48) - 1, random::nextLong)).startsWith("7ZZZZZZZZZ");
    }

    @Test
    void sortByTime() {
        assertThat(QueryIds.next(1_000, random::nextLong)).isLessThan(QueryIds.next(1_001, random::nextLong));
    }

    @Test
    void differWithinAMillisecondInEveryRandomPosition() {
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            ids.add(QueryIds.next(1_000, random::nextLong));
        }

        assertThat(ids).hasSize(10_000);
        for (int position = 10; position < 26; position++) {
            int at = position;
            assertThat(ids.stream().map(id -> id.charAt(at)).distinct()).hasSize(32);
        }
    }
}
