package dev.purser.query;

import dev.purser.dataset.Dataset;
import dev.purser.json.ObjectReader;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/**
 * The fields that every question has besides what it may lose. Each is empty where it broke a rule, which is then noted: a
 * question takes them apart inside {@link ObjectReader#complete} only.
 */
record CommonFields(Optional<BigDecimal> sentBeta, Optional<Where> sentWhere) {
    private static final BigDecimal LEAST_BETA = new BigDecimal("0.000000001");
    private static final BigDecimal MOST_BETA = new BigDecimal("0.999999999");
    private static final BigDecimal DEFAULT_BETA = new BigDecimal("0.05");

    /** As the API describes them. */
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
