package dev.purser.upload.parquet;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * The corpus, which {@code corpus.py} beside it has written: which files are read, as which CSV, and which are refused.
 */
class ParquetToCsvTests {
    private static final Path CORPUS = Path.of("src/test/resources/parquet");

    private static List<Path> read() throws IOException {
        return files("read");
    }

    private static List<Path> columns() throws IOException {
        return files("refused/column");
    }

    private static List<Path> codecs() throws IOException {
        return files("refused/codec");
    }

    private static List<Path> files(String folder) throws IOException {
        try (Stream<Path> files = Files.list(CORPUS.resolve(folder))) {
            return files.filter(file -> file.toString().endsWith(".parquet"))
                    .sorted()
                    .toList();
        }
    }

    /** The part of the name before the first dot. */
    private static String stem(Path file) {
        return file.getFileName().toString().replaceFirst("\\..*", "");
    }

    @ParameterizedTest
    @MethodSource("read")
    void aFileBecomesTheCsvBesideIt(Path file) throws IOException, RefusedFileException {
        ByteArrayOutputStream csv = new ByteArrayOutputStream();
        ParquetToCsv.write(file, csv);
        assertThat(csv.toString(UTF_8)).isEqualTo(Files.readString(file.resolveSibling(stem(file) + ".csv")));
    }

    /** An empty last line would not be a row. */
    @Test
    void anEmptyFieldThatIsAloneIsQuoted() throws IOException {
        ByteArrayOutputStream csv = new ByteArrayOutputStream();
        CsvWriter writer = new CsvWriter(csv);
        for (List<String> record : List.of(List.of(""), List.of("", ""), List.of("x"), List.of("", "x"), List.of(""))) {
            for (String field : record) {
                writer.text(field.getBytes(UTF_8));
            }
            writer.endRecord();
        }
        writer.plain("");
        writer.endRecord();
        writer.flush();
        assertThat(csv.toString(UTF_8)).isEqualTo("\"\"\n,\nx\n,x\n\"\"\n\"\"\n");
    }

    @ParameterizedTest
    @MethodSource("columns")
    void aColumnThatHasNoTextIsRefusedByItsName(Path file) {
        RefusedFileException refusal = refusal(file);
        assertThat(refusal.status()).isEqualTo(ParquetToCsv.UNSUPPORTED_COLUMN);
        assertThat(refusal).hasMessage(stem(file));
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void aCodecThatIsNotReadIsRefused(Path file) {
        assertThat(refusal(file).status()).isEqualTo(ParquetToCsv.UNSUPPORTED_CODEC);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "chunk-lacks-a-value-age",
                "chunk-lacks-a-value-hours",
                "chunk-lacks-a-value-sex",
                "page-index-lacks-a-value",
                "groups-shift"
            })
    void aColumnThatLacksValuesIsNotFilledUp(String name) {
        Path file = CORPUS.resolve("refused/damaged").resolve(name + ".parquet");
        assertThatThrownBy(() -> ParquetToCsv.write(file, OutputStream.nullOutputStream()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("values");
    }

    private static RefusedFileException refusal(Path file) {
        ByteArrayOutputStream csv = new ByteArrayOutputStream();
        RefusedFileException refusal =
                catchThrowableOfType(RefusedFileException.class, () -> ParquetToCsv.write(file, csv));
        assertThat(refusal).as(file.toString()).isNotNull();
        assertThat(csv.size()).isZero();
        return refusal;
    }
}
