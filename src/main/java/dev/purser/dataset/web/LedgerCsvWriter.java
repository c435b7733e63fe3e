package dev.purser.dataset.web;

import dev.purser.json.CsvTable;
import dev.purser.json.Page;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.AbstractHttpMessageConverter;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Sends a page of the ledger, the one list that can be asked for as CSV. */
@Component
class LedgerCsvWriter extends AbstractHttpMessageConverter<Page<?>> {
    private static final CsvTable TABLE = new CsvTable(
            "/items",
            List.of(
                    "sequence",
                    "at",
                    "type",
                    "analyst",
                    "queryId",
                    "kind",
                    "requestHash",
                    "charge.epsilon",
                    "charge.delta",
                    "charge.rho",
                    "limitAfter.epsilon",
                    "limitAfter.delta",
                    "limitAfter.rho",
                    "spentAfter.epsilon",
                    "spentAfter.delta",
                    "spentAfter.rho",
                    "allotmentAfter.analyst",
                    "allotmentAfter.limit.epsilon",
                    "allotmentAfter.limit.delta",
                    "allotmentAfter.limit.rho",
                    "allotmentAfter.spent.epsilon",
                    "allotmentAfter.spent.delta",
                    "allotmentAfter.spent.rho",
                    "previousHash",
                    "hash"));

    private final JsonMapper json;

    LedgerCsvWriter(JsonMapper json) {
        super(CsvTable.MEDIA_TYPE);
        this.json = json;
    }

    @Override
    protected boolean supports(Class<?> type) {
        return type == Page.class;
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
    protected Page<?> readInternal(Class<? extends Page<?>> type, HttpInputMessage message) {
        throw new UnsupportedOperationException("pages are only sent");
    }

    @Override
    protected void writeInternal(Page<?> page, HttpOutputMessage message) throws IOException {
        message.getHeaders().setContentType(CsvTable.MEDIA_TYPE);
        TABLE.render(new ByteArrayInputStream(json.writeValueAsBytes(page)), message.getBody());
    }
}
