package dev.purser.json;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ParsedDocumentsTests {
    private static final int MAX_BYTES = 1 << 20;

    private final ParsedDocuments<String> documents = new ParsedDocuments<>();

    private String remember(String id, int bytes) {
        return documents.parseAndRemember(id, json(id, bytes), json -> new String(json, StandardCharsets.US_ASCII));
    }

    /** A document of {@code bytes} bytes. */
    private static byte[] json(String id, int bytes) {
        return (id + " ".repeat(bytes - id.length())).getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void areParsedOnce() {
        assertThat(documents.find("a")).isNull();
        String parsed = remember("a", 1);
        assertThat(parsed.strip()).isEqualTo("a");
        assertThat(documents.find("a")).isSameAs(parsed);
        assertThat(documents.find("b")).isNull();
    }

    @Test
    void theLeastRecentlyUsedLeaveWhenThereAreTooManyBytes() {
        for (String id : new String[] {"a", "b", "c", "d"}) {
            remember(id, MAX_BYTES / 4);
        }
        assertThat(documents.find("a")).isNotNull();
        remember("e", 1000);
        assertThat(documents.find("b")).as("the least recent").isNull();
        for (String id : new String[] {"a", "c", "d", "e"}) {
            assertThat(documents.find(id)).as(id).isNotNull();
        }
        remember("f", MAX_BYTES);
        assertThat(documents.find("f")).isNotNull();
        assertThat(documents.find("e")).isNull();
    }

    /** Two questions parse the same registration at the same time. */
    @Test
    void oneThatIsParsedTwiceCountsOnce() {
        for (int i = 0; i < 3; i++) {
            remember("a", MAX_BYTES / 2);
        }
        remember("b", MAX_BYTES / 2);
        assertThat(documents.find("a")).isNotNull();
        assertThat(documents.find("b")).isNotNull();
    }

    @Test
    void oneThatIsTooLargeIsNotRemembered() {
        assertThat(remember("a", MAX_BYTES + 1)).startsWith("a");
        assertThat(documents.find("a")).isNull();
        remember("b", 1);
        assertThat(documents.find("b")).isNotNull();
    }
}
