package dev.purser.local;

import dev.purser.privacy.Epsilon;
import java.util.List;

/**
 * The loss of {@link LeveledResponse}: the largest log ratio over all levels t and t' of two devices, all reported
 * levels t*, and opposite signs. Derived in {@code LeveledResponse.md}.
 */
final class LeveledLoss {
    // The logarithms below are at most 100, with a total error below 1e-13. A nano is 1e-9.
    private static final double SLACK_NANOS = 1e-3;

    private final int levels;
    private final long[] levelNanos;
    private final long[] signNanos;
    private final double[] logTotals;

    /**
     * The loss for the epsilons of each level.
     *
     * @param ofLevels the epsilon at which a device of each level reports its level
     * @param ofSigns for each level the epsilon of the sign that is reported with it
     */
    LeveledLoss(List<Epsilon> ofLevels, List<Epsilon> ofSigns) {
        levels = ofLevels.size();
        levelNanos = ofLevels.stream().mapToLong(Epsilon::nanos).toArray();
        signNanos = ofSigns.stream().mapToLong(Epsilon::nanos).toArray();
        // ln(e^ε + k - 1), without overflow
        logTotals = ofLevels.stream()
                .mapToDouble(each -> LocalEpsilon.of(each).value())
                .map(epsilon -> epsilon + Math.log1p((levels - 1) * Math.exp(-epsilon)))
                .toArray();
    }

    /** The loss as the nearest double. */
    double value() {
        double largest = 0;
        for (int t = 0; t < levels; t++) {
            for (int other = 0; other < levels; other++) {
                for (int sent = 0; sent < levels; sent++) {
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
        for (int t = 0; t < levels; t++) {
            for (int other = 0; other < levels; other++) {
                for (int sent = 0; sent < levels; sent++) {
                    largest = Math.max(largest, wholeNanos(t, other, sent) + logRatioNanosUp(t, other));
                }
            }
        }
        return new Epsilon(largest);
    }

    /**
     * The part of the log ratio that is a sum of epsilons: the epsilon of the sign at {@code sent}, and the epsilon of
     * the level where a device's own level is sent.
     */
    private long wholeNanos(int t, int other, int sent) {
        return signNanos[sent] + (t == sent ? levelNanos[t] : 0) - (other == sent ? levelNanos[other] : 0);
    }

    private long logRatioNanosUp(int t, int other) {
        if (levelNanos[t] == levelNanos[other]) {
            return 0;
        }
        return (long) Math.ceil((logTotals[other] - logTotals[t]) * Epsilon.NANOS_PER_UNIT + SLACK_NANOS);
    }
}
