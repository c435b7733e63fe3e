package dev.purser.query.web;

import dev.purser.http.CsvTable;
import dev.purser.ledger.BudgetLedger;
import dev.purser.ledger.StoredAnswer;
import dev.purser.query.QuestionKind;
import dev.purser.query.QuestionKinds;
import dev.purser.query.ReusedAnswer;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.AbstractHttpMessageConverter;
import org.springframework.stereotype.Component;

/** Sends stored answers part by part, as JSON or CSV. A client that reads slowly does not hold one in memory. */
@Component
class AnswerWriter extends AbstractHttpMessageConverter<Object> {
    private final BudgetLedger ledger;

    AnswerWriter(BudgetLedger ledger) {
        super(MediaType.APPLICATION_JSON, CsvTable.MEDIA_TYPE);
        this.ledger = ledger;
    }

    @Override
    protected boolean supports(Class<?> type) {
        return type == StoredAnswer.class || type == ReusedAnswer.class;
    }

    @Override
    public boolean canRead(Class<?> type, @Nullable MediaType mediaType) {
        return false;
    }

    @Override
    protected Object readInternal(Class<?> type, HttpInputMessage message) {
        throw new UnsupportedOperationException("answers are only sent");
    }

    @Override
    protected void writeInternal(Object body, HttpOutputMessage message) throws IOException {
        StoredAnswer stored = body instanceof ReusedAnswer reused ? reused.original() : (StoredAnswer) body;
        if (CsvTable.MEDIA_TYPE.equals(message.getHeaders().getContentType())) {
            // The table has nothing of what distinguishes a reused answer.
            QuestionKinds.named(stored.kind())
                    .flatMap(QuestionKind::table)
                    .orElseThrow()
                    .render(ledger.open(stored, 0), message.getBody());
        } else if (body instanceof ReusedAnswer reused) {
            message.getHeaders().setContentLength(reused.length());
            message.getBody().write(reused.head());
            ledger.open(stored, reused.rest()).transferTo(message.getBody());
        } else {
            message.getHeaders().setContentLength(stored.length());
            ledger.open(stored, 0).transferTo(message.getBody());
        }
    }
}
