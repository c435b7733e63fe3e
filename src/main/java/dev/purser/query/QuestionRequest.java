package dev.purser.query;

import dev.purser.access.Principal;
import dev.purser.access.Role;
import dev.purser.dataset.Dataset;
import dev.purser.json.JsonDocument;
import dev.purser.json.JsonLimits;
import dev.purser.json.JsonValue.JsonObject;
import dev.purser.ledger.ChargeRequest;
import dev.purser.ledger.ChargeRequest.Writes;
import dev.purser.ledger.Refines;
import dev.purser.ledger.RequestIdentity;
import dev.purser.mechanism.Mechanism;
import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.PrivacyEvent;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request for an answer: the question, its canonical form, and whether an earlier answer will do.
 *
 * @param blocks the blocks that the question is about; null for a dataset without blocks
 * @param writes what the ledger may write for this request
 * @param refines the answer that is refined, for less than the charge of this question; null for an ordinary question
 */
public record QuestionRequest(
        Question<?> question,
        CanonicalQuestion canonical,
        @Nullable AskedBlocks blocks,
        Reuse reuse,
        Writes writes,
        @Nullable Refining refines) {
    /**
     * The refinement of an answer.
     *
     * @param queryId the id of the answer
     * @param charged the event that is charged, for the difference
     * @param tables the tables of the answer; null if it holds none
     */
    record Refining(String queryId, PrivacyEvent charged, RefinedQuestions.@Nullable HeldTables tables) {}

    /** More questions than this take more memory than is counted for a small request body. */
    private static final int MANY = 50;

    QuestionRequest(Question<?> question, CanonicalQuestion canonical, @Nullable AskedBlocks blocks, Reuse reuse) {
        this(
                question,
                canonical,
                blocks,
                reuse,
                Boolean.FALSE.equals(reuse.spend()) ? Writes.READER : Writes.DEBIT,
                null);
    }

    /** The same question as a refinement. */
    QuestionRequest refining(Refining refined) {
        return new QuestionRequest(question, canonical, blocks, reuse, writes, refined);
    }

    /** The query id of the first answer of the chain whose tables are refined; empty if no tables are refined. */
    Optional<String> first() {
        return Optional.ofNullable(refines).map(Refining::tables).map(RefinedQuestions.HeldTables::first);
    }

    /** The event that is charged. */
    PrivacyEvent charged() {
        return refines == null ? question.charged() : refines.charged();
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
        return new QuestionRequest(question, canonical, blocks, reuse, Writes.NOTHING, refines);
    }

    /** The blocks that the question is about; empty for a dataset without blocks. */
    public Optional<BlockWindow> window() {
        return Optional.ofNullable(blocks).map(AskedBlocks::window);
    }

    /**
     * The same question about the blocks that paid for it; empty if it cannot have been about them.
     *
     * @param paid empty if the account has no blocks
     */
    Optional<QuestionRequest> paidBy(Optional<BlockWindow> paid, Dataset dataset) {
        return paid.equals(window())
                ? Optional.of(this)
                : paid.filter(window -> blocks != null && blocks.canMean(window))
                        .map(window -> about(new AskedBlocks(window, true), dataset));
    }

    /** A request keeps its text, which is parsed here. Its tree would take five times the memory of its text. */
    private QuestionRequest about(AskedBlocks paid, Dataset dataset) {
        JsonObject own = (JsonObject)
                JsonDocument.parse(canonical.bytes(), JsonLimits.OWN).root();
        return JsonDocument.of(AskedBlocks.written(own, paid, dataset))
                .read(in -> question.kind().readAsked(in, dataset));
    }

    /** Whether the answers together take so much time or memory that they must not keep small questions waiting. */
    public static boolean isHeavy(List<QuestionRequest> requests) {
        return requests.size() > MANY || values(requests, Question.LARGE_WORKLOAD + 1) > Question.LARGE_WORKLOAD;
    }

    /**
     * About how many numbers the releases read or draw; at most the largest number.
     *
     * @param rows the count of numbers for a release that draws a number for every row
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

    /** The most rows that are read for questions. Rows of the same blocks are read once. */
    public static long rows(List<QuestionRequest> requests, Dataset dataset) {
        return requests.stream()
                .map(QuestionRequest::window)
                .distinct()
                .mapToLong(asked -> asked.map(dataset::part).orElse(dataset).maxRows())
                .sum();
    }

    /**
     * The request to the ledger. A question about blocks that are not ready is not charged. An earlier request may have
     * charged or answered it.
     */
    ChargeRequest charge(Dataset dataset, RequestIdentity identity, byte[] body) {
        boolean isReady = window().stream()
                .allMatch(asked -> dataset.ready().notReady(asked).isEmpty());
        return new ChargeRequest(
                dataset.account(),
                dataset.id(),
                refines == null ? question.kind().name() : RefinedQuestions.KIND,
                charged(),
                identity,
                body,
                canonical.form(),
                reuse.wanted() || writes != Writes.DEBIT ? reuse.maxAge() : null,
                isReady || writes == Writes.NOTHING ? writes : Writes.EARLIER,
                window().orElse(null),
                refines == null
                        ? null
                        : new Refines(refines.queryId(), question.allowance().epsilon()));
    }
}
