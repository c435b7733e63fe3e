package dev.purser.collection;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ReportsTests {
    /** A piece has its own range of all keys, so it changes neighbouring pages: docs/performance.md. */
    @Test
    void piecesFollowOneAnotherInTheOrderOfTheirKeys() {
        List<byte[]> keys = IntStream.range(0, 1_000)
                .mapToObj(i -> Reports.key("device-" + i))
                .toList();
        List<Integer> numbers = IntStream.range(0, 1_000).boxed().toList();

        List<Reports<Integer>> pieces = new Reports<>(keys, numbers).pieces(300);

        assertThat(pieces).extracting(piece -> piece.keys().size()).containsExactly(300, 300, 300, 100);
        List<byte[]> sorted =
                pieces.stream().flatMap(piece -> piece.keys().stream()).toList();
        assertThat(sorted).isSortedAccordingTo(Arrays::compareUnsigned);
        assertThat(pieces.stream().flatMap(piece -> piece.reports().stream()).map(keys::get))
                .as("each report stays with its key")
                .containsExactlyElementsOf(sorted);
    }

    @Test
    void ofTwoReportsWithOneKeyTheFirstStaysFirst() {
        byte[] key = Reports.key("twice");
        List<Reports<String>> pieces =
                new Reports<>(List.of(key, key.clone(), key.clone()), List.of("first", "second", "third")).pieces(2);
        assertThat(pieces.stream().flatMap(piece -> piece.reports().stream()))
                .containsExactly("first", "second", "third");
    }
}
