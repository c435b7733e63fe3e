package dev.purser.query;

import dev.purser.access.Principal;
import dev.purser.dataset.Dataset;
import dev.purser.json.JsonDocument;
import dev.purser.json.JsonLimits;
import dev.purser.json.JsonValue;
import dev.purser.json.JsonValue.JsonObject;
import dev.purser.json.JsonValue.JsonString;
import dev.purser.ledger.AnswerFilter;
import dev.purser.ledger.AskedQuestion;
import dev.purser.ledger.BudgetLedger;
import dev.purser.ledger.RequestIdentity;
import dev.purser.ledger.StoredAnswer;
import dev.purser.ledger.view.StoredMember;
import dev.purser.privacy.Epsilon;
import dev.purser.problem.ProblemException;
import dev.purser.query.quote.QuoteRequest;
import dev.purser.store.Order;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Questions that were sent in another form and translated to the form of the API. They take the path of every question:
 * the canonical question is read, charged, stored and reused.
 */
@Service
public class TranslatedQuestions {
    /** The most stored answers that are compared with a question, the newest first. */
    private static final int MOST_LOOKED_AT = 1_000;

    private static final int PAGE = 100;

    /** The most epsilons that are returned. */
    private static final int MOST_EPSILONS = 10;

    /** The most bytes by which another epsilon makes the same question longer. */
    private static final int EPSILON_BYTES = 100;

    /** The most bytes of stored questions that are read. */
    private static final int MOST_BYTES = 1 << 23;

    private static final Set<String> QUESTION = Set.of("question");

    private final Asking asking;
    private final Quoting quoting;
    private final BudgetLedger ledger;
    private final JsonMapper json;

    public TranslatedQuestions(Asking asking, Quoting quoting, BudgetLedger ledger, JsonMapper json) {
        this.asking = asking;
        this.quoting = quoting;
        this.ledger = ledger;
        this.json = json;
    }

    /**
     * A question in the form of the API.
     *
     * @param fields the fields of the request, as values of JSON; numbers are of type {@code BigDecimal}
     */
    public record Translated(Dataset dataset, String kind, Map<String, Object> fields) {
        /** The same question with these fields added or replaced. */
        public Translated with(Map<String, Object> others) {
            Map<String, Object> more = new LinkedHashMap<>(fields);
            more.putAll(others);
            return new Translated(dataset, kind, more);
        }

        QuestionKind known() {
            return QuestionKinds.named(kind).orElseThrow();
        }
    }

    /**
     * The whole reply, as {@code POST /v1/datasets/{id}/queries/{kind}} returns it.
     *
     * @param operation method and path of the request, which differ from the API's paths of questions
     * @param request keeps the answer, for the log
     * @throws ProblemException as that path does
     */
    public JsonNode ask(Principal principal, Translated question, String operation, HttpServletRequest request) {
        byte[] body = json.writeValueAsBytes(question.fields());
        QuestionRequest asked = asked(question, body).sentBy(principal);
        RequestIdentity identity = new RequestIdentity(
                principal.name(), operation, UUID.randomUUID().toString());
        QueryRunner.Reply reply = asking.ask(principal, question.dataset(), asked, identity, body);
        request.setAttribute(StoredAnswer.class.getName(), reply.answer());
        return json.reader()
                .with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .readTree(bytes(reply));
    }

    private static QuestionRequest asked(Translated question, byte[] body) {
        return JsonDocument.parse(body).read(in -> question.known().readAsked(in, question.dataset()));
    }

    private byte[] bytes(QueryRunner.Reply reply) {
        try (InputStream in = reply instanceof QueryRunner.Reply.Reused(ReusedAnswer reused)
                ? new SequenceInputStream(
                        new ByteArrayInputStream(reused.head()), ledger.open(reused.original(), reused.rest()))
                : ledger.open(reply.answer(), 0)) {
            return in.readAllBytes();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static JsonObject read(byte[] document) {
        return (JsonObject) JsonDocument.parse(document, JsonLimits.OWN).root();
    }

    /**
     * What the question would be charged, as {@code POST /v1/datasets/{id}/quotes/{kind}} returns it.
     *
     * @throws ProblemException as that path does
     */
    public JsonNode quote(Principal principal, Translated question) {
        QuoteRequest read = JsonDocument.parse(json.writeValueAsBytes(question.fields()))
                .read(in -> QuoteRequest.read(in, question.dataset(), question.known()));
        return json.valueToTree(quoting.quote(principal, question.dataset(), read));
    }

    /**
     * The ten largest epsilons, descending, of the newest stored answers to this question, for any asker.
     *
     * @param question without its epsilon
     */
    public List<String> storedEpsilons(Translated question) {
        Translated sample = question.with(Map.of(AllowanceFields.EPSILON, "1"));
        QuestionRequest asked = asked(sample, json.writeValueAsBytes(sample.fields()));
        byte[] canonical = asked.canonical().bytes();
        Map<String, JsonValue> wanted = withoutEpsilon(read(canonical));
        AnswerFilter filter = new AnswerFilter(
                question.dataset().account(), question.dataset().id(), question.kind(), column(asked));
        TreeSet<Epsilon> epsilons = new TreeSet<>();
        int longest = canonical.length + EPSILON_BYTES;
        int most = Math.min(MOST_LOOKED_AT, MOST_BYTES / longest);
        long after = Order.DESC.beforeSequences();
        for (int looked = 0; looked < most; looked += PAGE) {
            List<AskedQuestion> page = ledger.answers(filter, Order.DESC, after, Math.min(PAGE, most - looked));
            for (AskedQuestion each : page) {
                after = each.sequence();
                stored(each.queryId(), longest)
                        .filter(stored -> withoutEpsilon(stored).equals(wanted))
                        .map(stored -> stored.members().get(AllowanceFields.EPSILON))
                        .ifPresent(epsilon -> epsilons.add(Epsilon.parse(((JsonString) epsilon).text())));
            }
            if (page.size() < PAGE) {
                break;
            }
        }
        return epsilons.descendingSet().stream()
                .limit(MOST_EPSILONS)
                .map(Epsilon::toString)
                .toList();
    }

    /** The question of a stored answer; empty if it is longer than {@code longest} bytes. */
    private Optional<JsonObject> stored(String queryId, int longest) {
        Bounded bytes = new Bounded(longest);
        try {
            json.writeValue(bytes, new StoredMember(ledger, queryId, QUESTION));
        } catch (JacksonException failure) {
            if (bytes.isExceeded) {
                return Optional.empty();
            }
            throw failure;
        }
        return Optional.of(read(bytes.written.toByteArray()));
    }

    /** Takes at most {@code most} bytes, and fails if more are written. */
    private static final class Bounded extends OutputStream {
        private final ByteArrayOutputStream written = new ByteArrayOutputStream();
        private final int most;
        private boolean isExceeded;

        Bounded(int most) {
            this.most = most;
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            isExceeded |= written.size() + count > most;
            if (isExceeded) {
                throw new IOException("it is longer than " + most + " bytes");
            }
            written.write(bytes, from, count);
        }
    }

    private static @Nullable String column(QuestionRequest asked) {
        return asked.canonical().form().columns().stream().findFirst().orElse(null);
    }

    private static Map<String, JsonValue> withoutEpsilon(JsonObject question) {
        Map<String, JsonValue> rest = new LinkedHashMap<>(question.members());
        rest.remove(AllowanceFields.EPSILON);
        return rest;
    }
}
