package dev.purser.query;

import dev.purser.accounting.Accountant;
import dev.purser.dataset.Dataset;
import dev.purser.json.ObjectReader;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAllowance;
import java.math.BigDecimal;
import java.util.Optional;

/**
 * The fields that every question has. Each is empty where it broke a rule, which is then noted: a question takes them apart
 * inside {@link ObjectReader#complete} only.
 */
record CommonFields(
        Optional<PrivacyAllowance> sentAllowance, Optional<BigDecimal> sentBeta, Optional<Where> sentWhere) {
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
        Accountant accountant = dataset.registration().accountant();
        Optional<Delta> delta = in.optional("delta").delta(Delta.ZERO, MOST_DELTA);
        delta.filter(sent -> !accountant.deltaOfQuestion().permits(sent))
                .ifPresent(sent -> in.refuse(
                        "delta",
                        "delta " + accountant.deltaOfQuestion().text() + " under the accountant \"" + accountant.name()
                                + "\", was " + sent));
        Optional<BigDecimal> beta =
                in.has("beta") ? in.required("beta").decimal(LEAST_BETA, MOST_BETA) : Optional.of(DEFAULT_BETA);
        return new CommonFields(
                epsilon.map(known -> accountant.allowance(known, delta.orElse(Delta.ZERO))),
                beta,
                Where.read(in, "where", dataset));
    }

    PrivacyAllowance allowance() {
        return sentAllowance.orElseThrow();
    }

    Epsilon epsilon() {
        return allowance().epsilon();
    }

    BigDecimal beta() {
        return sentBeta.orElseThrow();
    }

    Where where() {
        return sentWhere.orElseThrow();
    }
}
