package dev.purser.query;

import dev.purser.access.Principal;
import dev.purser.access.Role;
import dev.purser.dataset.Dataset;
import dev.purser.ledger.ChargeRequest;
import dev.purser.ledger.ChargeRequest.Writes;
import dev.purser.ledger.RequestIdentity;
import dev.purser.mechanism.Mechanism;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import java.util.List;

/**
 * A request for an answer: the question, its canonical form, and whether an earlier answer will do.
 *
 * @param writes what of it the ledger may write
 */
public record QuestionRequest(Question<?> question, CanonicalQuestion canonical, Reuse reuse, Writes writes) {
    /** More questions take more memory than is counted for a small body. */
    private static final int MANY = 50;

    QuestionRequest(Question<?> question, CanonicalQuestion canonical, Reuse reuse) {
        this(question, canonical, reuse, Boolean.FALSE.equals(reuse.spend()) ? Writes.READER : Writes.DEBIT);
    }

    /**
     * The same request, held to what its sender may do: a viewer spends nothing and leaves nothing behind.
     *
     * @throws ProblemException {@code forbidden} if a viewer asks to spend
     */
    public QuestionRequest sentBy(Principal sender) {
        if (sender.role() != Role.VIEWER) {
            return this;
        }
        if (Boolean.TRUE.equals(reuse.spend())) {
            throw ProblemException.of(
                    ProblemType.FORBIDDEN,
                    "a key with the role viewer spends nothing; \"spend\" must be false, was true");
        }
        return new QuestionRequest(question, canonical, reuse, Writes.NOTHING);
    }

    /** Whether the answers together take so much time or memory that they must not keep small questions waiting. */
    public static boolean isHeavy(List<QuestionRequest> requests) {
        return requests.size() > MANY || values(requests, Question.LARGE_WORKLOAD + 1) > Question.LARGE_WORKLOAD;
    }

    /**
     * About how many numbers the releases read or draw; at most the largest number.
     *
     * @param rows how many numbers a release counts for that draws for every row
     */
    public static long values(List<QuestionRequest> requests, long rows) {
        long values = 0;
        for (QuestionRequest each : requests) {
            long workload = each.question().mechanism().workload();
            long more = workload == Mechanism.EVERY_ROW ? rows : workload;
            values = more > Long.MAX_VALUE - values ? Long.MAX_VALUE : values + more;
        }
        return values;
    }

    /** What the ledger is asked for. */
    ChargeRequest charge(Dataset dataset, RequestIdentity identity, byte[] body) {
        return new ChargeRequest(
                dataset.account(),
                dataset.id(),
                question.kind().name(),
                question.charged(),
                identity,
                body,
                canonical.form(),
                reuse.wanted() || writes != Writes.DEBIT ? reuse.maxAge() : null,
                writes,
                null);
    }
}
