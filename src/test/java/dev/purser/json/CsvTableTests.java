package dev.purser.json;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class CsvTableTests {
    private static final CsvTable TABLE = new CsvTable("/answer/bins", List.of("name", "count", "interval.low"));
    private static final String HEADER = "name,count,interval.low\r\n";

    private static String csv(String json, int partLength) throws IOException {
        ByteArrayOutputStream csv = new ByteArrayOutputStream();
        byte[] bytes = json.getBytes(UTF_8);
        try (OutputStream rendered = TABLE.renderedTo(csv)) {
            for (int from = 0; from < bytes.length; from += partLength) {
                rendered.write(bytes, from, Math.min(partLength, bytes.length - from));
            }
        }
        return csv.toString(UTF_8);
    }

    @Test
    void hasOneLineForEachRowWhateverThePartsAre() throws IOException {
        String json = """
                {"bins":[{"name":"no"}],"question":{"bins":[{"name":1}],"edges":[[0],[1]]},"answer":{"of":"x","bins":[
                  {"name":"é😀","count":12345678901234567890123,"interval":{"low":-1.50}},
                  {"interval":{"low":1e-7},"count":null,"name":"b","unit":null},
                  {}, {"name":true,"count":-3}], "n":[{"name":"no"}]},"z":[1]}""";
        String expected = HEADER + "é😀,12345678901234567890123,-1.50\r\nb,,1e-7\r\n,,\r\ntrue,-3,\r\n";
        for (int partLength : List.of(1, 2, 3, 7, 64, 10_000)) {
            assertThat(csv(json, partLength)).isEqualTo(expected);
        }
        assertThat(csv("{\"answer\":{\"bins\":[]}}", 5)).isEqualTo(HEADER);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "=1+1 | '=1+1",
                "+a | '+a",
                "-1 | '-1",
                "@SUM(A1) | '@SUM(A1)",
                "\\ta | '~ta",
                "\\ra | \"'~ra\"",
                "=\\\"a\\\",1 | \"'=\"\"a\"\",1\"",
                "a=1 | a=1",
                "a,b | \"a,b\"",
                "\\\"a\\\" | \"\"\"a\"\"\"",
                "a\\nb | \"a~nb\"",
                "'=1 | '=1"
            })
    void aTextIsNeverAFormula(String sent, String cell) throws IOException {
        String expected = cell.replace("~t", "\t").replace("~r", "\r").replace("~n", "\n");
        assertThat(csv("{\"answer\":{\"bins\":[{\"name\":\"" + sent + "\",\"count\":-1}]}}", 100))
                .isEqualTo(HEADER + expected + ",-1,\r\n");
    }

    @Test
    void anEmptyTextIsNotLikeNone() throws IOException {
        assertThat(csv("{\"answer\":{\"bins\":[{\"name\":\"\"},{\"name\":null}]}}", 100))
                .isEqualTo(HEADER + "\"\",,\r\n,,\r\n");
    }

    @Test
    void everyFieldHasAColumn() {
        assertThatThrownBy(() -> csv("{\"answer\":{\"bins\":[{\"interval\":{\"high\":1}}]}}", 100))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("there is no column for the field interval.high");
    }
}
