package dev.purser.query.web;

import dev.purser.ledger.BudgetLedger;
import dev.purser.ledger.StoredAnswer;
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
class AnswerWriter implements HttpMessageConverter<StoredAnswer> {
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
        return type == StoredAnswer.class;
    }

    @Override
    public List<MediaType> getSupportedMediaTypes() {
        return List.of(MediaType.APPLICATION_JSON);
    }

    @Override
    public StoredAnswer read(Class<? extends StoredAnswer> type, HttpInputMessage message) {
        throw new UnsupportedOperationException("answers are only sent");
    }

    @Override
    public void write(StoredAnswer answer, @Nullable MediaType mediaType, HttpOutputMessage message)
            throws IOException {
        message.getHeaders().setContentType(MediaType.APPLICATION_JSON);
        message.getHeaders().setContentLength(answer.length());
        ledger.copy(answer, message.getBody());
    }
}
