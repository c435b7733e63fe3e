package dev.purser.mechanism;

import dev.purser.privacy.Neighborhood;
import dev.purser.privacy.NeighboringRelation;
import java.math.BigInteger;

/**
 * What is known in advance about every statistic that a conversation may compare with one noisy threshold. It takes the
 * place of a list: noise is calibrated to the family before the first statistic is known, and only members are
 * compared. The components need not be trusted: {@link #admits} refuses every statistic that does not fit them.
 *
 * @param l1Sensitivity an upper bound on each member's sensitivity, in common steps; at least 1
 * @param monotone whether between neighbours all members move in one direction
 */
public record ThresholdFamily(Kind kind, BigInteger l1Sensitivity, boolean monotone) {
    /** What the members are. */
    public enum Kind {
        /** Numbers of rows or of privacy units. */
        COUNTS,
        /** Sums and clip losses, on a common grid. */
        SUMS
    }

    public ThresholdFamily {
        if (l1Sensitivity.signum() <= 0) {
            throw new IllegalArgumentException("the sensitivity must be at least 1");
        }
        // Clamped values may have any sign, and clip losses fall where counts rise.
        if (monotone && kind == Kind.SUMS) {
            throw new IllegalArgumentException("sums are not monotone");
        }
    }

    /**
     * All counts of rows or units under any filters. When a row is added no count falls. A replaced row may move two
     * counts in opposite directions.
     */
    public static ThresholdFamily ofCounts(Neighborhood neighborhood) {
        return new ThresholdFamily(
                Kind.COUNTS,
                BigInteger.valueOf(neighborhood.unit().maxRows()),
                neighborhood.relation() == NeighboringRelation.ADD_OR_REMOVE_ONE);
    }

    /** All sums and clip losses whose sensitivity is at most this many common steps. */
    public static ThresholdFamily ofSums(BigInteger l1SensitivitySteps) {
        return new ThresholdFamily(Kind.SUMS, l1SensitivitySteps, false);
    }

    /**
     * Whether a statistic is a member.
     *
     * @param stepFactor the number of common steps in one step of the statistic
     */
    public boolean admits(Statistic statistic, BigInteger stepFactor, Neighborhood neighborhood) {
        boolean ofTheKind = switch (statistic) {
            case Statistic.Count count -> kind == Kind.COUNTS;
            case Statistic.UnitCount units -> kind == Kind.COUNTS;
            case Statistic.RowsWithin within -> false;
            // It would fall where a count rises.
            case Statistic.NegatedCount negated -> false;
            case Statistic.ClampedSum sum -> kind == Kind.SUMS;
            case Statistic.ClipLoss loss -> kind == Kind.SUMS;
            // A part of tables: no question compares it.
            case Statistic.Products products -> false;
        };
        return ofTheKind
                && stepFactor.signum() > 0
                && statistic.l1Sensitivity(neighborhood).multiply(stepFactor).compareTo(l1Sensitivity) <= 0
                && (!monotone || neighborhood.relation() == NeighboringRelation.ADD_OR_REMOVE_ONE);
    }
}
