package dev.purser.query.web;

import dev.purser.ledger.BudgetLedger;
import dev.purser.ledger.StoredAnswer;
import dev.purser.query.ReusedAnswer;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.stereotype.Component;

/** Sends stored answers part by part. A client that reads slowly does not hold an answer in memory. */
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
        return List.of(MediaType.APPLICATION_JSON);
    }

    @Override
    public Object read(Class<?> type, HttpInputMessage message) {
        throw new UnsupportedOperationException("answers are only sent");
    }

    @Override
    public void write(Object answer, @Nullable MediaType mediaType, HttpOutputMessage message) throws IOException {
        message.getHeaders().setContentType(MediaType.APPLICATION_JSON);
        if (answer instanceof ReusedAnswer reused) {
            message.getHeaders().setContentLength(reused.length());
            message.getBody().write(reused.head());
            ledger.copy(reused.original(), reused.rest(), message.getBody());
        } else if (answer instanceof StoredAnswer stored) {
            message.getHeaders().setContentLength(stored.length());
            ledger.copy(stored, 0, message.getBody());
        }
    }
}
