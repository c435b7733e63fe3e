package dev.purser.synopsis.web;

import dev.purser.dataset.ColumnValue;
import dev.purser.http.CsvTable;
import dev.purser.query.AggregateKey;
import dev.purser.synopsis.FreeAnswer;
import dev.purser.synopsis.TableView;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.AbstractHttpMessageConverter;
import org.springframework.stereotype.Component;

/** Sends a table of a synopsis as CSV, a line for each cell. */
@Component
class TableCsvWriter extends AbstractHttpMessageConverter<TableView> {
    TableCsvWriter() {
        super(CsvTable.MEDIA_TYPE);
    }

    @Override
    protected boolean supports(Class<?> type) {
        return type == TableView.class;
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
    protected TableView readInternal(Class<? extends TableView> type, HttpInputMessage message) {
        throw new UnsupportedOperationException("CSV is only sent");
    }

    @Override
    protected void writeInternal(TableView table, HttpOutputMessage message) throws IOException {
        message.getHeaders().setContentType(CsvTable.MEDIA_TYPE);
        OutputStream csv = message.getBody();
        CsvTable.write(table.headers().stream().map(CsvTable::cell), csv);
        for (FreeAnswer.Cell cell : table.cells()) {
            CsvTable.write(
                    Stream.concat(
                            cell.key().stream().flatMap(TableCsvWriter::place),
                            Stream.of(
                                            cell.count(),
                                            cell.interval().low(),
                                            cell.interval().high())
                                    .map(BigDecimal::toPlainString)),
                    csv);
        }
    }

    private static Stream<String> place(AggregateKey.Value value) {
        return value.category() != null
                ? Stream.of(CsvTable.cell(value.category()))
                : Stream.of(value.lower(), value.upper())
                        .map(Objects::requireNonNull)
                        .map(TableCsvWriter::number);
    }

    /** A number is no text, which a spreadsheet could take for a formula. */
    private static String number(ColumnValue value) {
        return value.json() instanceof BigDecimal ? value.toString() : CsvTable.cell(value.toString());
    }
}
