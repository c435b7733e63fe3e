package dev.purser.upload;

import dev.purser.dataset.Column;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.dataset.Notation;
import dev.purser.privacy.Grid;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class FieldReaderTests {
    private static final Column DATE = new Column.Numeric("day", new Notation.Dates(), 0, 100, null);
    private static final String REFUSED = String.valueOf(FieldReader.REFUSED);

    /** The first of so many columns. */
    private static FieldReader reader(Column column, int columns) {
        return FieldReader.ofAll(Collections.nCopies(columns, column))[0];
    }

    private static List<String> read(FieldReader reader, List<String> texts) {
        List<String> read = new ArrayList<>();
        for (String text : texts) {
            byte[] bytes = text.getBytes(UTF_8);
            read.add(reader.read(new FieldText().set(bytes, 0, bytes.length)) + (reader.clamped() ? " clamped" : ""));
        }
        return read;
    }

    @Test
    void readsNumbersAndTheirSubstitutes() {
        Column rejecting = DatasetsForTests.integer("n", -5, 5);
        List<String> texts = List.of("3", "-9", "", "x", "4");
        assertThat(read(reader(rejecting, 1), texts)).containsExactly("3", "-5 clamped", REFUSED, REFUSED, "4");
        Column substituting = DatasetsForTests.decimal("n", "0.5", -10, 10, 7L);
        assertThat(read(reader(substituting, 1), texts)).containsExactly("6", "-10 clamped", "7", "7", "8");
    }

    @Test
    void readsCategoriesAndTheirSubstitutes() {
        List<String> texts = List.of("a", "c", "?", "", "b", "x".repeat(60), "y" + "x".repeat(59));
        Column rejecting = DatasetsForTests.category("list", null, "a", "b", "c", "x".repeat(60));
        assertThat(read(reader(rejecting, 1), texts)).containsExactly("0", "2", REFUSED, REFUSED, "1", "3", REFUSED);
        Column substituting = DatasetsForTests.category("list", 1, "a", "b", "c", "x".repeat(60));
        assertThat(read(reader(substituting, 1), texts)).containsExactly("0", "2", "1", "1", "1", "3", "1");
    }

    /** With many places for one column, and with none, as where there are too many columns. */
    @ParameterizedTest
    @ValueSource(ints = {1, 100_000})
    void aTimeThatIsRememberedIsWhatWasRead(int columns) {
        List<String> texts = List.of("1970-01-02", "1971-01-01", "x", "", "1969-01-01", "1970-01-02 ");
        List<String> expected = List.of("1", "100 clamped", REFUSED, REFUSED, "0 clamped", REFUSED);
        FieldReader reader = reader(DATE, columns);
        for (int i = 0; i < 3; i++) {
            assertThat(read(reader, texts)).isEqualTo(expected);
        }
        FieldReader substituting = reader(new Column.Numeric("day", new Notation.Dates(), 0, 100, 9L), columns);
        for (int i = 0; i < 3; i++) {
            assertThat(read(substituting, texts)).containsExactly("1", "100 clamped", "9", "9", "0 clamped", "9");
        }
    }

    /** More than are remembered, some longer than what is remembered, in any order and again. */
    @Test
    void manyTimesAreToldApart() {
        Grid millis = new Grid(new java.math.BigDecimal("0.001"));
        FieldReader reader = reader(new Column.Numeric("at", new Notation.Timestamps(millis), 0, 1L << 40, null), 16);
        Random random = new Random(5);
        List<Integer> expected = random.ints(30_000, 0, 5000).boxed().toList();
        List<String> texts = expected.stream()
                .map(milli -> "1970-01-01T00:00:%02d.%03d%s"
                        .formatted(milli / 1000, milli % 1000, milli % 2 == 0 ? "Z" : "+00"))
                .toList();
        assertThat(read(reader, texts))
                .isEqualTo(expected.stream().map(String::valueOf).toList());
        List<String> longer = expected.stream()
                .map(milli -> "1970-01-01T00:00:%02d.%03d%sZ".formatted(milli / 1000, milli % 1000, "0".repeat(27)))
                .toList();
        assertThat(read(reader, longer))
                .isEqualTo(expected.stream().map(String::valueOf).toList());
    }
}
