package dev.purser.session;

import dev.purser.access.Principal;
import dev.purser.accounting.Accountant;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.VisibleDatasets;
import dev.purser.digest.Sha256;
import dev.purser.engine.DataEngines;
import dev.purser.http.Sent;
import dev.purser.journal.ChangedRow;
import dev.purser.json.JsonDocument;
import dev.purser.json.ParsedDocuments;
import dev.purser.ledger.Budget;
import dev.purser.ledger.BudgetLedger;
import dev.purser.ledger.ChargeRequest;
import dev.purser.ledger.CommittedDebit;
import dev.purser.ledger.RequestIdentity;
import dev.purser.mechanism.Buckets;
import dev.purser.mechanism.InteractiveSparseVector;
import dev.purser.mechanism.ScanState;
import dev.purser.mechanism.Sensitive;
import dev.purser.noise.SecureBits;
import dev.purser.privacy.BlockWindow;
import dev.purser.problem.FatalErrors;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.problem.Violation;
import dev.purser.query.AskedBlocks;
import dev.purser.query.ComparedStatistic;
import dev.purser.query.InFlight;
import dev.purser.query.Interval;
import dev.purser.query.ReleaseTimes;
import dev.purser.store.Order;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Service;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Opens threshold sessions and answers their questions. A session is an {@link InteractiveSparseVector}. Its state is
 * sealed and stored in the ledger's database.
 *
 * <p>A question takes the path of every question, without a charge of its own. The debit that pays for it is committed
 * before data is read. Its outcome is stored, with the state after it, before the outcome is sent. Questions of one
 * session are answered one at a time.
 *
 * <p>The blocks of a session are fixed at its opening, and each of its charges is made to all of them. Rows may arrive
 * in the blocks between two questions. {@code InteractiveSparseVector.md} says why the guarantee then holds.
 */
@Service
public class ThresholdSessions {
    /** The kind of its charges and interactions. */
    public static final String KIND = "threshold-session";

    /** How often a question is begun again because another instance of the service answered a question first. */
    private static final int ATTEMPTS = 100;

    private static final Logger LOG = LoggerFactory.getLogger(ThresholdSessions.class);

    private final VisibleDatasets datasets;
    private final Interactions interactions;
    private final BudgetLedger ledger;
    private final DataEngines engines;
    private final InFlight inFlight;
    private final ReleaseTimes times;
    private final SessionSettings.Open settings;
    private final JsonMapper json;
    private final ParsedDocuments<SessionDeclaration> declarations = new ParsedDocuments<>();

    public ThresholdSessions(
            VisibleDatasets datasets,
            Interactions interactions,
            BudgetLedger ledger,
            DataEngines engines,
            InFlight inFlight,
            ReleaseTimes times,
            SessionSettings settings,
            JsonMapper json) {
        this.datasets = datasets;
        this.interactions = interactions;
        this.ledger = ledger;
        this.engines = engines;
        this.inFlight = inFlight;
        this.times = times;
        this.settings = settings.sessions();
        this.json = json;
    }

    /** The stored bytes of an opening or an outcome. */
    public record Reply(String sessionId, byte[] body, boolean isReplayed) {}

    /**
     * Opens a session, or returns the session that the same request opened before.
     *
     * @throws ProblemException {@code validation-failed}, {@code budget-exhausted}, {@code dataset-not-ready} for
     *     blocks that are not ready, {@code idempotency-key-reused}, {@code too-many-requests}
     */
    public Reply open(Dataset dataset, RequestIdentity identity, Sent<SessionDeclaration> sent) {
        SessionDeclaration declaration = sent.value();
        byte[] body = sent.bytes();
        Budget budget = ledger.summary(dataset.account());
        boolean isUpfront = declaration.isPaidUpfront();
        Interactions.Opened opened = interactions.open(new Opening(
                KIND,
                dataset.account(),
                dataset.id(),
                identity,
                body,
                AskedBlocks.refusal(declaration.window().stream().toList(), dataset)
                        .orElse(null),
                isUpfront ? charge(dataset, declaration, identity, body) : null,
                isUpfront ? declaration.mechanism().begin(new SecureBits()).secretBytes() : null,
                declaration.terms().maxPositives(),
                settings.idle(),
                settings.maxOpen(),
                session -> json.writeValueAsBytes(SessionView.of(session, declaration, dataset, budget))));
        return new Reply(opened.interaction().id(), opened.interaction().reply(), !opened.isNew());
    }

