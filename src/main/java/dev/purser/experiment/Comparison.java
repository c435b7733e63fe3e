package dev.purser.experiment;

import dev.purser.local.LeveledResponse;
import dev.purser.privacy.Epsilon;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The epsilon that all compared methods have in common. HierA has the levels {5e, 4e, 3e, 2e, e} of a nominal epsilon e
 * in both cases.
 */
enum Comparison {
    /** As in the literature: a report of the other methods has epsilon e, although a report of HierA has far more. */
    NOMINAL,
    /** A report of every method has the epsilon of a report of HierA. */
    EQUAL_TRUE;

    private static final int LEVELS = 5;

    /** The epsilon of a report of a method without levels. */
    Epsilon epsilon(Epsilon nominal) {
        return switch (this) {
            case NOMINAL -> nominal;
            case EQUAL_TRUE -> response(nominal).epsilon();
        };
    }

    /** The epsilons of the five levels. */
    static List<Epsilon> levels(Epsilon least) {
        return IntStream.iterate(LEVELS, times -> times - 1)
                .limit(LEVELS)
                .mapToObj(times -> new Epsilon(times * least.nanos()))
                .toList();
    }

    /** HierA's reports. */
    static LeveledResponse response(Epsilon nominal) {
        return new LeveledResponse(levels(nominal));
    }

    /** The level of a value of [-1, 1]: 1 in the lowest fifth, 5 in the highest. */
    static int level(double value) {
        return Math.clamp((int) Math.floor((value + 1) / 2 * LEVELS) + 1, 1, LEVELS);
    }
}
