package dev.purser.mechanism;

import dev.purser.mechanism.NoisySynopsis.Contents;
import dev.purser.mechanism.NoisySynopsis.Plan;
import dev.purser.mechanism.NoisySynopsis.Stated;
import dev.purser.noise.SeededBits;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.Neighborhood;
import dev.purser.privacy.NeighboringRelation;
import dev.purser.privacy.PrivacyAllowance;
import dev.purser.privacy.PrivacyEvent;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class NoisySynopsisTests {
    static final List<Neighborhood> NEIGHBORHOODS = Units.NEIGHBORHOODS;

    private static final PrivacyAllowance PURE = new PrivacyAllowance.Pure(Epsilon.parse("1"));
    private static final PrivacyAllowance CONCENTRATED = new PrivacyAllowance.Concentrated(Epsilon.parse("1"));

    private static final List<Integer> ADULT = List.of(100, 100, 100, 99, 85, 42, 16, 15, 9, 7, 6, 5, 2, 2);

    /** Plans of two columns at most, of few cells. */
    private static final List<Plan> SMALL = List.of(
            Plan.ofRanges(List.of(1)),
            Plan.ofRanges(List.of(4)),
            Plan.ofRanges(List.of(64)),
            Plan.ofRanges(List.of(2, 3)),
            Plan.ofMarginals(List.of(2, 2), 1),
            Plan.ofMarginals(List.of(2, 2), 2));

    private static NoisySynopsis counts(PrivacyAllowance allowance, Plan plan) {
        return new NoisySynopsis(allowance, plan, Contents.counts(false), SmallData.REPLACE_ROW);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0001", "0.333333333", "1", "100"})
    void sharesAddUpToTheAllowanceExactly(String text) {
        Epsilon epsilon = Epsilon.parse(text);
        PrivacyAllowance.Concentrated concentrated = new PrivacyAllowance.Concentrated(epsilon);
        List<Plan> plans = new ArrayList<>(SMALL);
        plans.add(Plan.ofMarginals(ADULT, 2));
        plans.add(Plan.ofRanges(List.of(300, 40)));
        for (Plan plan : plans) {
            List<Stated> byEpsilon =
                    counts(new PrivacyAllowance.Pure(epsilon), plan).tables();
            assertThat(byEpsilon.stream()
                            .map(table -> new BigDecimal(Objects.requireNonNull(table.epsilon())))
                            .reduce(BigDecimal.ZERO, BigDecimal::add)
                            .subtract(new BigDecimal(text))
                            .abs())
                    .isLessThan(new BigDecimal("1e-9"));
            NoisySynopsis either = counts(concentrated, plan);
            if (either.usesDelta()) {
                assertThat(either.tables().stream()
                                .mapToLong(table ->
                                        Objects.requireNonNull(table.rho()).picos())
                                .sum())
                        .isEqualTo(concentrated.rho().picos());
            } else {
                assertThat(either.tables()).isEqualTo(byEpsilon);
            }
        }
    }

    @Test
    void everyPartOfTheLeastAllowanceIsAUnitAtLeast() {
        Plan pairs = Plan.ofMarginals(ADULT, 2);
        List<Stated> tables = counts(new PrivacyAllowance.Pure(Epsilon.parse("0.000001")), pairs)
                .tables();
        assertThat(tables).hasSize(91);
        assertThat(tables)
                .allMatch(table ->
                        new BigDecimal(Objects.requireNonNull(table.epsilon())).compareTo(new BigDecimal("0.000000001"))
                                >= 0);
    }

    @Test
    void whatIsMeasuredFollowsFromPublicFactsAlone() {
        for (PrivacyAllowance allowance : List.of(PURE, CONCENTRATED)) {
            NoisySynopsis one = counts(allowance, Plan.ofRanges(List.of(100, 7)));
            NoisySynopsis other = counts(allowance, Plan.ofRanges(List.of(100, 7)));
            List<Stated> before = one.tables();
            one.release(SynopsisAudits.data(one).sensitive(one, List.of()), new SeededBits(1));
            assertThat(one.tables()).isEqualTo(before).isEqualTo(other.tables());
            assertThat(one.description()).isEqualTo(other.description());
            assertThat(one.statistics()).isEqualTo(other.statistics());
        }
    }

    @Test
    void statesTheEventOfItsNoise() {
        Plan plan = Plan.ofRanges(List.of(100));
        assertThat(counts(PURE, plan).event()).isEqualTo(new PrivacyEvent.PureDifferentialPrivacy(Epsilon.parse("1")));
        assertThat(counts(CONCENTRATED, plan).event()).isEqualTo(CONCENTRATED.event());
        PrivacyAllowance approximate = new PrivacyAllowance.Approximate(Epsilon.parse("1"), Delta.parse("0.000001"));
        assertThat(counts(approximate, Plan.ofMarginals(ADULT, 2)).event()).isEqualTo(approximate.event());
        PrivacyAllowance large = new PrivacyAllowance.Concentrated(Epsilon.parse("50"));
        NoisySynopsis laplace = counts(large, Plan.ofRanges(List.of(2)));
        assertThat(laplace.usesDelta()).isFalse();
        assertThat(laplace.event()).isEqualTo(new PrivacyEvent.PureDifferentialPrivacy(Epsilon.parse("50")));
    }

    /**
     * Each of the {@link #units} is added, or is in place of each other one, with the same noise. The loss is Σ
     * L1/scale or Σ L2²/(2σ²) over all tables.
     */
    @ParameterizedTest
    @FieldSource("NEIGHBORHOODS")
    void losesNoMoreThanItsAllowanceAndAllOfItWhereAUnitMovesEveryTable(Neighborhood neighborhood) {
        for (Plan plan : SMALL) {
            for (Contents contents : List.of(Contents.counts(true), new Contents(true, -1, 2))) {
                NoisySynopsis pure = new NoisySynopsis(PURE, plan, contents, neighborhood);
                assertLoss(pure, 1, contents, neighborhood);
                NoisySynopsis gaussian = new NoisySynopsis(CONCENTRATED, plan, contents, neighborhood);
                if (gaussian.usesDelta()) {
                    double rho =
                            ((PrivacyAllowance.Concentrated) CONCENTRATED).rho().picos() / 1e12;
                    assertLoss(gaussian, rho, contents, neighborhood);
                }
            }
        }
    }

    private static void assertLoss(
            NoisySynopsis synopsis, double allowed, Contents contents, Neighborhood neighborhood) {
        SmallData data = SynopsisAudits.data(synopsis);
        List<List<long[]>> units = units(synopsis, neighborhood.unit().maxRows());
        List<List<long[]>> releases = units.stream()
                .map(rows -> synopsis.measured(
                        data.tables(synopsis.statistics(), rows), IntegerRelease.first(new SeededBits(5))))
                .toList();
        List<Stated> tables = synopsis.tables();
        double most = 0;
        for (int one = 0; one < units.size(); one++) {
            for (int other = 0; other <= one; other++) {
                if (isNeighbor(neighborhood, units.get(one), units.get(other))) {
                    most = Math.max(most, loss(tables, releases.get(one), releases.get(other)));
                }
            }
        }
        // The loss is all of the allowance, except for the share of tables of one node: no replaced unit moves them
        // twice.
        boolean isAttained = neighborhood.relation() == NeighboringRelation.ADD_OR_REMOVE_ONE
                || tables.stream().noneMatch(table -> table.nodes() == 1);
        assertThat(most)
                .as("%s, %s, %s", tables, contents, neighborhood)
                .isBetween(isAttained ? allowed * (1 - 1e-9) : 0, allowed * (1 + 1e-9));
    }

    private static boolean isNeighbor(Neighborhood neighborhood, List<long[]> one, List<long[]> other) {
        return switch (neighborhood.relation()) {
            case ADD_OR_REMOVE_ONE -> one.isEmpty() || other.isEmpty();
            case REPLACE_ONE -> !neighborhood.hasPublicRowCount() || !one.isEmpty() && !other.isEmpty();
        };
    }

    /** No row, and up to m rows in up to two of the first and the last cells, with the least and the greatest value. */
    private static List<List<long[]>> units(NoisySynopsis synopsis, int rows) {
        int[] last = synopsis.columns().stream()
                .mapToInt(column -> column.cells() - 1)
                .toArray();
        List<long[]> kinds = new ArrayList<>();
        for (long value : new long[] {-1, 2}) {
            for (int corner = 0; corner < 1 << last.length; corner++) {
                kinds.add(new long[] {
                    value, (corner & 1) * last[0], last.length == 1 ? 0 : (corner >> 1) * last[last.length - 1]
                });
            }
        }
        List<List<long[]>> units = new ArrayList<>(List.of(List.of()));
        for (int size = 1; size <= rows; size++) {
            for (long[] one : kinds) {
                for (long[] other : size == 1 ? List.of(one) : kinds) {
                    List<long[]> unit = new ArrayList<>(Collections.nCopies(size - 1, one));
                    unit.add(other);
                    units.add(unit);
                }
            }
        }
        return units;
    }

    private static double loss(List<Stated> tables, List<long[]> one, List<long[]> other) {
        double loss = 0;
        for (int table = 0; table < one.size(); table++) {
            Stated stated = tables.get(table);
            double spread = stated.spread().doubleValue();
            for (int node = 0; node < one.get(table).length; node++) {
                double move = Math.abs(one.get(table)[node] - other.get(table)[node]);
                loss += stated.rho() == null ? move / spread : move * move / (2 * spread * spread);
            }
        }
        return loss;
    }

    @Test
    void everyNodeHasNoiseOfItsOwn() {
        for (PrivacyAllowance allowance : List.of(PURE, CONCENTRATED)) {
            NoisySynopsis synopsis = counts(allowance, Plan.ofRanges(List.of(40, 3)));
            Sensitive<List<Buckets>> exact = SynopsisAudits.data(synopsis).sensitive(synopsis, List.of());
            List<long[]> first = synopsis.release(exact, new SeededBits(0)).tables();
            long[] moved =
                    new long[first.stream().mapToInt(table -> table.length).sum()];
            for (int seed = 1; seed < 60; seed++) {
                long[] next = flat(synopsis.release(exact, new SeededBits(seed)).tables());
                for (int i = 0; i < moved.length; i++) {
                    moved[i] += next[i] == flat(first)[i] ? 0 : 1;
                }
            }
            assertThat(moved).doesNotContain(0);
            assertThat(synopsis.workload()).isEqualTo(moved.length);
        }
    }

    private static long[] flat(List<long[]> tables) {
        return tables.stream().flatMapToLong(Arrays::stream).toArray();
    }

    /** Sums that no column can have are cut off. They cause no error. */
    @Test
    void measuresSumsThatDoNotFit() {
        NoisySynopsis synopsis = new NoisySynopsis(
                PURE, Plan.ofRanges(List.of(64)), new Contents(false, 0, 1L << 40), SmallData.ADD_OR_REMOVE_ROW);
        Buckets.Builder cells =
                Buckets.over(64, synopsis.statistics().getFirst().edges().toArray(), false);
        for (int cell = 0; cell < 64; cell++) {
            cells.add(cell, 1L << 40, 1L << 40);
        }
        Sensitive<List<Buckets>> exact = Sensitive.of(List.of(cells.build()));
        for (long[] table : synopsis.release(exact, new SeededBits(1)).tables()) {
            assertThat(Arrays.stream(table)).allMatch(node -> node > 1L << 61);
        }
    }

    @Test
    void aColumnOfZerosHasNoiseToo() {
        NoisySynopsis synopsis =
                new NoisySynopsis(PURE, Plan.ofRanges(List.of(4)), new Contents(false, 0, 0), SmallData.REPLACE_ROW);
        assertThat(synopsis.rms()).isPositive().isFinite();
    }

    /** Counts of a table by its corner cells, through the sums of its nodes. */
    @Test
    void sumsCellsToTheirNodes() {
        NoisySynopsis synopsis = new NoisySynopsis(
                new PrivacyAllowance.Concentrated(Epsilon.parse("100")),
                Plan.ofRanges(List.of(5, 3)),
                Contents.counts(false),
                SmallData.ADD_OR_REMOVE_ROW);
        List<long[]> rows = new ArrayList<>();
        for (int x = 0; x < 5; x++) {
            for (int y = 0; y < 3; y++) {
                rows.addAll(Collections.nCopies(100 * (x + 1) + 10 * y, new long[] {0, x, y}));
            }
        }
        List<long[]> tables = synopsis.release(
                        SynopsisAudits.data(synopsis).sensitive(synopsis, rows), new SeededBits(3))
                .tables();
        for (int i = 0; i < tables.size(); i++) {
            Stated stated = synopsis.tables().get(i);
            int wide = stated.divided().contains(0)
                    ? stated.widths().getFirst()
                    : synopsis.columns().get(0).widths().getLast();
            int high = stated.divided().contains(1)
                    ? stated.widths().getLast()
                    : synopsis.columns().get(1).widths().getLast();
            int across = synopsis.columns().get(1).widths().getLast() / high;
            double[] exact = new double[tables.get(i).length];
            rows.forEach(row -> exact[(int) row[1] / wide * across + (int) row[2] / high]++);
            for (int node = 0; node < exact.length; node++) {
                assertThat((double) tables.get(i)[node])
                        .isCloseTo(exact[node], within(8 * stated.spread().doubleValue()));
            }
        }
    }
}
