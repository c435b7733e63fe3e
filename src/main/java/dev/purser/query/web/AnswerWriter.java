package dev.purser.query.web;

import dev.purser.json.CsvTable;
import dev.purser.ledger.BudgetLedger;
import dev.purser.ledger.StoredAnswer;
import dev.purser.query.QuestionKind;
import dev.purser.query.QuestionKinds;
import dev.purser.query.ReusedAnswer;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.stereotype.Component;

/** Sends stored answers part by part, as JSON or CSV. A client that reads slowly does not hold one in memory. */
@Component
class AnswerWriter implements HttpMessageConverter<Object> {
    private final BudgetLedger ledger;

    AnswerWriter(BudgetLedger ledger) {
        this.ledger = ledger;
    }

    @Override
    public boolean canRead(Class<?> type, @Nullable MediaType mediaType) {
        return false;
    }

    @Override
    public boolean canWrite(Class<?> type, @Nullable MediaType mediaType) {
        return type == StoredAnswer.class || type == ReusedAnswer.class;
    }

    @Override
    public List<MediaType> getSupportedMediaTypes() {
        return List.of(MediaType.APPLICATION_JSON, CsvTable.MEDIA_TYPE);
    }

    @Override
    public Object read(Class<?> type, HttpInputMessage message) {
        throw new UnsupportedOperationException("answers are only sent");
    }

    @Override
    public void write(Object body, @Nullable MediaType mediaType, HttpOutputMessage message) throws IOException {
        StoredAnswer stored = body instanceof ReusedAnswer reused ? reused.original() : (StoredAnswer) body;
        if (CsvTable.MEDIA_TYPE.equals(mediaType)) {
            // The table has nothing of what distinguishes a reused answer.
            CsvTable table = QuestionKinds.named(stored.kind())
                    .flatMap(QuestionKind::table)
                    .orElseThrow();
            message.getHeaders().setContentType(mediaType);
            ledger.copy(stored, 0, table.renderedTo(message.getBody()));
            return;
        }
        message.getHeaders().setContentType(MediaType.APPLICATION_JSON);
        if (body instanceof ReusedAnswer reused) {
            message.getHeaders().setContentLength(reused.length());
            message.getBody().write(reused.head());
            ledger.copy(stored, reused.rest(), message.getBody());
        } else {
            message.getHeaders().setContentLength(stored.length());
            ledger.copy(stored, 0, message.getBody());
        }
    }
}
