package dev.purser.admission;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LinePartsTests {
    private static List<String> parts(String text, int maxLines, int enoughBytes) throws IOException {
        LineParts parts =
                new LineParts(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), maxLines, enoughBytes);
        List<String> all = new ArrayList<>();
        while (parts.next()) {
            all.add(new String(parts.readAllBytes(), StandardCharsets.UTF_8));
        }
        assertThat(parts.read()).isEqualTo(-1);
        return all;
    }

    @Test
    void aPartHasWholeLines() throws IOException {
        assertThat(parts("a\nbb\nccc\nd\ne", 2, 1_000)).containsExactly("a\nbb\n", "ccc\nd\n", "e");
        assertThat(parts("a\nbb\n", 2, 1_000)).containsExactly("a\nbb\n");
        assertThat(parts("", 2, 1_000)).isEmpty();
        assertThat(parts("\n\n\n", 1, 1_000)).containsExactly("\n", "\n", "\n");
    }

    @Test
    void aPartWithEnoughBytesEndsWithItsLine() throws IOException {
        assertThat(parts("aaaaaa\nb\nc\ndddd\ne\n", 100, 4)).containsExactly("aaaaaa\n", "b\nc\n", "dddd\n", "e\n");
    }

    @Test
    void nothingIsLostBetweenParts() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 9_000; i++) {
            text.append("x".repeat(i % 37)).append('\n');
        }
        text.append("y".repeat(20_000));
        List<String> parts = parts(text.toString(), 1_000, 17_000);
        assertThat(String.join("", parts)).isEqualTo(text.toString());
        assertThat(parts).hasSizeGreaterThan(9);
        assertThat(parts.subList(0, parts.size() - 1))
                .allSatisfy(part -> assertThat(part).endsWith("\n").hasSizeLessThan(17_000 + 38));
    }
}
