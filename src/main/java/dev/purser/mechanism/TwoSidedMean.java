package dev.purser.mechanism;

import dev.purser.mechanism.Aggregate.Function;
import dev.purser.privacy.Grid;
import dev.purser.privacy.PrivacyAllowance;
import dev.purser.privacy.PrivacyEvent;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Stream;

/**
 * A mean from two noisy sums: the sum of the distances from the lower end of the range, and from the upper end. A row
 * adds the width of the range to both sums together, so both get the whole allowance. The mean and the number of rows
 * follow from them. Where the number of rows is public, one sum is measured. It is a {@link NoisyTable} of one mean and
 * one count, of all rows.
 *
 * <p>Guarantee: the allowance it is built for, under the target's neighbouring relation and privacy unit; pure epsilon
 * with Laplace noise. Argument in {@code TwoSidedMean.md}. Source: Fitzsimons et al. 2024; Kulesza et al. 2024.
 */
public final class TwoSidedMean implements MeanMechanism, Refinable<MeanAnswer> {
    private final MeanTarget target;
    private final Aggregate mean;
    private final NoisyTable table;

    public TwoSidedMean(PrivacyAllowance allowance, MeanTarget target, double beta) {
        this.target = target;
        // In grid steps, so the grid and the name of the column do not matter.
        this.mean = new Aggregate(
                Function.MEAN, new Aggregate.Measure("", Grid.ONE, target.table(), target.lower(), target.upper()), 1);
        this.table =
                NoisyTable.ofAllRows(allowance, List.of(new Aggregate(Function.COUNT, null, 1), mean), target, beta);
    }

    @Override
    public Description description() {
        MeasuredPart part = table.parts().getFirst();
        Description description = part.noise().description("two-sided-mean");
        return part.part().equals(TablePart.ROWS)
                ? description.with(
                        "countScale", ExactArithmetic.display(part.noise().spread()))
                : part.noise().describe(description.withSteps("sensitivity", part.sensitivityOfNoise()), "scale");
    }

    NoisyTable table() {
        return table;
    }

    @Override
    public List<Statistic> statistics() {
        return table.statistics();
    }

    @Override
    public PrivacyEvent event() {
        return table.event();
    }

    @Override
    public BigDecimal expectedAlphaSteps(long rows) {
        if (rows < 1) {
            throw new IllegalArgumentException("a mean is of at least one row");
        }
        return table.expectedAlpha(mean, rows);
    }

    @Override
    public Stream<AdditiveNoise> noises() {
        return table.noises();
    }

    @Override
    public MeanAnswer release(Sensitive<List<Buckets>> exact, IntegerRelease release) {
        List<IntervalEstimate> released = table.release(exact, release).groups().getFirst();
        IntervalEstimate steps = released.getLast();
        return new MeanAnswer(
                steps.value(),
                steps.low(),
                steps.high(),
                target.lower(),
                target.upper(),
                target.hasPublicCount() ? null : released.getFirst());
    }
}
