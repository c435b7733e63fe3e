package dev.purser.mechanism;

import dev.purser.privacy.Neighborhood;
import dev.purser.privacy.NeighboringRelation;
import java.math.BigInteger;

/**
 * How far one privacy unit can move a statistic of all groups of a table together, in grid steps: a vector with one
 * number for each group. Each row adds a term to the number of one group at most.
 *
 * <p>Let every term lie in [least, greatest], let M be the larger of |least| and |greatest|, and let m be the largest
 * number of rows of a unit. All rows of a unit together move the vector by at most m·M in L1, and so in L2, whatever
 * the number of groups they are in. A replaced unit takes its rows out of some groups and puts others into other
 * groups: at most 2m·M in L1. In L2 the squares add up to at most 2·(m·M)² in two groups. In one group, where the old
 * rows and the new rows have different terms, the move is at most m·(max(greatest, 0) − min(least, 0)), as for a sum.
 * The L2 norm is convex in the two units' rows, so one of these two cases is the worst.
 *
 * @param squaredL2 the square of the L2 sensitivity
 */
record GroupSensitivity(BigInteger l1, BigInteger squaredL2) {
    /**
     * The sensitivity under a neighbourhood.
     *
     * @param filtered whether a filter, or a key whose edges leave values out, can leave out rows
     */
    static GroupSensitivity of(
            Neighborhood neighborhood, boolean filtered, int groups, BigInteger least, BigInteger greatest) {
        BigInteger inOneGroup = L1Sensitivity.sum(neighborhood, filtered || groups > 1, least, greatest);
        if (groups == 1 || neighborhood.relation() == NeighboringRelation.ADD_OR_REMOVE_ONE) {
            return new GroupSensitivity(inOneGroup, inOneGroup.pow(2));
        }
        BigInteger ofUnit = BigInteger.valueOf(neighborhood.unit().maxRows())
                .multiply(least.abs().max(greatest.abs()));
        BigInteger inTwoGroups = ofUnit.shiftLeft(1);
        BigInteger squaredInTwoGroups = ofUnit.pow(2).shiftLeft(1);
        return new GroupSensitivity(inTwoGroups, squaredInTwoGroups.max(inOneGroup.pow(2)));
    }

    /**
     * The sensitivity of the number of units of each group. A unit adds 1 to every group that it has a row in: to m
     * groups at most, and at most to all groups. If a unit is replaced, m groups at most lose a unit and m groups at
     * most gain one. Every number moves by 1 at most, so the L1 sensitivity is the square of the L2 sensitivity.
     */
    static GroupSensitivity ofUnits(Neighborhood neighborhood, boolean filtered, int groups) {
        if (groups == 1) {
            BigInteger one = L1Sensitivity.units(neighborhood, filtered);
            return new GroupSensitivity(one, one);
        }
        BigInteger moved = L1Sensitivity.histogram(neighborhood).min(BigInteger.valueOf(groups));
        return new GroupSensitivity(moved, moved);
    }

    /**
     * The sensitivity of several integers of each group, to which a row adds terms that are not negative and add up to
     * {@code total}. A unit adds at most m·total in all, so a replaced unit moves at most twice as much. In L2 two
     * vectors of this kind are farthest apart where no number is moved by both: √2·m·total.
     */
    static GroupSensitivity ofTotal(Neighborhood neighborhood, BigInteger total) {
        BigInteger ofUnit = BigInteger.valueOf(neighborhood.unit().maxRows()).multiply(total);
        return switch (neighborhood.relation()) {
            case ADD_OR_REMOVE_ONE -> new GroupSensitivity(ofUnit, ofUnit.pow(2));
            case REPLACE_ONE ->
                new GroupSensitivity(ofUnit.shiftLeft(1), ofUnit.pow(2).shiftLeft(1));
        };
    }
}
