package dev.purser.query;

import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import java.math.BigDecimal;
import java.util.Optional;

/** The field {@code beta} of a request: the probability with which its accuracy statement may fail. */
public final class Beta {
    private static final BigDecimal LEAST = new BigDecimal("0.000000001");
    private static final BigDecimal MOST = new BigDecimal("0.999999999");

    static final String NAME = "beta";

    /** Where none is sent. */
    public static final BigDecimal DEFAULT = new BigDecimal("0.05");

    /** The field as the API describes it. */
    public static final Field FIELD = Field.optional(
                    NAME,
                    new FieldType.NumberBetween(LEAST, MOST),
                    "The probability with which the accuracy statement may fail.")
            .withDefault(DEFAULT);

    private Beta() {}

    /** Whether a beta is within what may be sent. */
    public static boolean isPermitted(BigDecimal beta) {
        return beta.compareTo(LEAST) >= 0 && beta.compareTo(MOST) <= 0;
    }

    /** Reads the field, 0.05 by default; empty if it broke a rule. */
    public static Optional<BigDecimal> read(ObjectReader in) {
        return in.has(NAME) ? in.required(NAME).decimal(LEAST, MOST) : Optional.of(DEFAULT);
    }
}
