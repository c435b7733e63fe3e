package dev.purser.http;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static dev.purser.json.JsonText.quoted;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class CsvTableTests {
    private static final CsvTable TABLE = new CsvTable("/answer/bins", List.of("name", "count", "interval.low"));
    private static final String HEADER = "name,count,interval.low\r\n";

    private static String csv(String json) throws IOException {
        ByteArrayOutputStream csv = new ByteArrayOutputStream();
        TABLE.render(new ByteArrayInputStream(json.getBytes(UTF_8)), csv);
        return csv.toString(UTF_8);
    }

    @Test
    void hasOneLineForEachRow() throws IOException {
        String json = """
                {"bins":[{"name":"no"}],"question":{"bins":[{"name":1}],"edges":[[0],[1]]},"answer":{"of":"x","bins":[
                  {"name":"é😀","count":12345678901234567890123,"interval":{"low":-1.50}},
                  {"interval":{"low":1e-7},"count":null,"name":"b","unit":null},
                  {}, {"name":true,"count":-3}], "n":[{"name":"no"}]},"z":[1]}""";
        String expected = HEADER + "é😀,12345678901234567890123,-1.50\r\nb,,0.0000001\r\n,,\r\ntrue,-3,\r\n";
        assertThat(csv(json)).isEqualTo(expected);
        assertThat(csv(quoted("{'answer':{'bins':[]}}"))).isEqualTo(HEADER);
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
        String expected = cell.replace("~t", "\t").replace("~r", "\r").replace("~n", "\n") + ",-1,\r\n";
        assertThat(csv("""
                {"answer":{"bins":[{"name":"%s","count":-1}]}}""".formatted(sent))).isEqualTo(HEADER + expected);
    }

    @Test
    void anEmptyTextIsNotLikeNone() throws IOException {
        assertThat(csv("""
                {"answer":{"bins":[{"name":""},{"name":null}]}}""")).isEqualTo(HEADER + "\"\",,\r\n,,\r\n");
    }

    @Test
    void everyFieldHasAColumn() {
        assertThatThrownBy(() -> csv(quoted("{'answer':{'bins':[{'interval':{'high':1}}]}}")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("there is no column for the field interval.high");
    }
}
