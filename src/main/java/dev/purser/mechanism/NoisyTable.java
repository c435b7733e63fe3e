package dev.purser.mechanism;

import dev.purser.mechanism.Aggregate.Measure;
import dev.purser.mechanism.TablePart.Quantity;
import dev.purser.noise.RandomBits;
import dev.purser.noise.Rational;
import dev.purser.privacy.Neighborhood;
import dev.purser.privacy.PrivacyAllowance;
import dev.purser.privacy.PrivacyEvent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * A table of groups, with counts, sums, means, variances and standard deviations of each group. Every aggregate is
 * computed of integers that are measured once for each group. The allowance is divided over these parts, and each part
 * gets noise by its sensitivity over all groups together.
 *
 * <p>Guarantee: the allowance it is built for, for all groups and aggregates together, under the neighbouring relation
 * and privacy unit it is built with; pure epsilon if the parts divide epsilon. Condition: groups, bounds and weights
 * are public, and a row is in one group at most. Empty groups get noise like all others. Argument in {@code
 * NoisyTable.md}. Source: Dwork et al. 2006, section 4, for disjoint groups; Li et al. 2016, section 2.5, for centred
 * sums.
 */
public final class NoisyTable implements Mechanism<NoisyTable.Answer> {
    private final PrivacyAllowance allowance;
    private final List<Aggregate> aggregates;
    private final Shape shape;
    private final List<MeasuredPart> parts;

    /**
     * The groups of a table.
     *
     * @param filtered whether a filter, or a key whose edges leave values out, can leave out rows
     */
    public record Shape(int groups, boolean filtered) {}

    /** @param aggregates one or more */
    public NoisyTable(
            PrivacyAllowance allowance,
            List<Aggregate> aggregates,
            Shape shape,
            Neighborhood neighborhood,
            double beta) {
        this.allowance = allowance;
        this.aggregates = List.copyOf(aggregates);
        this.shape = shape;
        this.parts =
                MeasuredPart.of(allowance, claims(aggregates), shape, neighborhood, FailureProbability.checked(beta));
    }

    /** What each part claims: the largest, over the aggregates that need it, of weight times share. */
    private static SequencedMap<TablePart, Rational> claims(List<Aggregate> aggregates) {
        SequencedMap<TablePart, Rational> claims = new LinkedHashMap<>();
        for (Aggregate aggregate : aggregates) {
            Rational weight = Rational.of(aggregate.weight(), 1);
            for (TablePart.Share share : TablePart.of(aggregate, aggregates)) {
                claims.merge(share.part(), share.share().times(weight), Rational::max);
            }
        }
        return claims;
    }

    @Override
    public boolean usesDelta() {
        return !isPure();
    }

    /** Whether the parts divide epsilon, so that a delta or a rho would be of no use. */
    boolean isPure() {
        return parts.stream().allMatch(MeasuredPart::isByEpsilon);
    }

    @Override
    public Description description() {
        String noise = isPure() ? Description.DISCRETE_LAPLACE : Description.DISCRETE_GAUSSIAN;
        return new Description(isPure() ? "laplace-table" : "gaussian-table", noise, Map.of())
                .with("groups", shape.groups())
                .with("parts", parts.stream().map(MeasuredPart::described).toList());
    }

    @Override
    public List<Statistic> statistics() {
        return parts.stream().map(MeasuredPart::statistic).toList();
    }

    @Override
    public long workload() {
        return (long) shape.groups() * (parts.size() + aggregates.size());
    }

    @Override
    public PrivacyEvent event() {
        return PrivacyShare.event(allowance, isPure());
    }

    /**
     * A bound on an aggregate's error, in the unit of the data, that holds for all groups of so many rows or more with
     * any values, and for all aggregates together, except with probability beta.
     *
     * @param rows at least 1
     */
    public BigDecimal expectedAlpha(Aggregate aggregate, long rows) {
        return new ExpectedError(
                        BigInteger.valueOf(rows), part -> parts.get(place(part)).error())
                .of(aggregate, isAlone(aggregate));
    }

    /** About how many rows a group needs before the interval of its mean is shorter than the range of the values. */
    public BigInteger rowsForAShorterInterval() {
        return parts.get(place(TablePart.ROWS))
                .error()
                .multiply(BigInteger.valueOf(3))
                .add(BigInteger.ONE);
    }

    private int place(TablePart part) {
        return IntStream.range(0, parts.size())
                .filter(i -> parts.get(i).part().equals(part))
                .findFirst()
                .orElseThrow();
    }

    /** Whether an aggregate is a sum that no other aggregate shares a part with. */
    private boolean isAlone(Aggregate aggregate) {
        return TablePart.of(aggregate, aggregates).stream()
                .anyMatch(share -> share.part().quantity() == Quantity.SUM);
    }

    @Override
    public Answer release(Sensitive<List<Buckets>> exact, RandomBits bits) {
        List<Function<List<NoisyInteger>, IntervalEstimate>> readings =
                aggregates.stream().map(this::reading).toList();
        List<List<NoisyInteger>> noisy = measured(exact.open(), bits);
        return new Answer(new OnDemand<>(
                noisy.size(),
                group -> readings.stream()
                        .map(reading -> reading.apply(noisy.get(group)))
                        .toList()));
    }

    /** All that is released: for each group the noisy parts. */
    List<List<NoisyInteger>> measured(List<Buckets> tables, RandomBits bits) {
        List<List<NoisyInteger>> groups = new ArrayList<>(shape.groups());
        for (int i = 0; i < shape.groups(); i++) {
            int index = i;
            List<Buckets> group =
                    tables.stream().map(table -> table.group(index)).toList();
            groups.add(parts.stream().map(part -> part.release(group, bits)).toList());
        }
        return groups;
    }

    /** How an aggregate is computed of the released parts of a group. */
    private Function<List<NoisyInteger>, IntervalEstimate> reading(Aggregate aggregate) {
        Measure measure = aggregate.measure();
        if (measure == null) {
            int rows = place(TablePart.ROWS);
            return released -> NoisyMoments.count(released.get(rows));
        }
        if (isAlone(aggregate)) {
            int sum = place(new TablePart(Quantity.SUM, measure));
            return released -> NoisyMoments.sum(released.get(sum), measure);
        }
        int rows = place(TablePart.ROWS);
        int sum = place(new TablePart(Quantity.CENTERED_SUM, measure));
        Function<List<NoisyInteger>, NoisyMoments> moments =
                released -> new NoisyMoments(measure, released.get(rows), released.get(sum));
        return switch (aggregate.function()) {
            case COUNT -> throw new IllegalStateException("a count has no measure");
            case SUM -> moments.andThen(NoisyMoments::sum);
            case MEAN -> moments.andThen(NoisyMoments::mean);
            case VARIANCE -> variance(measure, moments);
            case STANDARD_DEVIATION -> variance(measure, moments).andThen(IntervalEstimate::squareRoot);
        };
    }

    private Function<List<NoisyInteger>, IntervalEstimate> variance(
            Measure measure, Function<List<NoisyInteger>, NoisyMoments> moments) {
        int squares = place(new TablePart(Quantity.CENTERED_SQUARES, measure));
        return released -> moments.apply(released).variance(released.get(squares));
    }

    /**
     * A released table.
     *
     * @param groups for each group the estimates of all aggregates, computed whenever they are read
     */
    public record Answer(List<List<IntervalEstimate>> groups) {}
}
