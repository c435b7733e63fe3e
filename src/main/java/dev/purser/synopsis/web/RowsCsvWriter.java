package dev.purser.synopsis.web;

import dev.purser.http.CsvTable;
import dev.purser.synopsis.RowsView;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.AbstractHttpMessageConverter;
import org.springframework.stereotype.Component;

/** Sends invented rows as CSV, as they could be uploaded. */
@Component
class RowsCsvWriter extends AbstractHttpMessageConverter<RowsView> {
    RowsCsvWriter() {
        super(CsvTable.MEDIA_TYPE);
    }

    @Override
    protected boolean supports(Class<?> type) {
        return type == RowsView.class;
    }

    @Override
    public boolean canRead(Class<?> type, @Nullable MediaType mediaType) {
        return false;
    }

    @Override
    public boolean canWrite(Class<?> type, @Nullable MediaType mediaType) {
        return mediaType != null && super.canWrite(type, mediaType);
    }

    @Override
    protected RowsView readInternal(Class<? extends RowsView> type, HttpInputMessage message) {
        throw new UnsupportedOperationException("CSV is only sent");
    }

    @Override
    protected void writeInternal(RowsView rows, HttpOutputMessage message) throws IOException {
        message.getHeaders().setContentType(CsvTable.MEDIA_TYPE);
        OutputStream csv = message.getBody();
        CsvTable.write(rows.columns().stream().map(CsvTable::cell), csv);
        for (List<Object> row : rows.rows()) {
            CsvTable.write(row.stream().map(RowsCsvWriter::cell), csv);
        }
    }

    /** A number is no text, which a spreadsheet could take for a formula. */
    private static String cell(Object value) {
        return value instanceof BigDecimal number ? number.toPlainString() : CsvTable.cell(value.toString());
    }
}
