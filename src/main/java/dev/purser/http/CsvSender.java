package dev.purser.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.AbstractHttpMessageConverter;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sends values of one type as CSV where a request asks for it. It never reads.
 *
 * @param <T> the type
 */
public abstract class CsvSender<T> extends AbstractHttpMessageConverter<T> {
    private final Class<?> sent;
    private final CsvTable table;
    private final JsonMapper json;

    /** @param table the table of the JSON that {@link #document} gives */
    protected CsvSender(Class<?> sent, CsvTable table, JsonMapper json) {
        super(CsvTable.MEDIA_TYPE);
        this.sent = sent;
        this.table = table;
        this.json = json;
    }

    /** The document that JSON would show; the table is made of it. */
    protected abstract Object document(T value);

    @Override
    protected final boolean supports(Class<?> type) {
        return type == sent;
    }

    @Override
    public final boolean canRead(Class<?> type, @Nullable MediaType mediaType) {
        return false;
    }

    @Override
    public final boolean canWrite(Class<?> type, @Nullable MediaType mediaType) {
        return mediaType != null && super.canWrite(type, mediaType);
    }

    @Override
    protected final T readInternal(Class<? extends T> type, HttpInputMessage message) {
        throw new UnsupportedOperationException("CSV is only sent");
    }

    @Override
    protected final void writeInternal(T value, HttpOutputMessage message) throws IOException {
        message.getHeaders().setContentType(CsvTable.MEDIA_TYPE);
        table.render(new ByteArrayInputStream(json.writeValueAsBytes(document(value))), message.getBody());
    }
}
