package dev.purser.dataset;

import dev.purser.accounting.Accountant;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.json.Shape;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.PrivacyEvent;
import dev.purser.problem.ProblemException;
import dev.purser.problem.Violation;
import java.util.List;
import java.util.Optional;

/** Reads {@code {"epsilon", "delta"}} as the limit of a registration, an account or an allotment. */
public final class LimitReader {
    /** The least epsilon of one question, and of a limit. */
    private static final Epsilon LEAST_EPSILON = Epsilon.parse("0.000001");

    private static final Field<Epsilon> EPSILON = Field.required(
            "epsilon",
            FieldType.epsilon(LEAST_EPSILON, Accountant.MOST_EPSILON),
            LEAST_EPSILON + " to " + Accountant.MOST_EPSILON
                    + ", at most 9 fraction digits; under zcdp converted to rho.",
            "3");
    private static final Field<Delta> DELTA = Field.optional(
            "delta",
            FieldType.delta(Accountant.MOST_DELTA),
            "0 under pure; above 0 and at most " + Accountant.MOST_DELTA + " under zcdp; 0 to " + Accountant.MOST_DELTA
                    + " under approximate. By default 0.",
            "0");

    /** The body that sets a limit, as the API describes it. */
    public static final Shape.ObjectOf FORM = new Shape.ObjectOf("Limit", EPSILON, DELTA);

    /** The object of a registration, as the API describes it. */
    static final Shape.ObjectOf BUDGET = new Shape.ObjectOf(
            "BudgetRegistration",
            "The most that all answers together may spend, for ever.",
            List.of(
                    EPSILON.describedAs("0.000001 to 1,000,000, at most 9 fraction digits."),
                    DELTA.describedAs("0 under the accountant `pure`, above 0 under `zcdp`, at most 0.01.")
                            .withDefault(Delta.ZERO, "0")));

    /** Examples: of a dataset, and of an analyst's part of it. */
    public static final String HIGHER = """
            {"epsilon": "6", "delta": "0"}""";

    public static final String PART = """
            {"epsilon": "1"}""";

    private LimitReader() {}

    /** Reads the limit as it is declared. */
    static Optional<PrivacyAmount> declared(ObjectReader in, Optional<Accountant> accountant) {
        Optional<Epsilon> epsilon = in.read(EPSILON);
        Delta delta = in.read(DELTA).orElse(Delta.ZERO);
        accountant
                .filter(known -> !known.deltaOfLimit().permits(delta))
                .ifPresent(known -> in.refuse(
                        DELTA,
                        "delta " + known.deltaOfLimit().text() + " under the accountant \"" + known.name() + "\", was "
                                + delta));
        return in.complete(() -> new PrivacyAmount(epsilon.orElseThrow(), delta));
    }

    /**
     * Reads the limit in the units of an account with this accountant.
     *
     * @throws ProblemException {@code validation-failed} as {@link #inUnits}
     */
    public static Optional<PrivacyAmount> limit(ObjectReader in, Accountant accountant) {
        return declared(in, Optional.of(accountant)).map(declared -> inUnits(declared, accountant, ""));
    }

    /**
     * Converts a declared limit to the units of the account. The limit has to cover a question of the least epsilon,
     * because under {@code zcdp} a small limit can convert to zero rho.
     *
     * @param pointer the JSON pointer of the object that declares the limit
     * @throws ProblemException {@code validation-failed} if it does not cover such a question
     */
    static PrivacyAmount inUnits(PrivacyAmount declared, Accountant accountant, String pointer) {
        PrivacyAmount limit = accountant.limit(declared.epsilon(), declared.delta());
        PrivacyEvent cheapest = accountant.allowance(LEAST_EPSILON, Delta.ZERO).event();
        if (!accountant.charge(cheapest).fitsWithin(limit)) {
            throw ProblemException.validation(Violation.atPointer(
                    pointer + "/epsilon",
                    "epsilon must cover a question of epsilon " + LEAST_EPSILON + " under the accountant \""
                            + accountant.name() + "\", was " + declared.epsilon() + " with delta "
                            + declared.delta()));
        }
        return limit;
    }
}
