package dev.purser.http;

import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.AbstractHttpMessageConverter;

/**
 * Sends values of one type as CSV where a request asks for it. It never reads.
 *
 * @param <T> the type
 */
public abstract class CsvConverter<T> extends AbstractHttpMessageConverter<T> {
    private final Class<?> sent;

    protected CsvConverter(Class<?> sent) {
        super(CsvTable.MEDIA_TYPE);
        this.sent = sent;
    }

    /** Writes the header and the lines. */
    protected abstract void write(T value, OutputStream csv) throws IOException;

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
        write(value, message.getBody());
    }
}
