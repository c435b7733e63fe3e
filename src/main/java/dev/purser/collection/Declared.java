package dev.purser.collection;

import dev.purser.collection.Protocols.Levels;
import dev.purser.json.ObjectReader;
import dev.purser.privacy.Epsilon;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a declaration that differ between families of protocols, and the protocol that they lead to.
 *
 * @param range of the numbers; null for categories
 * @param dimensions numbers of one value
 * @param categories empty for numbers
 */
record Declared(@Nullable Bounds range, int dimensions, List<String> categories, Protocol<?> protocol) {
    /** All fields that some family has. */
    static final List<String> FIELDS = List.of(
            "range",
            "epsilon",
            "epsilons",
            "levelEpsilon",
            "divisions",
            "reuse",
            "dimensions",
            "categories",
            "maxReportBits");

    /** Below it, a hundred million reports say little, and noisy values would not fit the sums. */
    private static final Epsilon LEAST = Epsilon.parse("0.001");

    private static final Epsilon MOST = Epsilon.parse("100");
    private static final int MAX_LEVELS = 100;
    private static final int MAX_CATEGORIES = 1 << 14;
    private static final int MAX_CATEGORY_LENGTH = 100;
    private static final int MAX_REPORT_BITS = 1 << 12;

    /** Reads the fields of numbers with one epsilon. */
    static Optional<Declared> numbers(
            ObjectReader in, int mostDimensions, BiFunction<Epsilon, Integer, Protocol<?>> protocol) {
        Optional<Bounds> range = Bounds.read(in);
        Optional<Epsilon> epsilon = epsilon(in);
        Optional<Long> dimensions = in.optional("dimensions").integer(1, mostDimensions);
        in.optional("reuse").integer(1, 1);
        in.notInThisForm(FIELDS.toArray(String[]::new));
        int numbers = dimensions.orElse(1L).intValue();
        return in.isIntact()
                ? built(in, "epsilon", () -> protocol.apply(epsilon.orElseThrow(), numbers))
                        .map(built -> new Declared(range.orElseThrow(), numbers, List.of(), built))
                : Optional.empty();
    }

    /**
     * Reads the fields of numbers with an epsilon for each level.
     *
     * @param isPrivate whether the level may follow from the number
     */
    static Optional<Declared> levels(
            ObjectReader in, boolean isPrivate, boolean hasLevelEpsilon, Function<Levels, Protocol<?>> protocol) {
        Optional<Bounds> range = Bounds.read(in);
        Optional<List<Epsilon>> epsilons = epsilons(in);
        Optional<Epsilon> levelEpsilon =
                hasLevelEpsilon ? in.required("levelEpsilon").epsilon(LEAST, MOST) : Optional.empty();
        int count = epsilons.map(List::size).orElse(MAX_LEVELS);
        Optional<List<Long>> divisions =
                isPrivate && range.isPresent() ? divisions(in, range.orElseThrow(), count) : Optional.empty();
        Optional<Long> reuse = in.optional("reuse").integer(1, isPrivate ? count : 1);
        in.optional("dimensions").integer(1, 1);
        in.notInThisForm(FIELDS.toArray(String[]::new));
        return in.isIntact()
                ? built(
                                in,
                                "epsilons",
                                () -> protocol.apply(new Levels(
                                        epsilons.orElseThrow(),
                                        levelEpsilon.orElse(null),
                                        divisions.orElse(List.of()),
                                        reuse.orElse(1L).intValue())))
                        .map(built -> new Declared(range.orElseThrow(), 1, List.of(), built))
                : Optional.empty();
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

    private static Optional<List<Long>> divisions(ObjectReader in, Bounds range, int levels) {
        if (!in.hasElements("divisions")) {
            return Optional.empty();
        }
        return in.required("divisions").decimals(levels + 1, levels + 1).flatMap(sent -> {
            boolean ascend = IntStream.range(1, sent.size())
                    .allMatch(i -> sent.get(i - 1).compareTo(sent.get(i)) < 0);
            boolean isWhole = sent.getFirst().compareTo(range.lower()) == 0
                    && sent.getLast().compareTo(range.upper()) == 0;
            if (!ascend || !isWhole) {
                in.refuse(
                        "divisions",
                        "divisions must ascend from the lower to the upper end of the range, "
                                + range.lower().toPlainString() + " to "
                                + range.upper().toPlainString());
                return Optional.empty();
            }
            return Optional.of(sent.stream().map(range::part).toList());
        });
    }

    /** Reads the fields of categories. */
    static Optional<Declared> categories(ObjectReader in, OfCategories protocol) {
        Optional<Epsilon> epsilon = epsilon(in);
        Optional<List<String>> categories = in.required("categories")
                .strings(2, MAX_CATEGORIES, 1, MAX_CATEGORY_LENGTH)
                .filter(sent -> {
                    boolean differ = new HashSet<>(sent).size() == sent.size();
                    if (!differ) {
                        in.refuse("categories", "categories must differ from each other");
                    }
                    return differ;
                });
        Optional<Long> bits = in.optional("maxReportBits").integer(1, MAX_REPORT_BITS);
        in.optional("dimensions").integer(1, 1);
        in.optional("reuse").integer(1, 1);
        in.notInThisForm(FIELDS.toArray(String[]::new));
        return in.isIntact()
                ? built(
                                in,
                                "epsilon",
                                () -> protocol.of(
                                        epsilon.orElseThrow(),
                                        categories.orElseThrow(),
                                        bits.orElse((long) MAX_REPORT_BITS).intValue()))
                        .map(built -> new Declared(null, 1, categories.orElseThrow(), built))
                : Optional.empty();
    }

    /** Makes the protocol of categories. */
    @FunctionalInterface
    interface OfCategories {
        Protocol<?> of(Epsilon epsilon, List<String> categories, int maxReportBits);
    }

    /** The randomizers themselves know which epsilons they take. */
    static Optional<Protocol<?>> built(ObjectReader in, String field, Supplier<Protocol<?>> protocol) {
        try {
            return Optional.of(protocol.get());
        } catch (IllegalArgumentException refusal) {
            in.refuse(field, String.valueOf(refusal.getMessage()));
            return Optional.empty();
        }
    }
}
