package dev.purser.synopsis;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.json.JsonDocument;
import dev.purser.mechanism.Hierarchy;
import dev.purser.privacy.PrivacyUnit;
import dev.purser.problem.ProblemException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** How many rows fit: a row of forty columns of two categories takes 40 bytes, and 4 bytes while it is made. */
class RowsRequestTests {
    private static final int MILLION = 1_000_000;
    private static final int AT_A_GIGABYTE = 64 << 20;

    private static final List<String> NAMES =
            IntStream.range(0, 40).mapToObj(column -> "c" + column).toList();

    private static final Dataset DATASET = DatasetsForTests.of(
            "forty",
            new PrivacyUnit.Row(),
            100,
            NAMES.stream()
                    .<Column>map(name -> DatasetsForTests.category(name, null, "a", "b"))
                    .toList());

    private static Synopsis synopsis() {
        String question = quoted("{'epsilon':'1','marginals':2,'columns':["
                + NAMES.stream().map(name -> "{'column':'" + name + "'}").collect(Collectors.joining(","))
                + "]}");
        SynopsisCells cells = JsonDocument.parse(question.getBytes(StandardCharsets.UTF_8))
                .read(in -> SynopsisCells.read(in, DATASET));
        List<Hierarchy> columns =
                NAMES.stream().map(name -> new Hierarchy(2, List.of(1, 2))).toList();
        return new Synopsis("", DATASET, cells, question, null, columns, List.of());
    }

    private static RowsRequest request(@Nullable Integer count, int maxBytes) {
        return RowsRequest.of(synopsis(), count == null ? null : (long) count, 0, maxBytes);
    }

    @Test
    void aMillionRowsOfFortyColumnsFitIntoAHeapOfAGigabyteAndAreCountedWhole() {
        RowsRequest million = request(MILLION, AT_A_GIGABYTE);
        assertThat(million.bytes()).isEqualTo(44 * MILLION);
        assertThat(million.count(5)).isEqualTo(MILLION);
        assertThat(request(1_000, AT_A_GIGABYTE).bytes()).isEqualTo(44_000);
    }

    @Test
    void inASmallerHeapTheRefusalSaysHowManyArePossible() {
        int quarter = AT_A_GIGABYTE / 4;
        int most = (quarter - 4 * 12) / 44;
        assertThatThrownBy(() -> request(most + 1, quarter))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("count must be at most " + most + " for this synopsis, was " + (most + 1))
                .hasMessageContaining("at most 16 MB");
        assertThat(request(most, quarter).count(5)).isEqualTo(most);
    }

    @Test
    void asManyAsAreEstimatedCountAsTheMostThatFit() {
        assertThat(request(null, AT_A_GIGABYTE).bytes()).isEqualTo(44 * MILLION);
        RowsRequest small = request(null, 1 << 20);
        assertThat(small.bytes()).isBetween((1 << 20) - 100, 1 << 20);
        assertThat(small.count(20_000)).isEqualTo(20_000);
        assertThatThrownBy(() -> small.count(30_000)).hasMessageContaining("was 30000");
    }
}
