package dev.purser.mechanism;

import dev.purser.noise.DiscreteLaplacePmf;
import dev.purser.privacy.Neighborhood;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** Audits of counts, sums and histograms. A unit has m rows. */
final class CountAudits {
    /** Rows of value 0 only. */
    private static final SmallData ZEROS = new SmallData(List.of(new SmallData.View(0, row -> row[0] == 0)));

    private CountAudits() {}

    /** A filtered count of 10 against 10 + m, epsilon 1, answers of at most 10. */
    static AuditCase count(Neighborhood neighborhood) {
        int m = neighborhood.unit().maxRows();
        DiscreteLaplacePmf noise = new DiscreteLaplacePmf(m);
        return new AuditCase(
                new Audit<>(
                        ServedMechanisms.count("1", Statistic.Count.ofAll(0, true), neighborhood),
                        ZEROS,
                        Pair.of(neighborhood, SmallData.repeated(10, 0), new long[] {1}, new long[] {0}),
                        answer -> answer.steps().compareTo(BigInteger.TEN) <= 0),
                () -> new AuditCase.Probabilities(noise.atMost(0), noise.atMost(-m)));
    }

    /** A sum over [0, 100], epsilon 1: 0 against 100·m, answers of at most 0. */
    static AuditCase sum(Neighborhood neighborhood) {
        int m = neighborhood.unit().maxRows();
        DiscreteLaplacePmf noise = new DiscreteLaplacePmf(100 * m);
        return new AuditCase(
                new Audit<>(
                        ServedMechanisms.sum("1", new Statistic.ClampedSum(0, false, 0, 100), neighborhood),
                        SmallData.ONE_COLUMN,
                        Pair.of(neighborhood, List.of(), new long[] {-5}, new long[] {5_000}),
                        answer -> answer.steps().signum() <= 0),
                () -> new AuditCase.Probabilities(noise.atMost(0), noise.atMost(-100 * m)));
    }

    /**
     * Two bins, epsilon 1: where units are replaced, m rows move from the second to the first, and the event is that both
     * answers are on the near side. Each bin shows half of the loss.
     */
    static AuditCase histogram(Neighborhood neighborhood) {
        int m = neighborhood.unit().maxRows();
        int moved = switch (neighborhood.relation()) {
            case ADD_OR_REMOVE_ONE -> 0;
            case REPLACE_ONE -> m;
        };
        DiscreteLaplacePmf noise = new DiscreteLaplacePmf(m + moved);
        List<long[]> others = new ArrayList<>(SmallData.repeated(10, 0));
        others.addAll(SmallData.repeated(10, 1));
        BigInteger second = BigInteger.valueOf(10 + moved);
        return new AuditCase(
                new Audit<>(
                        ServedMechanisms.histogram("1", 0, false, new long[] {0, 1, 2}, neighborhood),
                        SmallData.ONE_COLUMN,
                        Pair.of(neighborhood, others, new long[] {1}, new long[] {0}),
                        answer -> answer.counts().get(0).compareTo(BigInteger.TEN) <= 0
                                && answer.counts().get(1).compareTo(second) >= 0),
                () -> new AuditCase.Probabilities(
                        noise.atMost(0) * noise.atLeast(0), noise.atMost(-m) * noise.atLeast(moved)));
    }

    /**
     * A sum of up to 2^20 rows of up to 2^40 each, epsilon 1, so that the noise is of the order 2^60: no row, or one of 1, and
     * answers whose last three bits are 0. Noise has all last bits equally often; a {@code double} of that size has none.
     */
    static AuditCase lowBitsOfASum() {
        Neighborhood neighborhood = SmallData.addOrRemoveUnit(1 << 20);
        return new AuditCase(
                new Audit<>(
                        ServedMechanisms.sum("1", new Statistic.ClampedSum(0, false, 0, 1L << 40), neighborhood),
                        SmallData.ONE_COLUMN,
                        new Pair(List.of(), SmallData.rows(1)),
                        answer -> answer.steps().getLowestSetBit() >= 3),
                () -> new AuditCase.Probabilities(0.125, 0.125));
    }
}
