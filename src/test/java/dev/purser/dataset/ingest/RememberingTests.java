package dev.purser.dataset.ingest;

import dev.purser.dataset.Column;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.dataset.Notation;
import dev.purser.dataset.parser.ParseUpload;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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
        Fields fields = new Fields(new ByteArrayInputStream(frames.toByteArray()));
        FieldReader reader = FieldReader.of(column, columns);
        List<String> read = new ArrayList<>();
        while (fields.next()) {
            read.add(reader.read(fields) + (reader.clamped() ? " clamped" : ""));
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
}
