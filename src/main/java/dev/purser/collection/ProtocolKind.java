package dev.purser.collection;

import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.json.ValueReader;
import dev.purser.local.SampledCoordinates;
import dev.purser.privacy.Epsilon;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * A protocol that declarations can name. A collection uses this class alone, which reads the fields and makes the
 * {@link Protocol}. The common code of several protocols is in a superclass.
 */
abstract class ProtocolKind {
    /**
     * The least epsilon. Below it, a hundred million reports contain little information, and noisy values would not fit
     * into the sums.
     */
    static final Epsilon LEAST = Epsilon.parse("0.001");

    static final Epsilon MOST = Epsilon.parse("100");
    static final int MAX_LEVELS = 100;

    static final Field<Epsilon> EPSILON = Field.optional(
            "epsilon",
            FieldType.epsilon(LEAST, MOST),
            "Of one whole report, " + LEAST + " to " + MOST + "; without levels.",
            "1");

    static final Field<List<Epsilon>> EPSILONS = Field.optional(
            "epsilons",
            FieldType.listOf(EPSILON.type(), 2, MAX_LEVELS)
                    .then(ProtocolKind::descending)
                    .orNone(),
            "Of the levels, in descending order.",
            List.of());

    static final Field<Integer> DIMENSIONS = Field.optional(
            "dimensions",
            FieldType.integer(1, SampledCoordinates.MAX_DIMENSIONS),
            "How many numbers of the range a value has, with %s.",
            1);

    static final Field<Integer> REUSE = Field.optional(
            "reuse",
            FieldType.integer(1, MAX_LEVELS),
            "With %s: at how many levels a report is used. Above 1 the variance grows.",
            1);

    /** Fields for protocols without dimensions or without levels. A client with one type for all protocols sends 1. */
    static final Field<Integer> NO_DIMENSIONS = DIMENSIONS.of(FieldType.integer(1, 1));

    static final Field<Integer> NO_REUSE = REUSE.of(FieldType.integer(1, 1));

    private final String name;
    private final List<Field<?>> fields;
    private final List<Field<?>> reportFields;

    ProtocolKind(String name, List<Field<?>> fields, List<Field<?>> reportFields) {
        this.name = name;
        this.fields = fields;
        this.reportFields = reportFields;
    }

    /** The name in declarations. */
    public final String name() {
        return name;
    }

    /** The name in a list of the protocols of its family. */
    String listed() {
        return "`" + name + "`";
    }

    /** The name of the field of the protocol's epsilon or epsilons. */
    public final String amount() {
        return fields.getFirst().name();
    }

    /** The fields that it reads, beginning with the field of its epsilon or epsilons. */
    List<Field<?>> fields() {
        return fields;
    }

    /** The fields that its reports can have. */
    final List<Field<?>> reportFields() {
        return reportFields;
    }

    /**
     * Reads the fields of a declaration.
     *
     * @return makes the declared values; called if no field broke a rule
     */
    abstract Supplier<Declared> fieldsOf(ObjectReader in);

    /** Reads the fields of a declaration; empty if one of them broke a rule. */
    final Optional<Declared> read(ObjectReader in) {
        Supplier<Declared> declared = fieldsOf(in);
        in.notInThisForm(Protocols.FIELDS);
        return in.isIntact() ? accepted(in, declared) : Optional.empty();
    }

    /** Makes an object, and refuses the epsilon if its randomizer does not accept it. */
    final <T> Optional<T> accepted(ObjectReader in, Supplier<T> made) {
        try {
            return Optional.of(made.get());
        } catch (IllegalArgumentException refusal) {
            in.refuse(fields.getFirst(), String.valueOf(refusal.getMessage()));
            return Optional.empty();
        }
    }

    private static Optional<List<Epsilon>> descending(ValueReader in, List<Epsilon> sent) {
        boolean descend =
                IntStream.range(1, sent.size()).allMatch(i -> sent.get(i - 1).compareTo(sent.get(i)) >= 0);
        return descend ? Optional.of(sent) : in.refused("must descend: none may be above that of the level before");
    }
}
