package dev.purser.query;

import dev.purser.accounting.Accountant;
import dev.purser.dataset.Dataset;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAllowance;
import java.util.List;
import java.util.Optional;

/** The fields of a question's allowance, checked against its dataset's accountant. */
public final class AllowanceFields {
    public static final String EPSILON = "epsilon";

    public static final Epsilon LEAST_EPSILON = Epsilon.parse("0.000001");

    public static final Epsilon MOST_EPSILON = Epsilon.parse("100");

    /** The epsilon that an answer is charged. */
    public static final Field<Epsilon> CHARGED = Field.required(
            EPSILON,
            FieldType.epsilon(LEAST_EPSILON, MOST_EPSILON),
            "The epsilon that the answer is charged: " + LEAST_EPSILON + " to " + MOST_EPSILON + ".",
            "0.5");

    private static final Delta MOST_DELTA = Delta.parse("0.01");
    private static final Field<Delta> DELTA = Field.optional(
                    "delta",
                    FieldType.delta(MOST_DELTA),
                    "Under the accountant `approximate` up to " + MOST_DELTA
                            + ", and charged as asked; 0 under the others.")
            .withDefault(Delta.ZERO, "0");

    /** The fields as the API describes them. */
    static final List<Field<?>> FIELDS = List.of(CHARGED, DELTA);

    private AllowanceFields() {}

    /** Reads the allowance of a question that is asked; empty if a field broke a rule. */
    static Optional<PrivacyAllowance> read(ObjectReader in, Dataset dataset) {
        Optional<Epsilon> epsilon = in.read(CHARGED);
        Optional<Delta> delta = delta(in, dataset);
        return epsilon.flatMap(
                known -> delta.map(sent -> dataset.registration().accountant().allowance(known, sent)));
    }

    /** Reads the delta, 0 by default; empty if it broke a rule. */
    public static Optional<Delta> delta(ObjectReader in, Dataset dataset) {
        Accountant accountant = dataset.registration().accountant();
        return in.read(DELTA).filter(sent -> {
            boolean permitted = accountant.deltaOfQuestion().permits(sent);
            if (!permitted) {
                in.refuse(
                        DELTA,
                        "delta " + accountant.deltaOfQuestion().text() + " under the accountant \"" + accountant.name()
                                + "\", was " + sent);
            }
            return permitted;
        });
    }
}