    private SessionDeclaration declared(Interaction session, Dataset dataset) {
        SessionDeclaration known = declarations.find(session.id());
        return known != null
                ? known
                : declarations.parseAndRemember(
                        session.id(),
                        session.request(),
                        body -> JsonDocument.parse(body)
                                .read(in -> SessionDeclaration.read(in, asOpened(session, dataset))));
    }

    /** The dataset as the opening saw it: the latest blocks are the blocks that its reply names. */
    private Dataset asOpened(Interaction session, Dataset dataset) {
        return dataset.blocks()
                .map(blocks -> {
                    JsonNode shown = json.readTree(session.reply()).at("/declaration/" + AskedBlocks.FIELD.name());
                    return dataset.asOf(new BlockWindow(
                            blocks.named(shown.get("from").asString()).orElseThrow(),
                            blocks.named(shown.get("to").asString()).orElseThrow()));
                })
                .orElse(dataset);
    }

    private static ChargeRequest charge(
            Dataset dataset, SessionDeclaration declaration, RequestIdentity identity, byte[] body) {
        return new ChargeRequest(
                dataset.account(),
                dataset.id(),
                KIND,
                declaration.charge(),
                identity,
                body,
                null,
                null,
                ChargeRequest.Writes.DEBIT,
                declaration.window().orElse(null));
    }

    /**
     * A session, of which only what never changes may be read. It is shown to its opener while the dataset is granted,
     * and to administrators.
     *
     * @throws ProblemException {@code not-found} if the principal sees none with this id
     */
    public Interaction visible(Principal principal, String id) {
        return interactions
                .named(id)
                .filter(session -> session.kind().equals(KIND))
                .filter(session -> datasets.showsAnswer(
                        principal, session.principal().equals(principal.name()), session.datasetId()))
                .orElseThrow(() -> ProblemException.of(ProblemType.NOT_FOUND, "there is no such threshold session"));
    }

    /** A session as it is now. The result may not be durable yet. */
    public Interaction latest(Interaction session) {
        return interactions.named(session.id()).orElseThrow();
    }

    /** A session as it is now. The result is durable. */
    public Interaction present(Interaction session) {
        return interactions.find(session, 0).interaction();
    }

    /** A session as it is now. */
    public SessionView view(Principal principal, Interaction session) {
        return shown(present(session), datasets.requireEvenDeleted(principal, session.datasetId()));
    }

    /** A session as it was read. */
    public SessionView shown(Interaction session, Dataset dataset) {
        return SessionView.of(session, declared(session, dataset), dataset, ledger.summary(dataset.account()));
    }

    /** A principal's sessions on a dataset that come after an id in this order. */
    public List<Interaction> list(Dataset dataset, String principal, Order order, String after, int limit) {
        return interactions.list(KIND, dataset.id(), principal, order, after, limit);
    }

    /** Closes a session. Its charges stay. */
    public void delete(Interaction session) {
        interactions.close(session, "deleted");
    }

    /** The outcomes after a sequence number. */
    public List<StoredStep> steps(Interaction session, long after, int limit) {
        return interactions.steps(session, after, limit);
    }

    @Scheduled(fixedDelayString = "PT1M")
    void closeExpired() {
        try {
            interactions.closeExpired();
        } catch (RuntimeException | Error failure) {
            FatalErrors.check(failure);
            LOG.error(
                    "expired sessions could not be closed: {}",
                    failure.getClass().getName());
        }
    }

