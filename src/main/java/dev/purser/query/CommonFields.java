package dev.purser.query;

import dev.purser.dataset.Dataset;
import dev.purser.json.ObjectReader;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/**
 * The fields that every question has besides its allowance. A field that broke a rule is empty, and the violation is
 * noted. Questions open the fields only inside {@link ObjectReader#complete}.
 */
record CommonFields(Optional<BigDecimal> sentBeta, Optional<Where> sentWhere) {
    private static final BigDecimal LEAST_BETA = new BigDecimal("0.000000001");
    private static final BigDecimal MOST_BETA = new BigDecimal("0.999999999");
    private static final BigDecimal DEFAULT_BETA = new BigDecimal("0.05");

    /** The fields as the API describes them. */
    static final List<Field> FIELDS = List.of(
            Field.optional(
                            "beta",
                            new FieldType.NumberBetween(LEAST_BETA, MOST_BETA),
                            "The probability with which the accuracy statement may fail.")
                    .withDefault(DEFAULT_BETA),
            Where.FIELD);

    static CommonFields read(ObjectReader in, Dataset dataset) {
        Optional<BigDecimal> beta =
                in.has("beta") ? in.required("beta").decimal(LEAST_BETA, MOST_BETA) : Optional.of(DEFAULT_BETA);
        return new CommonFields(beta, Where.read(in, dataset));
    }

    BigDecimal beta() {
        return sentBeta.orElseThrow();
    }

    Where where() {
        return sentWhere.orElseThrow();
    }
}
