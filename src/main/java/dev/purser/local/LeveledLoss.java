package dev.purser.local;

import dev.purser.privacy.Epsilon;
import java.util.List;

/**
 * The loss of {@link LeveledResponse}: the largest log ratio over all levels t and t' of two devices, all reported
 * levels t*, and opposite signs. Derived in {@code LeveledResponse.md}.
 */
final class LeveledLoss {
    // The logarithms below are at most 100, with a total error below 1e-13; a nano is 1e-9.
    private static final double SLACK_NANOS = 1e-3;

    private final long[] nanos;
    private final double[] logTotals;

    LeveledLoss(List<Epsilon> epsilons) {
        int levels = epsilons.size();
        nanos = new long[levels];
        logTotals = new double[levels];
        for (int level = 0; level < levels; level++) {
            double epsilon = LocalEpsilon.of(epsilons.get(level)).value();
            nanos[level] = epsilons.get(level).nanos();
            // ln(e^ε + k - 1), without overflow
            logTotals[level] = epsilon + Math.log1p((levels - 1) * Math.exp(-epsilon));
        }
    }

    /** The loss as the nearest double. */
    double value() {
        double largest = 0;
        for (int t = 0; t < nanos.length; t++) {
            for (int other = 0; other < nanos.length; other++) {
                for (int sent = 0; sent < nanos.length; sent++) {
                    double whole = (double) wholeNanos(t, other, sent) / Epsilon.NANOS_PER_UNIT;
                    largest = Math.max(largest, whole + logTotals[other] - logTotals[t]);
                }
            }
        }
        return largest;
    }

    /** The least whole number of nano-epsilon at or above the loss, or one more where doubles cannot decide. */
    Epsilon roundedUp() {
        long largest = 0;
        for (int t = 0; t < nanos.length; t++) {
            for (int other = 0; other < nanos.length; other++) {
                for (int sent = 0; sent < nanos.length; sent++) {
                    largest = Math.max(largest, wholeNanos(t, other, sent) + logRatioNanosUp(t, other));
                }
            }
        }
        return new Epsilon(largest);
    }

    /**
     * The part of the log ratio that is a sum of epsilons: the sign at {@code sent}, and the level if it is the own
     * one.
     */
    private long wholeNanos(int t, int other, int sent) {
        return nanos[sent] + (t == sent ? nanos[t] : 0) - (other == sent ? nanos[other] : 0);
    }

    private long logRatioNanosUp(int t, int other) {
        if (nanos[t] == nanos[other]) {
            return 0;
        }
        return (long) Math.ceil((logTotals[other] - logTotals[t]) * Epsilon.NANOS_PER_UNIT + SLACK_NANOS);
    }
}
