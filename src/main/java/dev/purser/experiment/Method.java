package dev.purser.experiment;

import java.util.List;
import java.util.Locale;

/** A way to estimate, as requests and results name it. */
enum Method {
    HARMONY,
    PIECEWISE,
    HYBRID,
    LAPLACE,
    /** Laplace noise of a level that is drawn uniformly, without looking at the value. */
    MULTILEVEL_LAPLACE,
    /** The contributions of {@code LeveledResponse}, unclamped. */
    HIERA,
    /** The aggregator of the source of {@code HierarchicalAggregator}: each level's counts are clamped. */
    HIERA_CLAMPED,
    /** The gradients themselves: a baseline. */
    NON_PRIVATE,
    /** All parameters zero: a baseline. */
    ZERO;

    /** The methods that estimate means. */
    static final List<Method> OF_MEANS =
            List.of(HARMONY, PIECEWISE, HYBRID, LAPLACE, MULTILEVEL_LAPLACE, HIERA, HIERA_CLAMPED);

    /** The methods that report gradients. */
    static final List<Method> OF_GRADIENTS = List.of(HARMONY, PIECEWISE, HYBRID, HIERA);

    /** A constant's name in requests and results. */
    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether the private level of a device is part of what it reports. */
    boolean isHierarchical() {
        return this == HIERA || this == HIERA_CLAMPED;
    }
}
