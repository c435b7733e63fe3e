package dev.purser.dataset;

import dev.purser.accounting.Accountant;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
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

    /** The body that sets a limit, as the API describes it. */
    public static final FieldType.ObjectOf FORM = new FieldType.ObjectOf(
            "Limit",
            "",
            List.of(
                    Field.required(
                                    "epsilon",
                                    FieldType.TEXT,
                                    LEAST_EPSILON + " to " + Accountant.MOST_EPSILON
                                            + ", at most 9 fraction digits; under zcdp" + " converted to rho.")
                            .withExample("3"),
                    Field.optional(
                                    "delta",
                                    FieldType.TEXT,
                                    "0 under pure; above 0 and at most " + Accountant.MOST_DELTA + " under zcdp; 0 to "
                                            + Accountant.MOST_DELTA + " under approximate. By default 0.")
                            .withExample("0")));

    /** The object of a registration, as the API describes it. */
    static final FieldType.ObjectOf BUDGET = new FieldType.ObjectOf(
            "BudgetRegistration",
            "The most that all answers together may spend, for ever.",
            List.of(
                    Field.required("epsilon", FieldType.TEXT, "0.000001 to 1,000,000, at most 9 fraction digits.")
                            .withExample("3"),
                    Field.optional(
                                    "delta",
                                    FieldType.TEXT,
                                    "0 under the accountant `pure`, above 0 under `zcdp`, at most 0.01.")
                            .withDefault("0")));

    /** Examples: of a dataset, and of an analyst's part of it. */
    public static final String HIGHER = """
            {"epsilon": "6", "delta": "0"}""";

    public static final String PART = """
            {"epsilon": "1"}""";

    private LimitReader() {}

    /** Reads the limit as it is declared. */
    static Optional<PrivacyAmount> declared(ObjectReader in, Optional<Accountant> accountant) {
        Optional<Epsilon> epsilon = in.required("epsilon").epsilon(LEAST_EPSILON, Accountant.MOST_EPSILON);
        Optional<Delta> delta = in.optional("delta").delta(Delta.ZERO, Accountant.MOST_DELTA);
        accountant
                .filter(known -> !known.deltaOfLimit().permits(delta.orElse(Delta.ZERO)))
                .ifPresent(known -> in.refuse(
                        "delta",
                        "delta " + known.deltaOfLimit().text() + " under the accountant \"" + known.name() + "\", was "
                                + delta.orElse(Delta.ZERO)));
        return in.complete(() -> new PrivacyAmount(epsilon.orElseThrow(), delta.orElse(Delta.ZERO)));
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
     * Converts a declared limit to the units of the account. It has to cover a question of the least epsilon: under
     * {@code zcdp} a small limit can convert to zero rho.
     *
     * @param pointer the JSON pointer of the object that declares it
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
