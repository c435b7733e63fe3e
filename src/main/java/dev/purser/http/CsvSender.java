package dev.purser.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sends values of one type as CSV that is made of their JSON.
 *
 * @param <T> the type
 */
public abstract class CsvSender<T> extends CsvConverter<T> {
    private final CsvTable table;
    private final JsonMapper json;

    /** @param table the table of the JSON that {@link #document} gives */
    protected CsvSender(Class<?> sent, CsvTable table, JsonMapper json) {
        super(sent);
        this.table = table;
        this.json = json;
    }

    /** The document that JSON would show; the table is made of it. */
    protected abstract Object document(T value);

    @Override
    protected final void write(T value, OutputStream csv) throws IOException {
        table.render(new ByteArrayInputStream(json.writeValueAsBytes(document(value))), csv);
    }
}
