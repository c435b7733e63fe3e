package dev.purser.collection;

import dev.purser.json.Elements;
import dev.purser.json.Field;
import dev.purser.json.ObjectReader;
import dev.purser.local.Sign;
import java.util.List;
import java.util.Optional;

/** A protocol that trainings can name as well, because it can report gradients. */
interface GradientKind {
    /** The field of a coordinate in reports of gradients. */
    Field<Integer> COORDINATE = CoordinatesForm.COORDINATE.describedAs("Of %s: from 0.");

    Field<Sign> SIGN = ReportForm.SIGN.describedAs("-1 or 1.").withoutExample();
    Field<Integer> LEVEL = ReportForm.LEVEL.describedAs("Of %s: from 1.");

    Field<Elements<ObjectReader>> COORDINATES = CoordinatesForm.COORDINATES.describedAs("Of %s, ascending.");

    /** The name in declarations. */
    String name();

    /** The name of the field of the protocol's epsilon or epsilons. */
    String amount();

    /** The fields that reports of gradients can have. */
    List<Field<?>> gradientFields();

    /**
     * Reads the field of the protocol's epsilon or epsilons; empty if it broke a rule.
     *
     * @param dimensions how many coordinates a gradient has
     */
    Optional<Protocol<?>> readOfGradients(ObjectReader in, int dimensions);
}
