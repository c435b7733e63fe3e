package dev.purser.mechanism;

import dev.purser.privacy.Neighborhood;
import dev.purser.privacy.NeighboringRelation;
import dev.purser.privacy.PrivacyUnit;
import java.util.List;

/**
 * Decides whether a whole list of statistics is monotone: for every pair of neighbours, all of them change in the same
 * direction. Only a monotone list permits half the comparison noise in the sparse vector technique. The property is
 * derived here from public facts, and no caller can assert it. When a row is added, counts rise and clip losses fall: a
 * list that mixes them would lose 1.5 times the stated epsilon at the monotone scale.
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
            case Statistic.UnitCount units -> true;
            case Statistic.RowsWithin within -> true;
            case Statistic.NegatedCount count -> false;
            case Statistic.ClampedSum sum -> sum.lower() >= 0;
            case Statistic.ClipLoss loss -> false;
            case Statistic.Products products -> true;
        };
    }

    private static boolean neverRisesWhenARowIsAdded(Statistic statistic) {
        return switch (statistic) {
            case Statistic.Count count -> false;
            case Statistic.UnitCount units -> false;
            case Statistic.RowsWithin within -> false;
            case Statistic.NegatedCount count -> true;
            case Statistic.ClampedSum sum -> sum.upper() <= 0;
            case Statistic.ClipLoss loss -> true;
            case Statistic.Products products -> false;
        };
    }

    // A replaced row changes from x to x'. As x grows, all clip losses of one table fall, all counts of rows at or
    // above an edge rise, and all counts of rows below an edge fall. A row that the table's filter drops adds nothing.
    // In each of these kinds this is as if it lay beyond one end of the same order. With two columns, two filters or
    // two kinds, one statistic could rise while another falls.
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
