package dev.purser.upload;

import dev.purser.dataset.Column;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.dataset.Notation;
import dev.purser.privacy.Grid;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class FieldReaderTests {
    private static final Column DATE = new Column.Numeric("day", new Notation.Dates(), 0, 100, null);
    private static final String REFUSED = String.valueOf(FieldReader.REFUSED);

    /** The reader of the first of this many columns. */
    private static FieldReader reader(Column column, int columns) {
        return FieldReader.ofAll(Collections.nCopies(columns, column))[0];
    }

    private static List<String> read(FieldReader reader, List<String> texts) {
        List<String> read = new ArrayList<>();
        for (String text : texts) {
            byte[] bytes = text.getBytes(UTF_8);
            long value = reader.read(new FieldText().set(bytes, 0, bytes.length));
            FieldReader.Outcome outcome = reader.outcome();
            read.add(
                    value == FieldReader.REFUSED || outcome == FieldReader.Outcome.READ
                            ? String.valueOf(value)
                            : value + " " + outcome.name().toLowerCase(Locale.ROOT));
        }
        return read;
    }

    @Test
    void readsNumbersAndTheirSubstitutes() {
        Column rejecting = DatasetsForTests.integer("n", -5, 5);
        List<String> texts = List.of("3", "-9", "", "x", "4");
        assertThat(read(reader(rejecting, 1), texts)).containsExactly("3", "-5 clamped", REFUSED, REFUSED, "4");
        Column substituting = DatasetsForTests.decimal("n", "0.5", -10, 10, 7L);
        assertThat(read(reader(substituting, 1), texts)).containsExactly("6", "-10 clamped", "7 missing", REFUSED, "8");
    }

    @Test
    void readsCategoriesAndTheirSubstitutes() {
        List<String> texts = List.of("a", "c", "?", "", "b", "x".repeat(60), "y" + "x".repeat(59));
        Column rejecting = DatasetsForTests.category("list", null, "a", "b", "c", "x".repeat(60));
        assertThat(read(reader(rejecting, 1), texts)).containsExactly("0", "2", REFUSED, REFUSED, "1", "3", REFUSED);
        Column substituting = DatasetsForTests.category("list", 1, "a", "b", "c", "x".repeat(60));
        assertThat(read(reader(substituting, 1), texts))
                .containsExactly("0", "2", "1 missing", "1 missing", "1", "3", "1 unlisted");
    }

    @Test
    void aSpellingStandsForWhatIsMissingUnlessItIsACategory() {
        List<String> usual = List.of("", "NA", "N/A", "NaN", "null", "NULL", "None", "\\N", ".", "?", "-");
        Column numbers = DatasetsForTests.decimal("n", "1", -10, 10, 7L);
        assertThat(read(reader(numbers, 1), usual)).containsOnly("7 missing");
        assertThat(read(reader(numbers, 1), List.of("na", "n/a", "0", "--", " ")))
                .containsExactly(REFUSED, REFUSED, "0", REFUSED, REFUSED);
        Column own = new Column.Numeric("n", new Notation.Numbers(true, Grid.ONE), 0, 10, 7L, Set.of("n.d."));
        assertThat(read(reader(own, 1), List.of("n.d.", "", "NA"))).containsExactly("7 missing", "7 missing", REFUSED);
        Column countries = DatasetsForTests.category("country", 1, "NA", "?", "NZ");
        assertThat(read(reader(countries, 1), List.of("NA", "?", "-", "XX")))
                .containsExactly("0", "1", "1 missing", "1 unlisted");
        assertThat(read(reader(DatasetsForTests.truth("ok", 0), 1), List.of("yes", "None", "maybe")))
                .containsExactly("1", "0 missing", REFUSED);
    }

    @Test
    void aWholeNumberIsAnIntegerHoweverItIsWritten() {
        Column integers = DatasetsForTests.integer("n", 0, 1_000_000);
        List<String> texts = List.of(
                "30.0",
                "3e1",
                "+30.000",
                "300e-1",
                "0.00",
                "30.",
                "30.5",
                "1e-1",
                "0.30e2",
                "123456." + "0".repeat(40),
                "123456." + "0".repeat(40) + "1",
                "1e400");
        assertThat(read(reader(integers, 1), texts))
                .containsExactly(
                        "30",
                        "30",
                        "30",
                        "30",
                        "0",
                        "30",
                        REFUSED,
                        REFUSED,
                        "30",
                        "123456",
                        REFUSED,
                        "1000000 clamped");
    }

    @Test
    void aDateIsAlsoTheFirstMomentOfItsDay() {
        List<String> texts = List.of(
                "1970-01-05 00:00:00",
                "1970-01-05T00:00:00.000000",
                "1970-01-05T00:00:00Z",
                "1970-01-05 00:00",
                "1970-01-05 00:00:00+00",
                "1970-01-05 00:00:00+02",
                "1970-01-05 00:01",
                "1970-01-05 00:00:01",
                "1970-13-05 00:00:00");
        assertThat(read(reader(DATE, 1), texts))
                .containsExactly("4", "4", "4", "4", "4", REFUSED, REFUSED, REFUSED, REFUSED);
    }

    /** A text that is there but cannot be read is refused for its form, also where a substitute is registered. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "integer | ' 30' | has spaces around it",
                "integer | 72,5 | has a decimal comma",
                "decimal | 1.193,91 | has a decimal comma",
                "decimal | 1,193.91 | has a comma, as between thousands",
                "integer | 1,193 | has a comma, as between thousands",
                "integer | 30.5 | register the column with the type decimal",
                "integer | abc | is not an integer: correct it, or list it in the column's missingSpellings",
                "integer | Infinity | is infinite",
                "decimal | -inf | is infinite",
                "date | 1580428800000 | is a number where a date such as 2020-01-31 belongs",
                "timestamp | 1580428800.5 | is a number where a time",
                "date | 9/24/06 | does not begin with its year",
                "date | 24.09.2006 | does not begin with its year",
                "date | 2020-01-31 13:00:00 | register the column with the type timestamp",
                "date | 2020-02-31 | is not a date such as 2020-01-31",
                "timestamp | 24/09/2006 13:00 | does not begin with its year",
                "timestamp | noon | is not a time such as",
                "boolean | maybe | is not one of true/false",
            })
    void theFormOfARefusedValueIsNamed(String type, String text, String rule) {
        Column column = switch (type) {
            case "integer" -> new Column.Numeric("c", new Notation.Numbers(true, Grid.ONE), 0, 100, 0L);
            case "decimal" -> new Column.Numeric("c", new Notation.Numbers(false, Grid.ONE), 0, 100, 0L);
            case "date" -> new Column.Numeric("c", new Notation.Dates(), 0, 100, 0L);
            case "timestamp" -> new Column.Numeric("c", new Notation.Timestamps(Grid.ONE), 0, 100, 0L);
            default -> DatasetsForTests.truth("c", 0);
        };
        FieldReader reader = reader(column, 1);
        assertThat(read(reader, List.of(text))).containsExactly(REFUSED);
        assertThat(reader.rule()).contains(rule).doesNotContain(text.strip());
    }

    /** Times are remembered with many places for one column, and with no place, as where there are too many columns. */
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
            assertThat(read(substituting, texts))
                    .containsExactly("1", "100 clamped", REFUSED, "9 missing", "0 clamped", REFUSED);
        }
    }

    /** More times than are remembered come in any order and again; some are longer than a text that is remembered. */
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
