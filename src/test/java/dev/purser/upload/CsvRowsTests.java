package dev.purser.upload;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.dataset.Notation;
import dev.purser.privacy.Grid;
import dev.purser.privacy.PrivacyUnit;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.purser.dataset.DatasetsForTests.category;
import static dev.purser.dataset.DatasetsForTests.decimal;
import static dev.purser.dataset.DatasetsForTests.integer;
import static dev.purser.problem.Refusals.refusedAs;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class CsvRowsTests {
    private static final Dataset PEOPLE = DatasetsForTests.rows(
            "people", integer("age", 0, 125), decimal("hours", "0.25", 0, 400, 160L), category("sex", null, "F", "M"));
    private static final Dataset VISITS = DatasetsForTests.of(
            "visits",
            new PrivacyUnit.Column("user", 2, PrivacyUnit.IdType.TEXT),
            1_000_000,
            List.of(integer("n", 0, 1_000_000)));

    private static final Dataset NUMBERED = DatasetsForTests.of(
            "numbered",
            new PrivacyUnit.Column("user", 2, PrivacyUnit.IdType.INTEGER),
            1_000_000,
            List.of(integer("n", 0, 1_000_000)));

    /** The part of a file that was read. */
    private record Read(List<List<Long>> rows, List<String> units, long clamped) {}

    private static Read read(Dataset dataset, InputStream csv) throws IOException {
        InvalidData errors = new InvalidData();
        CsvRows rows = new CsvRows(
                dataset, OptionalInt.empty(), UploadFormat.CSV, csv, new RowFingerprint(List.of(new byte[32])), errors);
        List<List<Long>> values = new ArrayList<>();
        List<String> units = new ArrayList<>();
        while (rows.next()) {
            values.add(Arrays.stream(rows.values()).boxed().toList());
            units.add(new String(rows.unit(), 0, rows.unitLength(), UTF_8));
            assertThat(rows.rows()).isEqualTo(values.size());
        }
        errors.throwIfAny();
        return new Read(
                values,
                units,
                rows.clamped().stream().mapToLong(ClampedColumn::values).sum());
    }

    private static Read read(Dataset dataset, String csv) throws IOException {
        return read(dataset, new ByteArrayInputStream(csv.getBytes(UTF_8)));
    }

    private static ProblemException refusal(Dataset dataset, InputStream csv) {
        ProblemException refusal = refusedAs(ProblemType.INVALID_DATA, () -> read(dataset, csv));
        return refusal;
    }

    /** The errors of a file, without their details. */
    private static List<DataError> errors(Dataset dataset, String csv) throws IOException {
        InvalidData errors = new InvalidData();
        InputStream bytes = new ByteArrayInputStream(csv.getBytes(UTF_8));
        CsvRows rows = new CsvRows(dataset, OptionalInt.empty(), UploadFormat.CSV, bytes, null, errors);
        while (rows.next()) {
            continue;
        }
        return errors.listed();
    }

    /** The line and the column of the first error. */
    private static Map<String, Object> place(ProblemException refusal) {
        DataError first =
                (DataError) ((List<?>) Objects.requireNonNull(refusal.members().get("errors"))).getFirst();
        Map<String, Object> place = new TreeMap<>();
        if (first.line() != null) {
            place.put("line", first.line());
        }
        if (first.column() != null) {
            place.put("column", first.column());
        }
        return place;
    }

    private static ProblemException refusal(Dataset dataset, String csv) {
        return refusal(dataset, new ByteArrayInputStream(csv.getBytes(UTF_8)));
    }

    static Stream<Arguments> accepted() {
        return Stream.of(
                Arguments.of("age,hours,sex\n39,40,M\n", List.of(List.of(39L, 160L, 1L)), 0),
                Arguments.of("age,hours,sex\n39,40,M", List.of(List.of(39L, 160L, 1L)), 0),
                Arguments.of("age,hours,sex\r\n39,40,M\r\n", List.of(List.of(39L, 160L, 1L)), 0),
                Arguments.of("\uFEFFage,hours,sex\n39,40,M\n", List.of(List.of(39L, 160L, 1L)), 0),
                Arguments.of("\uFEFF\"age\",hours,sex\n39,40,M\n", List.of(List.of(39L, 160L, 1L)), 0),
                Arguments.of("age,hours,sex\n", List.of(), 0),
                Arguments.of("age,hours,sex", List.of(), 0),
                Arguments.of("age,hours,sex\n39,40,M\n\n", List.of(List.of(39L, 160L, 1L)), 0),
                Arguments.of("age,hours,sex\r\n39,40,M\r\n\r\n", List.of(List.of(39L, 160L, 1L)), 0),
                Arguments.of("age,hours,sex\n\n", List.of(), 0),
                Arguments.of("sex,x,hours,y,age\nF,,1,,2\n", List.of(List.of(2L, 4L, 0L)), 0),
                Arguments.of("x,age,hours,sex,x\n,1,1,F,", List.of(List.of(1L, 4L, 0L)), 0),
                Arguments.of(
                        "note,age,hours,sex\n\"a\"\"b,\r\nc\n\",\"7\",\"1\",\"M\"\n", List.of(List.of(7L, 4L, 1L)), 0),
                Arguments.of("note,age,hours,sex\nüñ漢😀,7,1,M\n", List.of(List.of(7L, 4L, 1L)), 0),
                Arguments.of(
                        "age,hours,sex\n7,,M\n8,NaN,F\n", List.of(List.of(7L, 160L, 1L), List.of(8L, 160L, 0L)), 0),
                Arguments.of(
                        "age,hours,sex\n-1,1e9,M\n126,-0.1,F\n9999999999999999999999,100,F\n",
                        List.of(List.of(0L, 400L, 1L), List.of(125L, 0L, 0L), List.of(125L, 400L, 0L)),
                        5));
    }

    @ParameterizedTest
    @MethodSource("accepted")
    void takesWhatIsWellFormed(String csv, List<List<Long>> rows, long clamped) throws Exception {
        Read read = read(PEOPLE, csv);
        assertThat(read.rows()).isEqualTo(rows);
        assertThat(read.clamped()).isEqualTo(clamped);
    }

    static Stream<Arguments> refused() {
        return Stream.of(
                Arguments.of("", 1, null),
                Arguments.of("\n", 1, null),
                Arguments.of("\r\nage,hours,sex\n", 1, null),
                Arguments.of("\uFEFF", 1, null),
                Arguments.of("age;hours;sex\n1;2;F\n", 1, null),
                Arguments.of("age\thours\tsex\n1\t2\tF\n", 1, null),
                Arguments.of("secret\n1\n", 1, "age"),
                Arguments.of("age;hours,sex\n1,2\n", 1, "age"),
                Arguments.of("\"age\";\"hours\";\"sex\"\n1;2;F\n", 1, null),
                Arguments.of("age,hours\n1,2\n", 1, "sex"),
                Arguments.of("age,hours,sex,age\n1,2,F,1\n", 1, "age"),
                Arguments.of("Age,hours,sex\n1,2,F\n", 1, "age"),
                Arguments.of("age, hours,sex\n1,2,F\n", 1, "hours"),
                Arguments.of("age,hours,sex\n1,2,F\n1,2\n", 3, null),
                Arguments.of("age,hours,sex\n1,2,F\n1,2,F,\n", 3, null),
                Arguments.of("age,hours,sex\n1,2,F\n\n\n", 3, null),
                Arguments.of("age,hours,sex\n1,2,F\n\n1,2,F\n", 3, null),
                Arguments.of("age,hours,sex\n1,2,F\n\"\"\n", 3, null),
                Arguments.of("age,hours,sex\nsecret,2\n", 2, null),
                Arguments.of("age,hours,sex\nsecret,2,F,9\n", 2, null),
                Arguments.of("age,hours,sex\n1,2,F\nsecret,2,F\n", 3, "age"),
                Arguments.of("age,hours,sex\nsecret,2,secret\n", 2, "age"),
                Arguments.of("sex,hours,age\nsecret,2,secret\n", 2, "age"),
                Arguments.of("age,hours,sex\n,2,F\n", 2, "age"),
                Arguments.of("age,hours,sex\n 1,2,F\n", 2, "age"),
                Arguments.of("age,hours,sex\n1.5,2,F\n", 2, "age"),
                Arguments.of("age,hours,sex\n1,2,f\n", 2, "sex"),
                Arguments.of("age,hours,sex\n1,2,\n", 2, "sex"),
                Arguments.of("age,hours,sex\n1,2, F\n", 2, "sex"),
                Arguments.of("note,age,hours,sex\n\"a\n\nb\",1,2,F\nx,secret,2,F\n", 5, "age"),
                Arguments.of("note,age,hours,sex\n\"a\r\nb\",secret,2,F\r\n", 2, "age"),
                Arguments.of("age,hours,sex\n1,2,\"F\n", 2, "sex"),
                Arguments.of("age,hours,sex\n1,2,\"F\"\"", 2, "sex"),
                Arguments.of("age,hours,sex\n1,2,\"", 2, "sex"),
                Arguments.of("age,hours,sex\n1,2,\"F\"x\n", 2, "sex"),
                Arguments.of("age,hours,sex\n1,2,\"F\" \n", 2, "sex"),
                Arguments.of("age,hours,sex\n1,2,F\"x\n", 2, "sex"),
                Arguments.of("age,hours,sex\n1,2,F\r1,2,F\n", 2, "sex"),
                Arguments.of("age,hours,sex\n1,2,F\r", 2, "sex"));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void refusesWhatIsNotWithLineAndColumnOnly(String csv, long line, @Nullable String column) {
        ProblemException refusal = refusal(PEOPLE, csv);
        Map<String, Object> expected = new TreeMap<>(Map.of("line", line));
        if (column != null) {
            expected.put("column", column);
        }
        assertThat(place(refusal)).isEqualTo(expected);
        // A name in the header is not a value.
        assertThat(csv.startsWith("secret") || !refusal.detail().contains("secret"))
                .isTrue();
    }

    @Test
    void saysThatAHeaderIsEmptyOrHasOtherSeparators() throws Exception {
        String empty = "line 1: the header is empty: the file must name its columns, in CSV separated by commas";
        String other = "line 1: the header is one column: a comma separates columns, no semicolon, tab or bar";
        assertThat(refusal(PEOPLE, "").detail()).isEqualTo(empty);
        assertThat(refusal(PEOPLE, "\n1,2,F\n").detail()).isEqualTo(empty);
        assertThat(refusal(PEOPLE, "age;hours;sex\n1;2;F\n").detail()).isEqualTo(other);
        assertThat(refusal(PEOPLE, "\"age;hours\"\n").detail()).isEqualTo(other);
        assertThat(refusal(PEOPLE, "age\thours\tsex\n").detail()).isEqualTo(other);
        assertThat(refusal(PEOPLE, "\"age\";\"hours\"\n").detail())
                .startsWith("line 1: text follows a closing quote, where only a comma or a line end may");
        Dataset odd = DatasetsForTests.rows("odd", integer("a;b", 0, 9));
        assertThat(read(odd, "a;b\n7\n").rows()).containsExactly(List.of(7L));
    }

    @Test
    void namesAccentsThatAreCharactersOfTheirOwn() throws Exception {
        String apart = "e\u0301tat";
        Dataset one = DatasetsForTests.rows("one", Column.Category.ofNames("\u00e9tat", List.of("\u00e9tat")));
        assertThat(refusal(one, apart + "\n\u00e9tat\n").detail()).contains("one whose accents are characters");
        assertThat(refusal(one, "\u00e9tat\n" + apart + "\n").detail())
                .contains("is a category whose accents are characters")
                .doesNotContain(apart);
        String marks = "\u0301\u0316".repeat(100_000);
        assertThat(refusal(one, "\u00e9tat\n" + marks + "\n").detail()).contains("the value is not");
    }

    private static String shown(List<DataError> errors) {
        return errors.stream()
                .map(error -> error.line() + " " + error.column() + ": "
                        + error.detail().replaceAll("[:;].*", ""))
                .collect(Collectors.joining("\n"));
    }

    @Test
    void tellsEverythingAtOnce() throws Exception {
        assertThat(shown(errors(PEOPLE, """
                        age,hours,sex
                        secret,2,secret
                        1,2
                        1,2,"F"secret
                        secret,"2
                        ",F
                        1,2,F
                        1,2,F,secret
                        1,2,X
                        1,2,"F
                        """))).isEqualTo("""
                        2 age: the value is not an integer
                        2 sex: the value is not one of the categories "F", "M"
                        3 null: the row does not have as many fields as the header, which has 3
                        4 sex: text follows a closing quote, where only a comma or a line end may
                        5 hours: the value has spaces around it
                        10 sex: a quoted field is not closed
                        5 age: the value is not an integer
                        8 null: the row does not have as many fields as the header, which has 3
                        9 sex: the value is not one of the categories "F", "M\"""");
        assertThat(shown(errors(NUMBERED, "user,n\n,x\nx,1\n1.5,\n"))).isEqualTo("""
                        2 n: the value is not an integer
                        2 user: the privacy unit is not an integer
                        4 n: the value is missing
                        3 user: the privacy unit is not an integer
                        4 user: the privacy unit is not an integer""");
    }

    @Test
    void blankLinesAndOtherSeparatorsBehindQuotesAreCalledWhatTheyAre() throws Exception {
        assertThat(shown(errors(PEOPLE, "age,hours,sex\n1,2,F\n\n1,2,F\n\n\n"))).isEqualTo("""
                        3 null: the line is blank
                        5 null: the line is blank""");
        for (String separator : List.of(";", "\t", " ; ")) {
            assertThat(errors(PEOPLE, "\"age\"%s\"hours\"%s\"sex\"\n1;2;F\n".replace("%s", separator)))
                    .singleElement()
                    .satisfies(error -> assertThat(error.detail()).contains("a comma separates columns, no semicolon"));
        }
    }

    /** The columns that the header has can still be told apart. */
    @Test
    void goesOnAfterAHeaderThatLacksColumnsOrRepeatsThem() throws Exception {
        assertThat(shown(errors(PEOPLE, "Age,sex,sex\nx,X,F\n1,F,X\n1,F\n"))).isEqualTo("""
                        1 sex: the header has this column more than once
                        1 age: the header does not have this column
                        1 hours: the header does not have this column
                        2 sex: the value is not one of the categories "F", "M"
                        4 null: the row does not have as many fields as the header, which has 3""");
    }

    @Test
    void namesTheHeadersThatThereAreAndTheNearest() throws Exception {
        assertThat(errors(PEOPLE, "Age,note,hours,sex\n"))
                .extracting(DataError::detail)
                .containsExactly("the header does not have this column; it has \"Age\", \"note\", \"hours\", \"sex\";"
                        + " the nearest is \"Age\"");
        assertThat(errors(VISITS, "user id;n\n").getFirst().detail()).contains("a comma separates columns");
        assertThat(errors(VISITS, ",user id,n" + ",column".repeat(20) + "\n")
                        .getFirst()
                        .detail())
                .startsWith("the header does not have this column; it has \"user id\", \"n\", \"column\"")
                .contains(" and 12 more");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "47,agf,secret",
                "secret,2024-01-02,x",
                "secret,12:30,x",
                "secret,$12,x",
                "secret,+49 30 1234,x",
                "secret@example.org,x,y",
                "secret,x,F"
            })
    void doesNotShowTheFirstLineOfAFileWithoutAHeader(String row) throws Exception {
        assertThat(errors(PEOPLE, row + "\n48,3,M\n"))
                .extracting(DataError::detail)
                .containsOnly("the header does not have this column: the first line must name the columns, and one of"
                        + " its fields looks like a value");
    }

    /** A registered name is not a value, whatever it looks like. */
    @Test
    void showsTheHeadersBesideANameThatLooksLikeAValue() throws Exception {
        Dataset years = DatasetsForTests.rows("years", integer("2024", 0, 1), category("sex", null, "F"));
        assertThat(errors(years, "2024,Sex\n").getFirst().detail()).contains("it has \"2024\", \"Sex\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1f8b0800 | the file is compressed with gzip",
                "28b52ffd24 | the file is compressed with zstd",
                "fd377a585a00 | the file is compressed with xz",
                "425a6839314159265359 | the file is compressed with bzip2",
                "504b0304140000 | the file is a zip archive, as .xlsx is",
                "d0cf11e0a1b11ae1 | the file is an old Office document",
                "5041523115001500 | the file is Parquet",
                "53514c6974652066 | the file is a database of SQLite",
                "4645413100000000 | the file is Arrow or Feather",
                "4152524f57310000 | the file is Arrow or Feather",
                "4f626a0104140000 | the file is Avro",
                "8004953a00000000 | the file is a pickle of Python's",
                "7b22616765223a31 | the file is JSON",
                "5b7b22616765223a | the file is JSON",
                "3c3f786d6c207665 | the file is a page or XML",
                "3c21444f43545950 | the file is a page or XML",
                "fffe61006700 | the file is UTF-16",
                "feff00610067 | the file is UTF-16",
                "610067006500 | the file is UTF-16",
                "006100670065 | the file is UTF-16",
                "fffe | the file is UTF-16",
                "fffe000061000000 | the file is UTF-32",
                "0000feff00000061 | the file is UTF-32"
            })
    void namesOtherFormats(String bytes, String rule) {
        InputStream file = new ByteArrayInputStream(HexFormat.of().parseHex(bytes));
        ProblemException refusal = refusal(PEOPLE, file);
        assertThat(place(refusal)).isEmpty();
        assertThat(refusal.detail()).startsWith(rule).contains(": ");
    }

    @Test
    void aHeaderMayBeginAsOtherFormatsDo() throws Exception {
        for (String name : List.of("PAR1", "PK", "BZh9", "BZh91AY")) {
            Dataset dataset = DatasetsForTests.rows("odd", integer(name, 0, 9));
            assertThat(read(dataset, name + "\n7\n").rows()).containsExactly(List.of(7L));
        }
    }

    @Test
    void countsTheRowsOfParquetAndNotTheirLines() throws Exception {
        InvalidData errors = new InvalidData();
        InputStream csv = new ByteArrayInputStream("note,age,sex\n\"a\nb\",1,F\nx,y,F\n".getBytes(UTF_8));
        CsvRows rows = new CsvRows(PEOPLE, OptionalInt.empty(), UploadFormat.PARQUET, csv, null, errors);
        while (rows.next()) {
            continue;
        }
        assertThat(shown(errors.listed()))
                .isEqualTo("null hours: the header does not have this column\n" + "2 age: the value is not an integer");
    }

    @Test
    void countsWhatIsClampedByColumnWhereAValueStandsUnderItsOwn() throws Exception {
        InvalidData errors = new InvalidData();
        InputStream csv =
                new ByteArrayInputStream("sex,hours,age\nF,101,126\nX,1,126\nF,101\nM,2,-1\nM,2,x\n".getBytes(UTF_8));
        CsvRows rows = new CsvRows(PEOPLE, OptionalInt.empty(), UploadFormat.CSV, csv, null, errors);
        while (rows.next()) {
            continue;
        }
        assertThat(rows.rows()).isEqualTo(5);
        assertThat(rows.clamped()).containsExactly(new ClampedColumn("age", 3), new ClampedColumn("hours", 1));
    }

    @Test
    void putsTimestampsOnTheirGridExactly() throws Exception {
        Grid grid = new Grid(new BigDecimal("0.3"));
        Column.Numeric seen = new Column.Numeric("seen", new Notation.Timestamps(grid), -1_000_000, 1_000_000, null);
        Random random = new Random(31);
        StringBuilder csv = new StringBuilder("seen\n");
        List<List<Long>> expected = new ArrayList<>();
        long clamped = 0;
        for (int i = 0; i < 5_000; i++) {
            // Every other value is halfway between two grid points or next to it.
            BigDecimal steps = BigDecimal.valueOf(2 * random.nextLong(-1_100_000, 1_100_000) + 1, 0);
            BigDecimal next = BigDecimal.valueOf(random.nextInt(-1, 2), 25);
            BigDecimal seconds = i % 2 == 0
                    ? steps.multiply(new BigDecimal("0.15")).add(next)
                    : BigDecimal.valueOf(random.nextLong(-400_000_000_000L, 400_000_000_000L), 6);
            BigDecimal whole = seconds.setScale(0, RoundingMode.FLOOR);
            csv.append(Instant.ofEpochSecond(whole.longValueExact()).toString().replace("Z", ""))
                    .append(seconds.subtract(whole).setScale(25).toPlainString().substring(1))
                    .append(i % 3 == 0 ? "\n" : i % 3 == 1 ? "Z\n" : "+00\n");
            long step = seconds.multiply(BigDecimal.TEN)
                    .divide(BigDecimal.valueOf(3), 0, RoundingMode.FLOOR)
                    .longValueExact();
            expected.add(List.of(Math.clamp(step, -1_000_000L, 1_000_000L)));
            clamped += step < -1_000_000 || step > 1_000_000 ? 1 : 0;
        }
        Read read = read(DatasetsForTests.rows("times", seen), csv.toString());
        assertThat(read.rows()).isEqualTo(expected);
        assertThat(read.clamped()).isEqualTo(clamped);
    }

    @Test
    void readsTruthInEverySpellingAndNothingElse() throws Exception {
        Dataset dataset = DatasetsForTests.rows("truths", DatasetsForTests.truth("smoker", null));
        List<String> truths = List.of("true", "TRUE", "T", "t", "Yes", "yes", "Y", "y", "1", "1.0");
        List<String> falsehoods = List.of("false", "False", "F", "f", "NO", "no", "N", "n", "0", "0.0");
        String csv = "smoker\n" + String.join("\n", truths) + "\n" + String.join("\n", falsehoods) + "\n";
        assertThat(read(dataset, csv).rows())
                .containsExactlyElementsOf(Stream.concat(
                                Collections.nCopies(truths.size(), List.of(1L)).stream(),
                                Collections.nCopies(falsehoods.size(), List.of(0L)).stream())
                        .toList());
        for (String other : List.of("2", "01", "tru", "on", " true", "\"\"", "null")) {
            assertThat(place(refusal(dataset, "smoker\n" + other + "\n")))
                    .isEqualTo(Map.of("line", 2L, "column", "smoker"));
        }
    }

    @Test
    void refusesBytesThatAreNotUtf8EvenWhereNothingIsStored() {
        byte[] csv = "note,age,hours,sex\nü,1,2,F\n#,1,2,F\n".getBytes(UTF_8);
        for (int i = 0; i < csv.length; i++) {
            csv[i] = csv[i] == '#' ? (byte) 0xFF : csv[i];
        }
        assertThat(place(refusal(PEOPLE, new ByteArrayInputStream(csv)))).isEqualTo(Map.of("line", 3L));
    }

    @Test
    void refusesMoreRowsThanAgreed() throws Exception {
        Dataset two = DatasetsForTests.of("two", new PrivacyUnit.Row(), 2, List.of(integer("n", 0, 9)));
        assertThat(place(refusal(two, "n\n1\n2\n3\n"))).isEqualTo(Map.of("line", 4L));
        assertThat(read(two, "n\n1\n2\n").rows()).hasSize(2);
    }

    @Test
    void refusesAnEndlessHeaderAndAnEndlessRow() {
        RepeatedText header = new RepeatedText("age,hours,sex", ",x");
        assertThat(place(refusal(PEOPLE, header))).isEqualTo(Map.of("line", 1L));
        assertThat(header.delivered()).isLessThan(1L << 20);
        RepeatedText row = new RepeatedText("age,hours,sex\n1,2,F", ",x");
        assertThat(place(refusal(PEOPLE, row))).isEqualTo(Map.of("line", 2L));
        assertThat(row.delivered()).isLessThan(1L << 20);
    }

    @Test
    void takesTenThousandColumnsAndNoMore() throws Exception {
        String names = ",x".repeat(CsvHeader.MAX_COLUMNS - 3);
        assertThat(read(PEOPLE, "age,hours,sex" + names + "\n1,1,F" + names + "\n")
                        .rows())
                .containsExactly(List.of(1L, 4L, 0L));
        assertThat(place(refusal(PEOPLE, "age,hours,sex" + names + ",x\n1,1,F" + names + ",x\n")))
                .isEqualTo(Map.of("line", 1L));
    }

    @Test
    void aUnitThatIsAnIntegerHasOneText() throws Exception {
        String digits = "1234567890".repeat(10_000);
        Read read = read(
                NUMBERED,
                "n,user\n1,1\n2,01\n3, 1\n4,\"+1  \"\n5,0001\n6,-7\n7,  -007\n8,0\n9,-0\n10,+000\n11," + digits
                        + "\n12,00" + digits + "\n13,-" + digits + "\n14,10\n");
        assertThat(read.units())
                .containsExactly(
                        "1", "1", "1", "1", "1", "-7", "-7", "0", "0", "0", digits, digits, "-" + digits, "10");
        assertThat(read(NUMBERED, "n,user\n1,30.0\n2,3e1\n3,30.\n4,-0.30e2\n5,0.0\n")
                        .units())
                .containsExactly("30", "30", "30", "-30", "0");
        assertThat(read(VISITS, "n,user\n1,1\n2,01\n3, 1\n4,1.0\n").units()).containsExactly("1", "01", " 1", "1.0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", " ", "1.5", "1e-1", "1e1000", "secret", "1 1", "- 1", "-", "+-1", "\t1", "0x1", "١", "\"1\n\""
            })
    void aUnitThatIsNoIntegerIsRefused(String field) {
        ProblemException refusal = refusal(NUMBERED, "user,n\n1,1\n" + field + ",1\n");
        assertThat(place(refusal)).isEqualTo(Map.of("line", 3L, "column", "user"));
        assertThat(refusal.detail()).startsWith("line 3, column user: the privacy unit is not an integer: ");
    }

    @Test
    void knowsTheUnitOfEachRow() throws Exception {
        String longer = "x".repeat(100_000);
        Read read = read(VISITS, "n,user\n1,ann\n2,\"b\"\"o,b\"\n3," + longer + "\n4,ü\n5,1.0\n");
        assertThat(read.units()).containsExactly("ann", "b\"o,b", longer, "ü", "1.0");
        assertThat(read.rows()).containsExactly(List.of(1L), List.of(2L), List.of(3L), List.of(4L), List.of(5L));
    }

    @Test
    void refusesAnEmptyUnit() {
        Map<String, Object> third = Map.of("line", 3L, "column", "user");
        assertThat(place(refusal(VISITS, "user,n\na,1\n,2\n"))).isEqualTo(third);
        assertThat(place(refusal(VISITS, "user,n\na,1\n\"\",2\n"))).isEqualTo(third);
        assertThat(place(refusal(VISITS, "n,user\n1,a\n2,\n"))).isEqualTo(third);
        assertThat(place(refusal(VISITS, "n\n1\n"))).isEqualTo(Map.of("line", 1L, "column", "user"));
        assertThat(place(refusal(VISITS, "user,n,user\na,1,b\n"))).isEqualTo(Map.of("line", 1L, "column", "user"));
    }

    @Test
    void readsRandomFilesAsAnOracleSays() throws Exception {
        Dataset dataset = DatasetsForTests.rows(
                "random",
                decimal("a", "0.5", -20, 20, 3L),
                category("b", 0, "x", "y,\"z\"", "ü\n"),
                integer("c", -5, 5));
        for (int seed = 0; seed < 50; seed++) {
            List<List<Long>> expected = new ArrayList<>();
            String csv = randomFile(new Random(seed), expected);
            assertThat(read(dataset, csv).rows()).as("seed %d", seed).isEqualTo(expected);
        }
    }

    private static String randomFile(Random random, List<List<Long>> expected) {
        StringBuilder csv = new StringBuilder(random.nextBoolean() ? "\uFEFF" : "");
        csv.append("c,junk,b,a").append(lineEnd(random));
        int rows = random.nextInt(400);
        for (int i = 0; i < rows; i++) {
            int c = random.nextInt(21) - 10;
            int b = random.nextInt(4);
            int quarters = random.nextInt(200) - 100;
            boolean missing = random.nextInt(10) == 0;
            List<String> fields = List.of(
                    Integer.toString(c),
                    List.of("", "a\"\n,", "\r\n", "日本").get(random.nextInt(4)),
                    List.of("x", "y,\"z\"", "ü\n", "unlisted").get(b),
                    missing ? "" : Double.toString(quarters / 4.0));
            csv.append(fields.stream().map(field -> quoted(random, field)).collect(Collectors.joining(",")));
            csv.append(i == rows - 1 && random.nextBoolean() ? "" : lineEnd(random));
            expected.add(List.of(
                    missing ? 3L : Math.clamp(Math.floorDiv(quarters + 1L, 2), -20L, 20L),
                    b == 3 ? 0L : b,
                    Math.clamp((long) c, -5L, 5L)));
        }
        return csv.toString();
    }

    private static String quoted(Random random, String field) {
        boolean needed = field.chars().anyMatch(c -> "\",\r\n".indexOf(c) >= 0);
        return needed || random.nextBoolean() ? '"' + field.replace("\"", "\"\"") + '"' : field;
    }

    private static String lineEnd(Random random) {
        return random.nextBoolean() ? "\n" : "\r\n";
    }
}
