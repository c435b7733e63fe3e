package dev.purser.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.http.MediaType;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * A table inside a JSON document, which can be sent as CSV (RFC 4180). A text that a spreadsheet would take for a
 * formula gets an apostrophe: a text that begins with {@code =}, {@code +}, {@code -}, {@code @}, a tab or a carriage
 * return. An empty text is in quotation marks. A field that is null or missing is empty.
 *
 * @param rows the JSON pointer of an array of objects, one for each row
 * @param columns fields of a row, as paths with dots, which also are the header row; an object or array is sent as JSON
 */
public record CsvTable(String rows, List<String> columns) implements CsvForm {
    /** The media type of CSV in produced types and in the API's description. */
    public static final String TYPE = "text/csv";

    /** The media type of CSV as it is sent. */
    public static final MediaType MEDIA_TYPE = new MediaType("text", "csv", StandardCharsets.UTF_8);

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private static final String BEGINS_FORMULAS = "=+-@\t\r";

    /** Copies the columns. */
    public CsvTable {
        columns = List.copyOf(columns);
    }

    @Override
    public void render(InputStream document, OutputStream csv) throws IOException {
        writeHeader(csv);
        try (JsonParser in = parser(document)) {
            enter(in, rows);
            while (in.nextToken() == JsonToken.START_OBJECT) {
                writeRow(in.readValueAsTree(), csv);
            }
        }
    }

    /** Writes the header row. */
    public void writeHeader(OutputStream csv) throws IOException {
        write(columns.stream(), csv);
    }

    /** Writes one row. */
    public void writeRow(JsonNode row, OutputStream csv) throws IOException {
        Map<String, String> cells = new TreeMap<>();
        collect("", row, cells);
        write(columns.stream().map(column -> cells.getOrDefault(column, "")), csv);
    }

    /** Reads a document token by token, every number with all its digits. */
    public static JsonParser parser(InputStream document) {
        return JSON.createParser(document);
    }

    /** Goes on to the beginning of the array at a JSON pointer. */
    public static void enter(JsonParser in, String pointer) {
        while (in.nextToken() != JsonToken.START_ARRAY || !place(in).equals(pointer)) {
            if (in.currentToken() == null) {
                throw new IllegalStateException("the document has no " + pointer);
            }
        }
    }

    /** The JSON pointer of the array that has just begun. */
    private static String place(JsonParser in) {
        return in.streamReadContext().getParent().pathAsPointer().toString();
    }

    private void collect(String prefix, JsonNode object, Map<String, String> cells) {
        Set<Map.Entry<String, JsonNode>> fields = object.properties();
        fields.forEach(field -> {
            String path = prefix + field.getKey();
            JsonNode value = field.getValue();
            if (value.isContainer() && columns.contains(path)) {
                cells.put(path, cell(value.toString()));
            } else if (value.isObject()) {
                collect(path + ".", value, cells);
            } else if (!value.isNull()) {
                if (!columns.contains(path)) {
                    throw new IllegalStateException("there is no column for the field " + path);
                }
                cells.put(path, cell(value));
            }
        });
    }

    /** A value as a cell. */
    public static String cell(JsonNode value) {
        return value.isNumber() ? value.decimalValue().toPlainString() : cell(value.asString());
    }

    /** A text as a cell. */
    public static String cell(String text) {
        boolean isFormula = !text.isEmpty() && BEGINS_FORMULAS.indexOf(text.charAt(0)) >= 0;
        String safe = isFormula ? "'" + text : text;
        boolean isPlain = !safe.isEmpty() && safe.chars().noneMatch(c -> ",\"\r\n".indexOf(c) >= 0);
        return isPlain ? safe : '"' + safe.replace("\"", "\"\"") + '"';
    }

    /** Writes a line. */
    public static void write(Stream<String> cells, OutputStream csv) throws IOException {
        csv.write(cells.collect(Collectors.joining(",", "", "\r\n")).getBytes(StandardCharsets.UTF_8));
    }
}
