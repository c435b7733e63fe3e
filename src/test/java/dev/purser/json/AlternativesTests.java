package dev.purser.json;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class AlternativesTests {
    @Test
    void listsTenNamesAndCountsTheOthers() {
        List<String> names = IntStream.range(0, 22).mapToObj(i -> "c" + i).toList();
        assertThat(Alternatives.listed(names.subList(0, 2))).isEqualTo("\"c0\", \"c1\"");
        assertThat(Alternatives.listed(names.subList(0, 10))).endsWith(", \"c9\"");
        assertThat(Alternatives.listed(names)).startsWith("\"c0\", ").endsWith(", \"c9\" and 12 more");
        assertThat(Alternatives.listed(List.of("x".repeat(256)))).hasSize(43);
    }

    @ParameterizedTest
    @CsvSource({
        "agee, age",
        "AGE, age",
        "aeg, age",
        "ag, age",
        "hours per week, hours-per-week",
        "hoursPerWeek, hours-per-week",
        "hour_per_wek, hours-per-week",
        "hourly-rate, ''",
        "hoursprwk, ''",
        "sex, ''",
        "x, ''",
        "'', ''",
        "é, ''",
        "B, b",
    })
    void namesTheNearest(String sent, String nearest) {
        List<String> names = List.of("wage", "age", "hours-per-week", "a", "b");
        assertThat(Alternatives.nearest(sent, names))
                .isEqualTo(nearest.isEmpty() ? "" : "; the nearest is \"" + nearest + "\"");
    }

    /** Ten thousand long names, and a name that is compared with the largest number of names. */
    @Test
    void comparesALimitedNumberOfLimitedNames() {
        List<String> names =
                IntStream.range(0, 10_000).mapToObj(i -> "x".repeat(200) + i).toList();
        assertThat(Alternatives.nearest("x".repeat(200) + "O", names)).isEmpty();
        List<String> many =
                IntStream.range(0, 10_000).mapToObj(i -> "name-" + i).toList();
        assertThat(Alternatives.nearest("name-999x", many)).isEqualTo("; the nearest is \"name-999\"");
        assertThat(Alternatives.nearest("name-9999", many)).isEqualTo("; the nearest is \"name-999\"");
    }
}
