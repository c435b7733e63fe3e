package dev.purser.query;

import dev.purser.dataset.Dataset;
import dev.purser.json.ObjectReader;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import java.math.BigDecimal;
import java.util.Optional;

/**
 * The fields that every question has. Each is empty where it broke a rule, which is then noted: a question takes them apart
 * inside {@link ObjectReader#complete} only.
 */
record CommonFields(Optional<Epsilon> sentEpsilon, Optional<BigDecimal> sentBeta, Optional<Where> sentWhere) {
    /** The least epsilon of one question. */
    static final Epsilon LEAST_EPSILON = Epsilon.parse("0.000001");

    /** The most epsilon of one question. */
    static final Epsilon MOST_EPSILON = Epsilon.parse("100");

    private static final Delta MOST_DELTA = Delta.parse("0.01");
    private static final BigDecimal LEAST_BETA = new BigDecimal("0.000000001");
    private static final BigDecimal MOST_BETA = new BigDecimal("0.999999999");
    private static final BigDecimal DEFAULT_BETA = new BigDecimal("0.05");

    static CommonFields read(ObjectReader in, Dataset dataset) {
        Optional<Epsilon> epsilon = in.required("epsilon").epsilon(LEAST_EPSILON, MOST_EPSILON);
        in.optional("delta")
                .delta(Delta.ZERO, MOST_DELTA)
                .filter(sent -> !sent.equals(Delta.ZERO))
                .ifPresent(sent -> in.refuse(
                        "delta",
                        "delta must be 0 under the accountant \""
                                + dataset.registration().accountant() + "\", was " + sent));
        Optional<BigDecimal> beta =
                in.has("beta") ? in.required("beta").decimal(LEAST_BETA, MOST_BETA) : Optional.of(DEFAULT_BETA);
        return new CommonFields(epsilon, beta, Where.read(in, "where", dataset));
    }

    Epsilon epsilon() {
        return sentEpsilon.orElseThrow();
    }

    BigDecimal beta() {
        return sentBeta.orElseThrow();
    }

    Where where() {
        return sentWhere.orElseThrow();
    }
}
