package dev.purser.dataset.ingest;

import dev.purser.dataset.Column;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.dataset.Notation;
import dev.purser.dataset.parser.FieldFrames;
import dev.purser.dataset.parser.ParseUpload;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class RememberingTests {
    private static final Column DATE = new Column.Numeric("day", new Notation.Dates(), 0, 100, null);
    private static final Column LIST = DatasetsForTests.category("list", 1, "a", "b", "c", "x".repeat(60));

    private static List<String> read(Column column, int columns, List<String> texts) throws IOException {
        ByteArrayOutputStream frames = new ByteArrayOutputStream();
        ParseUpload.csv(new ByteArrayInputStream(String.join("\n", texts).getBytes(UTF_8)), frames);
        return readFrames(column, columns, frames.toByteArray());
    }

    private static List<String> readFrames(Column column, int columns, byte[] frames) throws IOException {
        Fields fields = new Fields(new FrameBuffer(new ByteArrayInputStream(frames)));
        FieldReader reader = FieldReader.of(column, columns);
        TextField field = new TextField();
        List<String> read = new ArrayList<>();
        while (fields.next()) {
            read.add(reader.read(field.set(fields.bytes(), fields.from(), fields.to()))
                    + (reader.clamped() ? " clamped" : ""));
        }
        return read;
    }

    /** With many places for one column, and with a single one, which all texts share. */
    @ParameterizedTest
    @ValueSource(ints = {1, 10_000_000})
    void whatIsRememberedIsWhatWasRead(int columns) throws IOException {
        String refused = String.valueOf(FieldReader.REFUSED);
        assertThat(read(
                        DATE,
                        columns,
                        List.of(
                                "1970-01-02",
                                "1970-01-02",
                                "1971-01-01",
                                "1971-01-01",
                                "x",
                                "x",
                                "1970-01-02",
                                "1969-01-01")))
                .containsExactly("1", "1", "100 clamped", "100 clamped", refused, refused, "1", "0 clamped");
        assertThat(read(
                        LIST,
                        columns,
                        List.of(
                                "a",
                                "c",
                                "a",
                                "a",
                                "?",
                                "?",
                                "b",
                                "x".repeat(60),
                                "x".repeat(60),
                                "y" + "x".repeat(59))))
                .containsExactly("0", "2", "0", "0", "1", "1", "1", "3", "3", "1");
    }

    /** Texts that differ in one byte, in length alone, or by a NUL at their end, of all lengths around those of machine words. */
    @ParameterizedTest
    @ValueSource(ints = {1, 10_000_000})
    void textsThatAreNearlyAlikeAreToldApart(int columns) throws IOException {
        List<String> texts = new ArrayList<>();
        for (int length = 1; length <= 45; length++) {
            String base = "a".repeat(length);
            texts.add(base);
            texts.add(base + "\0");
            for (int at = 0; at < length; at++) {
                texts.add(base.substring(0, at) + "b" + base.substring(at + 1));
            }
        }
        List<String> categories =
                texts.stream().filter(text -> !text.contains("\0")).limit(200).toList();
        Column column = DatasetsForTests.category("kind", null, categories.toArray(String[]::new));
        Random random = new Random(5);
        List<String> sent =
                random.ints(20_000, 0, texts.size()).mapToObj(texts::get).toList();
        List<String> expected = sent.stream()
                .map(text -> categories.contains(text) ? categories.indexOf(text) : FieldReader.REFUSED)
                .map(String::valueOf)
                .toList();
        assertThat(readFields(column, columns, sent)).isEqualTo(expected);
    }

    /** However their bytes lie in the buffer, also at its very end. */
    @Test
    void shortTextsAreToldApartWhereverTheyAre() throws IOException {
        List<String> letters = List.of("a", "b", "c", "ab", "ba", "cab");
        Column column = DatasetsForTests.category("letter", null, letters.toArray(String[]::new));
        Random random = new Random(6);
        List<Integer> expected = random.ints(300_000, 0, letters.size()).boxed().toList();
        List<String> sent = expected.stream().map(letters::get).toList();
        assertThat(readFields(column, 10_000_000, sent))
                .isEqualTo(expected.stream().map(String::valueOf).toList());
    }

    @Test
    void aClampedValueIsOneEachTime() throws IOException {
        List<String> days = List.of("1970-01-02", "1971-01-01", "1970-01-02", "1971-01-01", "1970-01-02");
        assertThat(read(DATE, 1, days)).containsExactly("1", "100 clamped", "1", "100 clamped", "1");
    }

    /** As a parser hands them over, which CSV could not hold. */
    private static List<String> readFields(Column column, int columns, List<String> texts) throws IOException {
        ByteArrayOutputStream frames = new ByteArrayOutputStream();
        for (String text : texts) {
            frames.write(FieldFrames.LAST_OF_RECORD | text.length());
            frames.write(text.getBytes(UTF_8));
        }
        frames.write(FieldFrames.CONTROL);
        frames.write(FieldFrames.END);
        return readFrames(column, columns, frames.toByteArray());
    }
}
