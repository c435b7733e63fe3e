package dev.purser.query;

import dev.purser.dataset.Column;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.engine.BucketRequest;
import dev.purser.engine.Filter;
import dev.purser.engine.GroupKey;
import dev.purser.mechanism.Statistic;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BucketPlanTests {
    private static final Column.Numeric AGE = DatasetsForTests.integer("age", 0, 100);
    private static final Filter YOUNG = new Filter(List.of(new Filter.Between(AGE, 0, 30)));
    private static final GroupKey DECADES = new GroupKey(AGE, new long[] {0, 10, 20});
    private static final GroupKey HALVES = new GroupKey(AGE, new long[] {0, 50, 101});

    private final BucketPlan plan = new BucketPlan();

    @Test
    void aColumnAFilterAndKeysAreOneTableWithAllEdges() {
        int first = plan.table(AGE, YOUNG, List.of(DECADES), false);
        assertThat(plan.table(AGE, YOUNG, List.of(DECADES), false)).isEqualTo(first);
        assertThat(plan.requests(
                        List.of(new Statistic.ClampedSum(first, true, 5, 9), new Statistic.Count(first, true, 3, 9))))
                .containsExactly(new BucketRequest(AGE, YOUNG, List.of(DECADES), new long[] {3, 5, 9}, false));
    }

    @Test
    void otherKeysAreAnotherTable() {
        List<Integer> tables = List.of(
                plan.table(AGE, YOUNG),
                plan.table(AGE, YOUNG, List.of(DECADES), false),
                plan.table(AGE, YOUNG, List.of(HALVES), false),
                plan.table(AGE, YOUNG, List.of(HALVES, DECADES), false),
                plan.table(AGE, YOUNG, List.of(DECADES, HALVES), false),
                plan.table(null, YOUNG, List.of(DECADES), false),
                plan.table(AGE, Filter.ALL_ROWS, List.of(DECADES), false));
        assertThat(tables).containsExactly(0, 1, 2, 3, 4, 5, 6);
        assertThat(plan.passes()).isEqualTo(7);
        assertThat(plan.table(AGE, YOUNG, List.of(), false)).isZero();
    }

    @Test
    void aTableHasSquaresIfAnybodyNeedsThem() {
        int plain = plan.table(AGE, YOUNG);
        int table = plan.table(AGE, YOUNG, List.of(DECADES), false);
        assertThat(plan.table(AGE, YOUNG, List.of(DECADES), true)).isEqualTo(table);
        assertThat(plan.table(AGE, YOUNG, List.of(DECADES), false)).isEqualTo(table);
        List<BucketRequest> requests = plan.requests(List.of());
        assertThat(requests.get(plain).squares()).isFalse();
        assertThat(requests.get(table).squares()).isTrue();
    }
}
