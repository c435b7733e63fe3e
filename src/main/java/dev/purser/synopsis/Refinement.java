package dev.purser.synopsis;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.Source;
import dev.purser.digest.Sha256;
import dev.purser.http.Sent;
import dev.purser.json.JsonDocument;
import dev.purser.json.ObjectReader;
import dev.purser.json.Shape;
import dev.purser.mechanism.NoisySynopsis;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAllowance;
import dev.purser.problem.ProblemException;
import dev.purser.query.AllowanceFields;
import dev.purser.query.QuestionRequest;
import dev.purser.query.RefinedQuestions;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The request for a further purchase of the tables of a synopsis: its epsilon alone. */
public record Refinement(Epsilon epsilon) {
    /** The request body as the API describes it. */
    public static final Shape.ObjectOf FORM = new Shape.ObjectOf(
            "SynopsisRefinement",
            "",
            List.of(AllowanceFields.CHARGED.describedAs("The epsilon that is charged in addition.")));

    private static final tools.jackson.databind.ObjectReader EXACTLY =
            JsonMapper.shared().reader().with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    public static Optional<Refinement> read(ObjectReader in) {
        Optional<Epsilon> epsilon = in.read(AllowanceFields.CHARGED);
        return in.complete(() -> new Refinement(epsilon.orElseThrow()));
    }

    /**
     * Whether it buys the tables once more, with noise of its own. If not, the purchase is refined as any answer is:
     * both purchases together cost what the second costs alone.
     */
    public boolean isOnceMore(Dataset dataset) {
        return dataset.registration().accountant().allowance(epsilon, Delta.ZERO)
                instanceof PrivacyAllowance.Concentrated;
    }

    /** The same request, about the answer that is refined. */
    public RefinedQuestions.Wanted wanted() {
        return new RefinedQuestions.Wanted(epsilon, Optional.empty());
    }

    /**
     * The whole question, in JSON. It is kept with the debit, so that the service can answer it without its sender. It
     * has the digest of the sent bytes, because a retry has to send the same bytes.
     */
    public static byte[] question(Sent<Refinement> sent, Synopsis synopsis) {
        ObjectNode whole = (ObjectNode) EXACTLY.readTree(synopsis.question());
        whole.put(AllowanceFields.EPSILON, sent.value().epsilon().toString());
        whole.put(SynopsisQuery.REFINES.name(), synopsis.id());
        whole.put(SynopsisQuery.SENT.name(), Sha256.hexOf(sent.bytes()));
        return whole.toString().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Reads the whole question.
     *
     * @throws ProblemException {@code not-refinable} if the new tables cannot be combined with the synopsis
     */
    public static QuestionRequest asked(byte[] question, Synopsis synopsis) {
        if (!(synopsis.dataset().registration().source() instanceof Source.Upload)) {
            throw RefinedQuestions.refused("a synopsis of a table cannot be refined: its rows may have changed");
        }
        QuestionRequest asked =
                JsonDocument.parse(question).read(in -> SynopsisQuery.REFINEMENT.readAsked(in, synopsis.dataset()));
        if (!synopsis.purchases().stream().allMatch(Purchase::isGaussian)) {
            throw RefinedQuestions.refused(
                    "under the accountant zcdp only a synopsis with Gaussian noise can be refined; this one was"
                            + " bought for so little epsilon that it has Laplace noise");
        }
        if (!(asked.question().mechanism() instanceof NoisySynopsis more)
                || !more.isGaussian()
                || !more.columns().equals(synopsis.columns())) {
            throw RefinedQuestions.refused(
                    "tables of so little epsilon, or of another release of the service, have another form and"
                            + " cannot be combined; buy a new synopsis");
        }
        return asked;
    }
}
