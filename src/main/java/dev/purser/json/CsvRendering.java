package dev.purser.json;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.TokenStreamContext;
import tools.jackson.core.async.ByteArrayFeeder;
import tools.jackson.core.json.JsonFactory;

/**
 * Renders a table of a JSON document as CSV (RFC 4180), while the bytes of the document arrive. It holds one row.
 *
 * <p>Numbers are written as they are. A text that a spreadsheet would take for a formula gets an apostrophe: one that
 * begins with {@code =}, {@code +}, {@code -}, {@code @}, a tab or a carriage return. An empty text is in quotation
 * marks; a field that is null or missing is empty.
 */
final class CsvRendering extends OutputStream {
    private static final JsonFactory FACTORY = new JsonFactory();
    private static final String BEGINS_FORMULAS = "=+-@\t\r";

    private final String rows;
    private final Map<String, Integer> columns = new HashMap<>();
    private final @Nullable String[] row;
    private final OutputStream csv;
    private final JsonParser parser = FACTORY.createNonBlockingByteArrayParser(ObjectReadContext.empty());
    private final ByteArrayFeeder feeder = (ByteArrayFeeder) parser.nonBlockingInputFeeder();
    private int depth;

    /** How deep the fields of a row are; 0 outside of the array of rows. */
    private int rowDepth;

    CsvRendering(CsvTable table, OutputStream csv) throws IOException {
        this.rows = table.rows();
        this.csv = csv;
        this.row = new String[table.columns().size()];
        for (String column : table.columns()) {
            columns.put(column, columns.size());
        }
        writeRow(table.columns());
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
        feeder.feedInput(bytes, from, from + count);
        for (JsonToken token = parser.nextToken();
                token != null && token != JsonToken.NOT_AVAILABLE;
                token = parser.nextToken()) {
            accept(token);
        }
    }

    private void accept(JsonToken token) throws IOException {
        switch (token) {
            case START_ARRAY -> {
                depth++;
                if (rowDepth == 0 && place(parser.streamReadContext()).equals(rows)) {
                    rowDepth = depth + 1;
                }
            }
            case START_OBJECT -> depth++;
            case END_OBJECT -> {
                if (depth == rowDepth) {
                    writeRow(Arrays.asList(row));
                    Arrays.fill(row, null);
                }
                depth--;
            }
            case END_ARRAY -> {
                depth--;
                if (depth < rowDepth - 1) {
                    rowDepth = 0;
                }
            }
            case VALUE_STRING -> fill(text(parser.getString()));
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT, VALUE_TRUE, VALUE_FALSE -> fill(parser.getString());
            case VALUE_NULL, PROPERTY_NAME -> {}
            case VALUE_EMBEDDED_OBJECT, NOT_AVAILABLE -> throw new IllegalStateException("not JSON: " + token);
        }
    }

    /** The place of the array or object that has just begun. */
    private static String place(TokenStreamContext begun) {
        return begun.getParent().pathAsPointer().toString();
    }

    private void fill(String cell) {
        if (rowDepth != 0) {
            String field = field(parser.streamReadContext(), depth - rowDepth);
            Integer column = columns.get(field);
            if (column == null) {
                throw new IllegalStateException("there is no column for the field " + field);
            }
            row[column] = cell;
        }
    }

    /** The path of the current field in its row, which is so many objects further out. */
    private static String field(TokenStreamContext object, int further) {
        String name = Objects.requireNonNull(object.currentName());
        return further == 0 ? name : field(object.getParent(), further - 1) + "." + name;
    }

    private static String text(String value) {
        String safe = !value.isEmpty() && BEGINS_FORMULAS.indexOf(value.charAt(0)) >= 0 ? "'" + value : value;
        boolean isPlain =
                !safe.isEmpty() && safe.chars().noneMatch(c -> c == ',' || c == '"' || c == '\r' || c == '\n');
        return isPlain ? safe : '"' + safe.replace("\"", "\"\"") + '"';
    }

    private void writeRow(List<? extends @Nullable String> cells) throws IOException {
        String line = cells.stream().map(cell -> cell == null ? "" : cell).collect(Collectors.joining(",", "", "\r\n"));
        csv.write(line.getBytes(StandardCharsets.UTF_8));
    }
}
