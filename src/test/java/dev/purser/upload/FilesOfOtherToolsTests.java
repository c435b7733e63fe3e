package dev.purser.upload;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.dataset.Notation;
import dev.purser.privacy.Grid;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * One table of two rows as pandas, R, spreadsheets and databases write it. The file is loaded, or its refusal says what
 * is wrong with it.
 */
class FilesOfOtherToolsTests {
    private static final Dataset TIDY = DatasetsForTests.rows(
            "tidy",
            new Column.Numeric("age", new Notation.Numbers(true, Grid.ONE), 0, 120, 0L),
            DatasetsForTests.decimal("weight", "0.1", 0, 2_000, 0L),
            new Column.Numeric("day", new Notation.Dates(), 18_262, 18_627, 18_262L),
            DatasetsForTests.category("sex", 2, "F", "M", "other"),
            DatasetsForTests.truth("smoker", 0));

    private static final List<Long> FIRST = List.of(34L, 725L, 18_292L, 0L, 1L);
    private static final List<Long> SECOND = List.of(61L, 805L, 18_321L, 1L, 0L);
    private static final List<Long> MISSING = List.of(0L, 0L, 18_262L, 2L, 0L);
    private static final String HEADER = "age,weight,day,sex,smoker\n";
    private static final String ROWS = "34,72.5,2020-01-31,F,true\n61,80.5,2020-02-29,M,false\n";

    private static String second(String age, String weight, String day, String sex, String smoker) {
        return HEADER + ROWS.lines().findFirst().orElseThrow() + "\n" + String.join(",", age, weight, day, sex, smoker)
                + "\n";
    }

