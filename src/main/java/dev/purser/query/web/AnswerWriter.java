package dev.purser.query.web;

import dev.purser.admission.AdmissionControl;
import dev.purser.http.CsvTable;
import dev.purser.http.LongReplies;
import dev.purser.ledger.BudgetLedger;
import dev.purser.ledger.StoredAnswer;
import dev.purser.query.AnswerRefinements;
import dev.purser.query.PlanAnswers;
import dev.purser.query.QueryRunner;
import dev.purser.query.QuestionKind;
import dev.purser.query.QuestionKinds;
import dev.purser.query.ReusedAnswer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.AbstractHttpMessageConverter;
import org.springframework.stereotype.Component;

/** Sends stored answers part by part, as JSON or CSV. A slow client does not keep a whole answer in memory. */
@Component
class AnswerWriter extends AbstractHttpMessageConverter<Object> {
    private static final byte[] ITEMS = "{\"items\":[".getBytes(StandardCharsets.UTF_8);
    private static final byte[] END = "]}".getBytes(StandardCharsets.UTF_8);

    /** A longer answer is sent in turn. */
    private static final int SHORT_BYTES = 1 << 16;

    private final BudgetLedger ledger;
    private final LongReplies replies;

    AnswerWriter(BudgetLedger ledger, LongReplies replies) {
        super(MediaType.APPLICATION_JSON, CsvTable.MEDIA_TYPE);
        this.ledger = ledger;
        this.replies = replies;
    }

    private void awaitTurn(long length) {
        if (length > SHORT_BYTES) {
            replies.begin(AdmissionControl.ANSWER_BYTES);
        }
    }

    @Override
    protected boolean supports(Class<?> type) {
        return type == StoredAnswer.class || type == ReusedAnswer.class || type == PlanAnswers.class;
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
        if (body instanceof PlanAnswers plan) {
            write(plan, message);
            return;
        }
        StoredAnswer stored = body instanceof ReusedAnswer reused ? reused.original() : (StoredAnswer) body;
        awaitTurn(stored.length());
        if (CsvTable.MEDIA_TYPE.equals(message.getHeaders().getContentType())) {
            // The table has none of the fields in which a reused answer differs from the stored answer.
            QuestionKinds.named(AnswerRefinements.kindOf(stored))
                    .flatMap(QuestionKind::table)
                    .orElseThrow()
                    .render(ledger.open(stored, 0), message.getBody());
        } else {
            message.getHeaders()
                    .setContentLength(body instanceof ReusedAnswer reused ? reused.length() : stored.length());
            write(body, message.getBody());
        }
    }

    private void write(PlanAnswers plan, HttpOutputMessage message) throws IOException {
        List<Object> items = plan.items().stream().map(AnswerWriter::body).toList();
        long length = ITEMS.length + END.length + items.size() - 1L;
        for (Object item : items) {
            length += item instanceof ReusedAnswer reused ? reused.length() : ((StoredAnswer) item).length();
        }
        awaitTurn(length);
        message.getHeaders().setContentLength(length);
        OutputStream out = message.getBody();
        out.write(ITEMS);
        for (int i = 0; i < items.size(); i++) {
            if (i > 0) {
                out.write(',');
            }
            write(items.get(i), out);
        }
        out.write(END);
    }

    private static Object body(QueryRunner.Reply reply) {
        return reply instanceof QueryRunner.Reply.Reused(ReusedAnswer reused) ? reused : reply.answer();
    }

    private void write(Object answer, OutputStream out) throws IOException {
        if (answer instanceof ReusedAnswer reused) {
            out.write(reused.head());
            ledger.open(reused.original(), reused.rest()).transferTo(out);
        } else {
            ledger.open((StoredAnswer) answer, 0).transferTo(out);
        }
    }
}
