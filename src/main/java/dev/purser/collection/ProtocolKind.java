package dev.purser.collection;

import dev.purser.json.ObjectReader;
import dev.purser.privacy.Epsilon;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * A protocol that declarations can name. Its class is all that the collection knows of it: how its fields are read, and
 * the {@link Protocol} that they make. What several protocols have in common is in the class that theirs extend.
 */
abstract class ProtocolKind {
    /** Below it, a hundred million reports say little, and noisy values would not fit the sums. */
    static final Epsilon LEAST = Epsilon.parse("0.001");

    static final Epsilon MOST = Epsilon.parse("100");
    static final Field RANGE = Field.shared("range");
    static final Field EPSILON = Field.shared("epsilon");
    static final Field EPSILONS = Field.shared("epsilons");
    static final Field LEVEL_EPSILON = Field.shared("levelEpsilon");
    static final Field DIVISIONS = Field.shared("divisions");
    static final Field REUSE = Field.shared("reuse");
    static final Field DIMENSIONS = Field.shared("dimensions");
    static final Field CATEGORIES = Field.shared("categories");
    static final Field MAX_REPORT_BITS = Field.shared("maxReportBits");

    /** The fields that several protocols have, or had first, in the order of the API's description. */
    static final List<Field> SHARED =
            List.of(RANGE, EPSILON, EPSILONS, LEVEL_EPSILON, DIVISIONS, REUSE, DIMENSIONS, CATEGORIES, MAX_REPORT_BITS);

    static final int MAX_LEVELS = 100;

    private final String name;

    ProtocolKind(String name) {
        this.name = name;
    }

    /** As declarations have it. */
    public final String name() {
        return name;
    }

    /** The name among those of its family. */
    String listed() {
        return "`" + name + "`";
    }

    /** The fields that it reads, beginning with the one that a refusal of its randomizer is about. */
    abstract List<Field> fields();

    /** The fields that its reports can have. */
    abstract List<Field> reportFields();

    /**
     * Reads the fields of a declaration.
     *
     * @return makes what was declared; called if no field broke a rule
     */
    abstract Supplier<Declared> fieldsOf(ObjectReader in);

    /** Reads the fields of a declaration; empty if one of them broke a rule. */
    final Optional<Declared> read(ObjectReader in) {
        Supplier<Declared> declared = fieldsOf(in);
        in.notInThisForm(Protocols.FIELDS);
        return in.isIntact() ? accepted(in, fields().getFirst(), declared) : Optional.empty();
    }

    /** The randomizers themselves know which epsilons they take. */
    static <T> Optional<T> accepted(ObjectReader in, Field field, Supplier<T> made) {
        try {
            return Optional.of(made.get());
        } catch (IllegalArgumentException refusal) {
            in.refuse(field.name(), String.valueOf(refusal.getMessage()));
            return Optional.empty();
        }
    }

    static Optional<Epsilon> epsilon(ObjectReader in) {
        return in.required("epsilon").epsilon(LEAST, MOST);
    }

    static Optional<List<Epsilon>> epsilons(ObjectReader in) {
        return in.required("epsilons")
                .list(2, MAX_LEVELS, each -> each.epsilon(LEAST, MOST))
                .filter(sent -> {
                    boolean descend = IntStream.range(1, sent.size())
                            .allMatch(i -> sent.get(i - 1).compareTo(sent.get(i)) >= 0);
                    if (!descend) {
                        in.refuse("epsilons", "epsilons must descend: none may be above that of the level before");
                    }
                    return descend;
                });
    }
}
