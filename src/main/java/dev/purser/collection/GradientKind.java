package dev.purser.collection;

import dev.purser.json.ObjectReader;
import java.util.List;
import java.util.Optional;

/** A protocol that trainings can name as well: it reports gradients. */
interface GradientKind {
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
