package dev.purser.mechanism;

import dev.purser.privacy.Neighborhood;
import dev.purser.privacy.NeighboringRelation;
import dev.purser.privacy.PrivacyUnit;
import java.util.List;

/**
 * Whether a whole list of statistics is monotone: for every pair of neighbours, all of them move in the same direction. Only
 * then does the sparse vector technique need half the comparison noise. It is a property of the list, derived here from
 * public facts and never asserted by a caller: counts go up and clip losses go down when a row is added, so a mixed list at
 * the monotone scale would lose half as much again as it states.
 */
final class Monotonicity {
    private Monotonicity() {}

    static boolean holds(List<Statistic> statistics, Neighborhood neighborhood) {
        return neighborhood.relation() == NeighboringRelation.ADD_OR_REMOVE_ONE
                ? statistics.stream().allMatch(Monotonicity::neverFallsWhenARowIsAdded)
                        || statistics.stream().allMatch(Monotonicity::neverRisesWhenARowIsAdded)
                : neighborhood.unit() instanceof PrivacyUnit.Row && isOrderedByOneColumn(statistics);
    }

    private static boolean neverFallsWhenARowIsAdded(Statistic statistic) {
        return switch (statistic) {
            case Statistic.Count count -> true;
            case Statistic.NegatedCount count -> false;
            case Statistic.ClampedSum sum -> sum.lower() >= 0;
            case Statistic.ClipLoss loss -> false;
        };
    }

    private static boolean neverRisesWhenARowIsAdded(Statistic statistic) {
        return switch (statistic) {
            case Statistic.Count count -> false;
            case Statistic.NegatedCount count -> true;
            case Statistic.ClampedSum sum -> sum.upper() <= 0;
            case Statistic.ClipLoss loss -> true;
        };
    }

    // A replaced row moves from x to x'. All clip losses of one table fall as x grows, all counts of rows at or
    // above an edge rise, all counts of rows below an edge fall. A row that the table's filter drops counts
    // nothing, in each of these kinds as if it lay beyond one end of the same order. With two columns, two
    // filters or two kinds, one statistic could rise while another falls.
    private static boolean isOrderedByOneColumn(List<Statistic> statistics) {
        boolean oneTable =
                statistics.stream().mapToInt(Statistic::table).distinct().count() == 1;
        return oneTable
                && (statistics.stream().allMatch(Statistic.ClipLoss.class::isInstance)
                        || statistics.stream().allMatch(Monotonicity::countsUpwards)
                        || statistics.stream().allMatch(Monotonicity::countsDownwards)
                        || statistics.stream().allMatch(Monotonicity::countsDownNegated)
                        || statistics.stream().allMatch(Monotonicity::countsUpNegated));
    }

    private static boolean countsUpNegated(Statistic statistic) {
        return statistic instanceof Statistic.NegatedCount negated && countsUpwards(negated.count());
    }

    private static boolean countsDownNegated(Statistic statistic) {
        return statistic instanceof Statistic.NegatedCount negated && countsDownwards(negated.count());
    }

    private static boolean countsUpwards(Statistic statistic) {
        return statistic instanceof Statistic.Count count && count.isOpenAbove();
    }

    private static boolean countsDownwards(Statistic statistic) {
        return statistic instanceof Statistic.Count count && count.isOpenBelow();
    }
}
