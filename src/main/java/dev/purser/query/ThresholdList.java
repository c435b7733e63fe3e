package dev.purser.query;

import dev.purser.dataset.Column;
import dev.purser.engine.Filter;
import dev.purser.mechanism.Statistic;
import dev.purser.mechanism.ThresholdQueries;
import dev.purser.privacy.Grid;
import dev.purser.privacy.Neighborhood;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A threshold question's items as statistics on one common grid, in as few passes over the rows as their columns and
 * filters permit.
 *
 * <p>A count with a range on a column is read from that column's buckets: the range becomes two edges, and its other
 * conditions stay a filter. If a count has ranges on several columns, the column that most counts of the list can share
 * is chosen. A thousand counts over ranges of one column then need one pass. A count of units has a pass of its own:
 * the units of two ranges do not add up.
 *
 * @param plan the passes
 */
record ThresholdList(List<Statistic> statistics, List<BigInteger> stepFactors, Grid grid, BucketPlan plan) {
    /**
     * A column whose buckets could serve a count, and the remaining filter: {@code where} without that column. The
     * remainder is compared in place. A copy for each of a hundred columns of thousands of counts would exhaust the
     * memory.
     */
    private static final class Axis {
        private final Column.Numeric column;
        private final Where where;
        private final long hash;

        private Axis(Column.Numeric column, Where where, long hashOfWhere) {
            this.column = column;
            this.where = where;
            hash = 31L * column.name().hashCode() + hashOfWhere - where.hashOfRange(column);
        }

        private Filter rest() {
            return where.without(column).filter();
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Axis that
                    && hash == that.hash
                    && column.equals(that.column)
                    && where.agreesBut(column, that.where);
        }

        @Override
        public int hashCode() {
            return Long.hashCode(hash);
        }
    }

    static ThresholdList of(List<ThresholdItem> items) {
        Grid grid = items.stream().map(ThresholdItem::grid).reduce(Grid::common).orElseThrow();
        Map<Axis, Integer> uses = new HashMap<>();
        for (ThresholdItem item : items) {
            if (item instanceof ThresholdItem.Count count) {
                axes(count).forEach(axis -> uses.merge(axis, 1, Integer::sum));
            }
        }
        BucketPlan plan = new BucketPlan();
        List<Statistic> statistics = new ArrayList<>(items.size());
        List<BigInteger> stepFactors = new ArrayList<>(items.size());
        for (ThresholdItem item : items) {
            if (plan.passes() > ThresholdQuery.MAX_PASSES) {
                break; // The list will be refused, so the rest of it need not be read.
            }
            statistics.add(statistic(item, uses, plan));
            stepFactors.add(item.grid().stepsOf(grid));
        }
        return new ThresholdList(statistics, stepFactors, grid, plan);
    }

    private static List<Axis> axes(ThresholdItem.Count count) {
        if (count.of() == Counted.UNITS) {
            return List.of();
        }
        Where where = count.where();
        long hash = where.hashOfConditions();
        return where.ranges().keySet().stream()
                .map(column -> new Axis(column, where, hash))
                .toList();
    }

    private static Statistic statistic(ThresholdItem item, Map<Axis, Integer> uses, BucketPlan plan) {
        return switch (item) {
            case ThresholdItem.Count count -> count(count, mostShared(axes(count), uses), plan);
            case ThresholdItem.Sum sum -> {
                Filter filter = sum.where().filter();
                yield new Statistic.ClampedSum(
                        plan.table(sum.column(), filter),
                        filter.isSelective(),
                        sum.bounds().lower(),
                        sum.bounds().upper());
            }
            case ThresholdItem.ClipLoss loss -> {
                Filter filter = loss.where().filter();
                yield new Statistic.ClipLoss(
                        plan.table(loss.column(), filter), filter.isSelective(), loss.bound(), loss.step());
            }
        };
    }

    private static Statistic count(ThresholdItem.Count count, @Nullable Axis axis, BucketPlan plan) {
        if (axis == null) {
            return count.of().statistic(plan, count.where().filter());
        }
        Range range = Objects.requireNonNull(count.where().ranges().get(axis.column));
        Filter rest = axis.rest();
        return new Statistic.Count(plan.table(axis.column, rest), rest.isSelective(), range.from(), range.to());
    }

    private static @Nullable Axis mostShared(List<Axis> axes, Map<Axis, Integer> uses) {
        Axis best = null;
        for (Axis axis : axes) {
            if (best == null || uses.getOrDefault(axis, 0) > uses.getOrDefault(best, 0)) {
                best = axis;
            }
        }
        return best;
    }

    ThresholdQueries against(BigInteger threshold, Neighborhood neighborhood) {
        return new ThresholdQueries(statistics, stepFactors, threshold, neighborhood);
    }
}
