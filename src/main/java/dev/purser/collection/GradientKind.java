package dev.purser.collection;

import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import java.util.List;
import java.util.Optional;

/** A protocol that trainings can name as well: it reports gradients. */
interface GradientKind {
    /** Of reports of gradients, which have several coordinates. */
    Field COORDINATE = Field.optional("coordinate", FieldType.INTEGER, "Of %s: from 0.");

    Field SIGN = Field.optional("sign", FieldType.INTEGER, "-1 or 1.");
    Field LEVEL = Field.optional("level", FieldType.INTEGER, "Of %s: from 1.");

    Field COORDINATES = Field.optional("coordinates", CoordinatesForm.COORDINATES.type(), "Of %s, ascending.")
            .withExample(List.of());

    /** As declarations have it. */
    String name();

    /** The field of its epsilon or epsilons. */
    String amount();

    /** The fields that reports of gradients can have. */
    List<Field> gradientFields();

    /**
     * Reads the field of its epsilon or epsilons; empty if it broke a rule.
     *
     * @param dimensions of a gradient
     */
    Optional<Protocol<?>> readOfGradients(ObjectReader in, int dimensions);
}
