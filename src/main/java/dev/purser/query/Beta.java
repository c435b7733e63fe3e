package dev.purser.query;

import dev.purser.json.Field;
import dev.purser.json.FieldType;
import java.math.BigDecimal;

/** The field {@code beta} of a request: the probability with which its accuracy statement may fail. */
public final class Beta {
    private static final BigDecimal LEAST = new BigDecimal("0.000000001");
    private static final BigDecimal MOST = new BigDecimal("0.999999999");

    /** The beta of a request that sends none. */
    public static final BigDecimal DEFAULT = new BigDecimal("0.05");

    /** The field. */
    public static final Field<BigDecimal> FIELD = Field.optional(
                    "beta",
                    FieldType.number(LEAST, MOST),
                    "The probability with which the accuracy statement may fail.")
            .withDefault(DEFAULT);

    private Beta() {}

    /** Whether a beta is within what may be sent. */
    public static boolean isPermitted(BigDecimal beta) {
        return beta.compareTo(LEAST) >= 0 && beta.compareTo(MOST) <= 0;
    }
}