    private static Stream<Arguments> loaded() {
        String quoted = """
                "age","weight","day","sex","smoker"
                """;
        return Stream.of(
                arguments("to_csv(index=False)", HEADER + ROWS),
                arguments("without a last line end", (HEADER + ROWS).strip()),
                arguments("a trailing blank line", HEADER + ROWS + "\n"),
                arguments("a trailing blank line, CRLF", (HEADER + ROWS + "\n").replace("\n", "\r\n")),
                arguments("spreadsheet: byte order mark and CRLF", "\uFEFF" + (HEADER + ROWS).replace("\n", "\r\n")),
                arguments("byte order mark and quotes", "\uFEFF" + quoted + ROWS),
                arguments("to_csv() with its index", "," + HEADER + "0," + ROWS.replace("\n61", "\n1,61")),
                arguments("an index of its own name", "id," + HEADER + "a7," + ROWS.replace("\n61", "\nb8,61")),
                arguments("QUOTE_ALL", quoted + """
                        "34","72.5","2020-01-31","F","true"
                        "61","80.5","2020-02-29","M","false"
                        """),
                arguments("QUOTE_NONNUMERIC", quoted + """
                        34,72.5,"2020-01-31","F","true"
                        61,80.5,"2020-02-29","M","false"
                        """),
                arguments("R: write.csv", "\"\"," + quoted + """
                        "1",34,72.5,2020-01-31,"F",TRUE
                        "2",61,80.5,2020-02-29,"M",FALSE
                        """),
                arguments("R: write.csv(row.names=FALSE)", quoted + """
                        34,72.5,2020-01-31,"F",TRUE
                        61,80.5,2020-02-29,"M",FALSE
                        """),
                arguments("Python's booleans", second("61", "80.5", "2020-02-29", "M", "False")),
                arguments("Excel's booleans", second("61", "80.5", "2020-02-29", "M", "FALSE")),
                arguments("booleans as 1 and 0", second("61", "80.5", "2020-02-29", "M", "0")),
                arguments("integers as floats", second("61.0", "80.5", "2020-02-29", "M", "false")),
                arguments("integers with two decimals", second("61.00", "80.50", "2020-02-29", "M", "false")),
                arguments("numbers with exponents", second("6.1e+01", "8.05E1", "2020-02-29", "M", "false")),
                arguments("numbers with signs and zeros", second("+061", "080.5", "2020-02-29", "M", "false")),
                arguments("a float that is not exact", second("61", "80.49999999999999", "2020-02-29", "M", "false")),
                arguments("datetime64", second("61", "80.5", "2020-02-29 00:00:00", "M", "false")),
                arguments(
                        "datetime64 with nanoseconds", second("61", "80.5", "2020-02-29 00:00:00.000000000", "M", "0")),
                arguments("isoformat()", second("61", "80.5", "2020-02-29T00:00:00", "M", "false")),
                arguments("R: format(POSIXct)", second("61", "80.5", "2020-02-29T00:00:00Z", "M", "false")),
                arguments("midnight in UTC", second("61", "80.5", "2020-02-29 00:00:00+00:00", "M", "false")),
                arguments("columns in another order", """
                        sex,smoker,age,note,weight,day
                        F,true,34,"a, b",72.5,2020-01-31
                        M,false,61,"said ""no"",
                        and left",80.5,2020-02-29
                        """),
                arguments(
                        "names of other columns that repeat",
                        "note,note,note.1," + HEADER + ",,," + ROWS.replace("\n6", "\n,,,6")),
                arguments("a comma at the end of each line", (HEADER + ROWS).replace("\n", ",\n")),
                arguments(
                        "names of other scripts beside",
                        "größe,\u0646\u0627\u0645\u200C\u0647\u0627," + HEADER + ",," + ROWS.replace("\n6", "\n,,6")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void loaded(String tool, String csv) throws IOException {
        assertThat(read(csv, UTF_8)).isEqualTo(List.of(FIRST, SECOND));
    }

    private static Stream<Arguments> missing() {
        return Stream.of("", "\"\"", "NA", "\"NA\"", "N/A", "NaN", "null", "NULL", "None", "\\N", ".", "?", "-")
                .map(Arguments::of);
    }

    @ParameterizedTest
    @MethodSource
    void missing(String spelling) throws IOException {
        assertThat(read(second(spelling, spelling, spelling, spelling, spelling), UTF_8))
                .isEqualTo(List.of(FIRST, MISSING));
    }

    private static Stream<Arguments> refused() {
        return Stream.of(
                arguments("semicolons", (HEADER + ROWS).replace(',', ';'), "a comma separates columns"),
                arguments("semicolons and quotes", "\"age\";\"weight\"\n34;72,5\n", "a comma separates columns"),
                arguments("tabs", (HEADER + ROWS).replace(',', '\t'), "a comma separates columns"),
                arguments("bars", (HEADER + ROWS).replace(',', '|'), "a comma separates columns"),
                arguments("Excel's line of the separator", "sep=,\n" + HEADER + ROWS, "remove the line"),
                arguments("Excel's line of another separator", "sep=;\n" + HEADER + ROWS, "remove the line"),
                arguments("R: write.table", "\"age\" \"weight\"\n\"1\" 34 72.5\n", "a comma separates columns"),
                arguments(
                        "a title above the header",
                        "Survey of 2020,,,,\n" + HEADER + ROWS,
                        "it has \"Survey of 2020\""),
                arguments("no header", ROWS, "the first line must name the columns"),
                arguments("blank lines at the end", HEADER + ROWS + "\n\n", "the line is blank: remove it"),
                arguments("a column without values", HEADER.replace("\n", ",x\n") + ROWS, "as many fields"),
                arguments("a line of totals", HEADER + ROWS + "Total,,,,\n", "the value is not an integer"),
                arguments(
                        "a comma at the end of rows",
                        HEADER + ROWS.replace("\n", ",\n"),
                        "as many fields as the header"),
                arguments("spaces after commas", second("61", " 80.5", "2020-02-29", "M", "false"), "spaces around it"),
                arguments(
                        "a space that does not break",
                        second("61\u00A0", "1", "2020-02-29", "M", "0"),
                        "spaces around it"),
                arguments("a decimal comma", second("61", "\"80,5\"", "2020-02-29", "M", "false"), "a decimal comma"),
                arguments("thousands", second("61", "\"1,180.5\"", "2020-02-29", "M", "false"), "between thousands"),
                arguments(
                        "a currency", second("61", "$80.5", "2020-02-29", "M", "false"), "the value is not a decimal"),
                arguments(
                        "a percentage",
                        second("61", "80.5%", "2020-02-29", "M", "false"),
                        "the value is not a decimal"),
                arguments("a fraction", second("61.5", "80.5", "2020-02-29", "M", "false"), "the value has a fraction"),
                arguments(
                        "the day first", second("61", "80.5", "29/02/2020", "M", "0"), "does not begin with its year"),
                arguments(
                        "points in the date",
                        second("61", "80.5", "29.02.2020", "M", "0"),
                        "does not begin with its year"),
                arguments("a short year", second("61", "80.5", "2/29/20", "M", "0"), "does not begin with its year"),
                arguments("the month in letters", second("61", "80.5", "29-Feb-20", "M", "0"), "2020-01-31"),
                arguments("Excel's number of a date", second("61", "80.5", "43890", "M", "0"), "2020-01-31"),
                arguments("a date without signs", second("61", "80.5", "20200229", "M", "0"), "2020-01-31"),
                arguments("a time of day", second("61", "80.5", "2020-02-29 10:30:00", "M", "0"), "type timestamp"),
                arguments("Excel's errors", second("#N/A", "80.5", "2020-02-29", "M", "0"), "missingSpellings"),
                arguments("pandas's integers", second("<NA>", "80.5", "2020-02-29", "M", "0"), "missingSpellings"),
                arguments("pandas's dates", second("61", "80.5", "NaT", "M", "0"), "missingSpellings"),
                arguments("numpy's text", second("61", "nan", "2020-02-29", "M", "0"), "missingSpellings"),
                arguments("infinity", second("61", "inf", "2020-02-29", "M", "0"), "the value is infinite"),
                arguments(
                        "single quotes", second("'61'", "80.5", "2020-02-29", "M", "0"), "the value is not an integer"),
                arguments("backslashes before quotes", HEADER + "34,1,2020-01-31,\"a\\\"b\",1\n", "double the quotes"),
                arguments("line ends of an old Mac", (HEADER + ROWS).replace('\n', '\r'), "end lines with LF or CRLF"),
                arguments("names in capitals", HEADER.toUpperCase() + ROWS, "the nearest is \"AGE\""),
                arguments("names with spaces", HEADER.replace(",", ", ") + ROWS, "the nearest is \" weight\""));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void refused(String tool, String csv, String reason) throws IOException {
        assertThat(errors(csv, UTF_8))
                .isNotEmpty()
                .anySatisfy(error -> assertThat(error.detail()).contains(reason));
    }

    private static Stream<Arguments> otherEncodings() {
        return Stream.of(
                arguments("\uFEFF" + HEADER + ROWS, UTF_16LE, "the file is UTF-16: send UTF-8"),
                arguments(
                        "größe," + HEADER + "1," + ROWS, ISO_8859_1, "the text is not UTF-8: save the file as UTF-8"));
    }

    @ParameterizedTest
    @MethodSource
    void otherEncodings(String csv, Charset charset, String reason) throws IOException {
        assertThat(errors(csv, charset)).extracting(DataError::detail).contains(reason);
    }

    private static List<List<Long>> read(String csv, Charset charset) throws IOException {
        List<List<Long>> read = new ArrayList<>();
        assertThat(errors(csv, charset, read)).isEmpty();
        return read;
    }

    private static List<DataError> errors(String csv, Charset charset) throws IOException {
        return errors(csv, charset, new ArrayList<>());
    }

    private static List<DataError> errors(String csv, Charset charset, List<List<Long>> read) throws IOException {
        InvalidData errors = new InvalidData();
        CsvRows rows = new CsvRows(
                TIDY,
                OptionalInt.empty(),
                UploadFormat.CSV,
                new ByteArrayInputStream(csv.getBytes(charset)),
                null,
                errors);
        while (rows.next()) {
            read.add(Arrays.stream(rows.values()).boxed().toList());
        }
        return errors.listed();
    }
}
