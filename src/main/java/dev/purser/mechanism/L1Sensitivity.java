package dev.purser.mechanism;

import dev.purser.privacy.Neighborhood;
import dev.purser.privacy.NeighboringRelation;
import java.math.BigInteger;

/**
 * The largest change of an exact statistic that one privacy unit can cause, in grid steps, in integers from public
 * bounds.
 *
 * <p>Let m be the largest number of rows of a unit. Adding or removing a unit changes a count by at most m, and a sum
 * of values in [lo, hi] by at most m·max(|lo|, |hi|). Replacing a unit of one row that no filter can drop leaves the
 * count unchanged, and changes the sum by at most hi − lo. In all other replacements each of the two units contributes
 * between 0 and m rows. A count then changes by at most m, and a sum by at most m·(max(hi, 0) − min(lo, 0)): each
 * unit's part lies in [m·min(lo, 0), m·max(hi, 0)].
 */
final class L1Sensitivity {
    private L1Sensitivity() {}

    static BigInteger count(Neighborhood neighborhood, boolean filtered) {
        return neighborhood.hasPublicRowCount() && !filtered
                ? BigInteger.ZERO
                : BigInteger.valueOf(neighborhood.unit().maxRows());
    }

    /**
     * The sensitivity of the number of privacy units with at least one row that passes: a unit is counted once or not
     * at all. A replaced unit leaves the number of all units unchanged.
     */
    static BigInteger units(Neighborhood neighborhood, boolean filtered) {
        return neighborhood.relation() == NeighboringRelation.REPLACE_ONE && !filtered
                ? BigInteger.ZERO
                : BigInteger.ONE;
    }

    /**
     * The sensitivity of all counts of disjoint bins together: the sum of all bins' changes. Each row is in at most one
     * bin, so a unit's at most m rows add at most m. A replaced unit can take m from some bins and add m to others.
     */
    static BigInteger histogram(Neighborhood neighborhood) {
        BigInteger rows = BigInteger.valueOf(neighborhood.unit().maxRows());
        return switch (neighborhood.relation()) {
            case ADD_OR_REMOVE_ONE -> rows;
            case REPLACE_ONE -> rows.shiftLeft(1);
        };
    }

    /**
     * The square of the L2 sensitivity of all counts of disjoint bins together: m rows in one bin, or m rows that leave
     * one bin and m that enter another.
     */
    static BigInteger squaredL2OfHistogram(Neighborhood neighborhood) {
        BigInteger squared = BigInteger.valueOf(neighborhood.unit().maxRows()).pow(2);
        return switch (neighborhood.relation()) {
            case ADD_OR_REMOVE_ONE -> squared;
            case REPLACE_ONE -> squared.shiftLeft(1);
        };
    }

    /** The sensitivity of Σ clamp(x, lower, upper). */
    static BigInteger sum(Neighborhood neighborhood, boolean filtered, BigInteger lower, BigInteger upper) {
        BigInteger rows = BigInteger.valueOf(neighborhood.unit().maxRows());
        if (neighborhood.relation() == NeighboringRelation.ADD_OR_REMOVE_ONE) {
            return rows.multiply(lower.abs().max(upper.abs()));
        }
        return neighborhood.hasPublicRowCount() && !filtered
                ? upper.subtract(lower)
                : rows.multiply(upper.max(BigInteger.ZERO).subtract(lower.min(BigInteger.ZERO)));
    }

    /**
     * The sensitivity of Σ (2·clamp(x, lower, upper) − (lower + upper)), the sum centred on the middle of the range. It
     * is counted in half steps, so that the middle is an integer. Each term lies in [−(upper − lower), upper − lower].
     */
    static BigInteger centeredSumInHalfSteps(
            Neighborhood neighborhood, boolean filtered, BigInteger lower, BigInteger upper) {
        BigInteger width = upper.subtract(lower);
        return sum(neighborhood, filtered, width.negate(), width);
    }
}