    /**
     * Answers a question, or returns the outcome that was stored for its sequence number.
     *
     * @param session as {@link #visible} found it
     * @throws ProblemException {@code not-found} if the dataset is not visible; {@code session-closed};
     *     {@code validation-failed} for a gap in the sequence, a number of another question, or a question outside of
     *     the declaration; {@code dataset-not-ready} if the question is new; {@code budget-exhausted} if the next
     *     instance cannot be paid, and the session stays open; {@code internal-error} if the stored session is not the
     *     session that was charged
     */
    public Reply ask(Principal principal, Interaction session, Sent<SessionQuestion> sent) {
        Dataset dataset = datasets.requireEvenDeleted(principal, session.datasetId());
        long maxRows = declared(session, dataset)
                .window()
                .map(dataset::part)
                .orElse(dataset)
                .maxRows();
        try (ReleaseTimes.Departure departure = times.departure(List.of(KIND), maxRows)) {
            return step(principal, session, sent);
        }
    }

    private Reply step(Principal principal, Interaction session, Sent<SessionQuestion> sent) {
        long sequence = sent.value().sequence();
        return inFlight.alone(new RequestIdentity(session.principal(), KIND, session.id()), () -> {
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                Interactions.Found found = interactions.find(session, sequence);
                if (found.step().isPresent()) {
                    return replayed(session, found.step().orElseThrow(), sent);
                }
                Interaction now = found.interaction();
                requireNext(now, sequence);
                Dataset dataset = datasets.requireReady(principal, session.datasetId());
                // The state is opened first, because it is bound to the declaration.
                Optional<ScanState> begun = now.hasBegun()
                        ? Optional.of(ScanState.ofSecretBytes(interactions.secret(now)))
                        : Optional.empty();
                SessionDeclaration declaration = declared(now, dataset);
                requirePaid(found, declaration, dataset);
                ComparedStatistic question = sent.value().read(declaration, dataset);
                ScanState state = begun.orElseGet(() -> declaration.mechanism().begin(new SecureBits()));
                Optional<Reply> reply = (found.debit().isPresent()
                                ? Optional.of(found)
                                : pay(now, declaration, dataset, sent, state))
                        .flatMap(paid -> answer(paid, state, declaration, dataset, question, sent));
                if (reply.isPresent()) {
                    return reply.orElseThrow();
                }
            }
            throw unavailable();
        });
    }

    private static Reply replayed(Interaction session, StoredStep step, Sent<SessionQuestion> sent) {
        if (!step.isFor(Sha256.of(sent.bytes()))) {
            throw ProblemException.validation(Violation.atPointer(
                    "/sequence",
                    "sequence " + sent.value().sequence()
                            + " was used by a question with another body; send the next question"
                            + " with the next number"));
        }
        return new Reply(session.id(), step.body(), true);
    }

    private static void requireNext(Interaction session, long sequence) {
        if (!session.isOpen()) {
            throw ProblemException.of(
                            ProblemType.SESSION_CLOSED,
                            "The session is closed: " + session.closedBecause() + ". Open another one.")
                    .with("closedBecause", String.valueOf(session.closedBecause()));
        }
        long next = session.steps() + 1;
        if (sequence != next) {
            throw ProblemException.validation(
                    Violation.atPointer("/sequence", "sequence must be " + next + ", the next one, was " + sequence));
        }
    }

    /** Requires that the debit that pays for the next question was charged for this declaration, at its price. */
    private static void requirePaid(Interactions.Found found, SessionDeclaration declaration, Dataset dataset) {
        String id = found.interaction().id();
        Optional<CommittedDebit> debit = found.debit();
        boolean isItsOwn = declaration.isPaidUpfront()
                == debit.map(CommittedDebit::queryId).equals(Optional.of(id));
        Accountant accountant = dataset.registration().accountant();
        boolean isPrice = debit.stream()
                .allMatch(paid -> paid.paysFor(declaration.charge(), accountant)
                        && paid.blocks().equals(declaration.window()));
        if (!isItsOwn || !isPrice) {
            throw ChangedRow.refused(KIND + " " + id, "what pays for it was not charged for it");
        }
    }

    /** Charges the next instance and stores the noisy threshold that it begins with, in one transaction. */
    private Optional<Interactions.Found> pay(
            Interaction session,
            SessionDeclaration declaration,
            Dataset dataset,
            Sent<SessionQuestion> sent,
            ScanState state) {
        RequestIdentity identity = new RequestIdentity(
                session.principal(),
                "POST /v1/threshold-sessions/" + session.id() + "/queries",
                String.valueOf(sent.value().sequence()));
        Budget budget = ledger.summary(dataset.account());
        return interactions.pay(
                session,
                charge(dataset, declaration, identity, sent.bytes()),
                state.secretBytes(),
                settings.idle(),
                paid -> json.writeValueAsBytes(SessionView.of(paid, declaration, dataset, budget)));
    }

    private Optional<Reply> answer(
            Interactions.Found found,
            ScanState state,
            SessionDeclaration declaration,
            Dataset dataset,
            ComparedStatistic question,
            Sent<SessionQuestion> sent) {
        long sequence = sent.value().sequence();
        Interaction session = found.interaction();
        CommittedDebit debit = found.debit().orElseThrow();
        try {
            Sensitive<List<Buckets>> exact = engines.serving(dataset).collect(debit, dataset, question.requests());
            InteractiveSparseVector.Reply reply = declaration
                    .mechanism()
                    .ask(
                            state,
                            question.statistic(),
                            declaration.stepFactor(question),
                            dataset.neighborhood(),
                            exact,
                            new SecureBits());
            int left = declaration.mechanism().positivesLeft(reply.next());
            String closed = closedBecause(left, sequence, declaration);
            Instant expiresAt = interactions.expiry(settings.idle());
            byte[] body = json.writeValueAsBytes(view(declaration, sequence, reply, left, closed, expiresAt));
            NextStep step = new NextStep(
                    Sha256.of(sent.bytes()),
                    body,
                    closed == null ? reply.next().secretBytes() : null,
                    left,
                    reply.above() && !declaration.isPaidUpfront(),
                    expiresAt,
                    closed);
            return interactions.commit(session, step).map(stored -> new Reply(session.id(), body, false));
        } catch (RuntimeException | Error failure) {
            FatalErrors.check(failure);
            // Every failure gives the same response: an error is an output. The message could contain a value.
            LOG.error(
                    "question {} of session {} could not be answered: {}",
                    sequence,
                    session.id(),
                    failure.getClass().getName());
            throw unavailable();
        }
    }

    private static @Nullable String closedBecause(int left, long sequence, SessionDeclaration declaration) {
        if (left == 0) {
            return "positives";
        }
        return declaration.terms().maxQueries().isPresent()
                        && sequence >= declaration.terms().maxQueries().getAsInt()
                ? "maxQueries"
                : null;
    }

    private static StepView view(
            SessionDeclaration declaration,
            long sequence,
            InteractiveSparseVector.Reply reply,
            int left,
            @Nullable String closed,
            Instant expiresAt) {
        SessionDeclaration.Terms terms = declaration.terms();
        Interval interval = reply.valueSteps()
                .flatMap(value -> declaration
                        .mechanism()
                        .intervalHalfWidthSteps()
                        .map(half -> new Interval(terms.shown(value.subtract(half)), terms.shown(value.add(half)))))
                .orElse(null);
        return new StepView(
                sequence,
                reply.above() ? "ABOVE" : "BELOW",
                reply.valueSteps().map(terms::shown).orElse(null),
                interval,
                reply.gapSteps().map(terms::shown).orElse(null),
                left,
                closed == null ? "open" : "closed",
                closed,
                closed == null ? expiresAt : null,
                terms.maxQueries().isPresent() ? null : declaration.accuracy(sequence));
    }

    private static ProblemException unavailable() {
        return ProblemException.of(
                ProblemType.TEMPORARILY_UNAVAILABLE,
                "the session could not answer now; send the same question with the same sequence number again:"
                        + " it is charged nothing more");
    }
}
