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

    private static final String DELTA = "delta";
    private static final Delta MOST_DELTA = Delta.parse("0.01");

    /** The fields as the API describes them. */
    static final List<Field> FIELDS = List.of(
            Field.required(
                            EPSILON,
                            new FieldType.Plain(Epsilon.class),
                            "The epsilon that the answer is charged: " + LEAST_EPSILON + " to " + MOST_EPSILON + ".")
                    .withExample("0.5"),
            Field.optional(
                            DELTA,
                            new FieldType.Plain(Delta.class),
                            "Under the accountant `approximate` up to " + MOST_DELTA
                                    + ", and charged as asked; 0 under the others.")
                    .withDefault("0"));

    private AllowanceFields() {}

    /** Reads the allowance of a question that is asked; empty if a field broke a rule. */
    static Optional<PrivacyAllowance> read(ObjectReader in, Dataset dataset) {
        Optional<Epsilon> epsilon = epsilon(in);
        Optional<Delta> delta = delta(in, dataset);
        return epsilon.flatMap(
                known -> delta.map(sent -> dataset.registration().accountant().allowance(known, sent)));
    }

    /** Reads the required epsilon; empty if it broke a rule. */
    public static Optional<Epsilon> epsilon(ObjectReader in) {
        return in.required(EPSILON).epsilon(LEAST_EPSILON, MOST_EPSILON);
    }

    /** Reads the delta, 0 by default; empty if it broke a rule. */
    public static Optional<Delta> delta(ObjectReader in, Dataset dataset) {
        if (!in.has(DELTA)) {
            return Optional.of(Delta.ZERO);
        }
        Accountant accountant = dataset.registration().accountant();
        Optional<Delta> delta = in.required(DELTA).delta(Delta.ZERO, MOST_DELTA);
        return delta.filter(sent -> {
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
