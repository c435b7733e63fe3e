package dev.purser.json;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.springframework.http.MediaType;

/**
 * A table inside a JSON document, which can be sent as CSV.
 *
 * @param rows the JSON pointer of an array of objects, one for each row
 * @param columns the fields of a row that are no objects, as paths with dots; they also are the header row
 */
public record CsvTable(String rows, List<String> columns) {
    /** The media type of CSV in produced types and in the API's description. */
    public static final String TYPE = "text/csv";

    /** The media type of CSV as it is sent. */
    public static final MediaType MEDIA_TYPE = new MediaType("text", "csv", StandardCharsets.UTF_8);

    /** Copies the columns. */
    public CsvTable {
        columns = List.copyOf(columns);
    }

    /** A stream that takes the bytes of such a document, in parts of any size, and writes its rows as CSV. */
    public OutputStream renderedTo(OutputStream csv) throws IOException {
        return new CsvRendering(this, csv);
    }
}
