package dev.purser.mechanism;

import dev.purser.mechanism.Aggregate.Measure;
import dev.purser.mechanism.TablePart.Quantity;
import dev.purser.noise.Rational;
import dev.purser.privacy.Neighborhood;
import dev.purser.privacy.PrivacyAllowance;
import dev.purser.privacy.PrivacyEvent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A table of groups, with counts, sums, means, variances and standard deviations of each group. Every aggregate is
 * computed from integers that are measured once for each group, in parts. The allowance is divided over the parts. Each
 * part gets noise by its sensitivity over all groups together.
 *
 * <p>Guarantee: the allowance it is built for, for all groups and aggregates together, under the neighbouring relation
 * and privacy unit it is built with; pure epsilon if the parts divide epsilon. Condition: groups, bounds and weights
 * are public, and a row is in one group at most. Empty groups get noise like all other groups. Argument in
 * {@code NoisyTable.md}. Source: Dwork et al. 2006, section 4, for disjoint groups; Fitzsimons et al. 2024 and Kulesza
 * et al. 2024 for sums from both ends of the range.
 */
public final class NoisyTable implements Refinable<NoisyTable.Answer> {
    private final PrivacyAllowance allowance;
    private final List<Aggregate> aggregates;
    private final Shape shape;
    private final double failure;
    private final List<MeasuredPart> parts;
    private final List<MeasuredMoments> moments;
    private final List<Function<List<List<BigInteger>>, IntervalEstimate>> readings;

    /**
     * The groups of a table.
     *
     * @param filtered whether a filter, or a key whose edges leave values out, can leave out rows
     * @param ofBlock the number of groups that can have rows of one block: all groups, unless blocks have groups of
     *     their own
     */
    public record Shape(int groups, boolean filtered, int ofBlock) {
        /** Groups that each can have rows of every block. */
        public Shape(int groups, boolean filtered) {
            this(groups, filtered, groups);
        }

        /** Whether a unit can have no row in a group. */
        boolean leavesOut() {
            return filtered || groups > 1;
        }
    }

    /** @param aggregates one or more */
    public NoisyTable(
            PrivacyAllowance allowance,
            List<Aggregate> aggregates,
            Shape shape,
            Neighborhood neighborhood,
            double beta) {
        this(allowance, aggregates, neighborhood, shape, ofEach(beta, aggregates.size(), shape));
    }

    private NoisyTable(
            PrivacyAllowance allowance,
            List<Aggregate> aggregates,
            Neighborhood neighborhood,
            Shape shape,
            double failure) {
        this.allowance = allowance;
        this.aggregates = List.copyOf(aggregates);
        this.shape = shape;
        this.failure = failure;
        // Cells need pure epsilon: the bound for a sum of Gaussian noises is wider than the bounds of pairs with their
        // shares.
        boolean ofCells = allowance instanceof PrivacyAllowance.Pure;
        boolean hasPublicRows = neighborhood.hasPublicRowCount() && !shape.filtered() && shape.groups() == 1;
        this.parts = MeasuredPart.of(
                allowance, TablePart.claims(aggregates, hasPublicRows, ofCells), shape, neighborhood, failure);
        this.moments = parts.stream()
                .filter(part -> part.part().isOfMoments())
                .flatMap(part -> aggregates.stream()
                        .map(Aggregate::measure)
                        .filter(Objects::nonNull)
                        .filter(part.part()::isOf)
                        .distinct()
                        .map(measure -> new MeasuredMoments(
                                measure,
                                part,
                                find(Quantity.PRODUCTS, measure).orElse(null),
                                part.part().first(measure))))
                .toList();
        this.readings = aggregates.stream().map(this::reading).toList();
    }

    /** A table of all rows. The interval of each aggregate, by itself, fails with probability at most beta. */
    static NoisyTable ofAllRows(
            PrivacyAllowance allowance, List<Aggregate> aggregates, MeanTarget target, double beta) {
        return new NoisyTable(
                allowance,
                aggregates,
                target.neighborhood(),
                new Shape(1, target.selective()),
                FailureProbability.checked(beta));
    }

    /** The failure probability of each value. Groups are independent of each other. The values of one group are not. */
    private static double ofEach(double beta, int aggregates, Shape shape) {
        return FailureProbability.ofEach(FailureProbability.checked(beta), shape.groups()) / aggregates;
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

    List<MeasuredPart> parts() {
        return parts;
    }

    @Override
    public List<Statistic> statistics() {
        return parts.stream().flatMap(part -> part.part().statistics().stream()).toList();
    }

    @Override
    public long workload() {
        int draws = parts.stream().mapToInt(part -> part.part().draws()).sum();
        return (long) shape.groups() * (draws + aggregates.size());
    }

    @Override
    public PrivacyEvent event() {
        return PrivacyShare.event(allowance, isPure());
    }

    /**
     * A bound on an aggregate's error, in the unit of the data, that holds for all groups of {@code rows} rows or more
     * with any values, and for all aggregates together, except with probability beta.
     *
     * @param rows at least 1
     */
    public BigDecimal expectedAlpha(Aggregate aggregate, long rows) {
        Rational steps = alone(aggregate)
                .map(part -> Rational.of(part.noise().quantile(failure)))
                .or(() -> moments(aggregate).map(of -> of.expected(aggregate.function(), rows, failure)))
                .orElse(Rational.ZERO);
        BigDecimal error = IntervalEstimate.decimal(steps, RoundingMode.CEILING);
        return switch (aggregate.function()) {
            case COUNT, UNITS, SUM, MEAN -> error.multiply(aggregate.resolution());
            case VARIANCE -> error.multiply(aggregate.resolution().pow(2));
            case STANDARD_DEVIATION ->
                // |√a − √b| is at most √|a − b|.
                error.sqrt(IntervalEstimate.context(RoundingMode.CEILING)).multiply(aggregate.resolution());
        };
    }

    /** About how many rows a group needs before the interval of its mean is shorter than the range of the values. */
    public BigInteger rowsForAShorterInterval() {
        return moments.stream().map(of -> of.rowsForAShorterInterval(failure)).reduce(BigInteger.ONE, BigInteger::max);
    }

    private Optional<MeasuredPart> find(Quantity quantity, @Nullable Measure measure) {
        TablePart wanted = new TablePart(quantity, measure, null);
        return parts.stream().filter(part -> part.part().equals(wanted)).findFirst();
    }

    /** The part that is an aggregate by itself: a count, or a sum whose values have no measured moments. */
    private Optional<MeasuredPart> alone(Aggregate aggregate) {
        return switch (aggregate.function()) {
            case COUNT -> find(Quantity.COUNT, null);
            case UNITS -> find(Quantity.UNITS, aggregate.measure());
            case SUM -> find(Quantity.SUM, aggregate.measure());
            case MEAN, VARIANCE, STANDARD_DEVIATION -> Optional.empty();
        };
    }

    /**
     * The moments that an aggregate is computed from. For a count they are the moments that state it best. A constant
     * has none.
     */
    private Optional<MeasuredMoments> moments(Aggregate aggregate) {
        return aggregate.measure() == null
                ? moments.stream().min(Comparator.comparing(of -> of.part().errorOfRows(failure)))
                : moments.stream()
                        .filter(of -> of.measure().equals(aggregate.measure()))
                        .findFirst();
    }

    @Override
    public Stream<AdditiveNoise> noises() {
        return IntStream.range(0, shape.groups())
                .boxed()
                .flatMap(group -> parts.stream().flatMap(MeasuredPart::noises));
    }

    @Override
    public Answer release(Sensitive<List<Buckets>> exact, IntegerRelease release) {
        List<List<List<BigInteger>>> noisy = measured(exact.open(), release);
        return new Answer(new OnDemand<>(
                noisy.size(),
                group -> readings.stream()
                        .map(reading -> reading.apply(noisy.get(group)))
                        .toList()));
    }

    /** All that is released: for each group the integers of each part. */
    List<List<List<BigInteger>>> measured(List<Buckets> tables, IntegerRelease release) {
        List<List<List<BigInteger>>> groups = new ArrayList<>(shape.groups());
        for (int i = 0; i < shape.groups(); i++) {
            int index = i;
            List<Buckets> group =
                    tables.stream().map(table -> table.group(index)).toList();
            groups.add(parts.stream().map(part -> part.release(group, release)).toList());
        }
        return groups;
    }

    /** How an aggregate is computed from the released parts of a group. */
    private Function<List<List<BigInteger>>, IntervalEstimate> reading(Aggregate aggregate) {
        return alone(aggregate)
                .map(part -> reading(part, aggregate))
                .or(() -> moments(aggregate).map(of -> reading(of, aggregate)))
                .orElseGet(() -> {
                    IntervalEstimate constant = aggregate.ofNoWidth();
                    return released -> constant;
                });
    }

    private Function<List<List<BigInteger>>, IntervalEstimate> reading(MeasuredPart alone, Aggregate aggregate) {
        int place = parts.indexOf(alone);
        BigInteger error = alone.noise().quantile(failure);
        BigInteger least = aggregate.function().isCount() ? BigInteger.ZERO : null;
        return released -> IntervalEstimate.ofWhole(
                Rational.of(released.get(place).getFirst()), Rational.of(error), least, aggregate.resolution());
    }

    private Function<List<List<BigInteger>>, IntervalEstimate> reading(MeasuredMoments of, Aggregate aggregate) {
        Function<NoisyMoments, IntervalEstimate> reading = of.reading(aggregate.function(), failure);
        int place = parts.indexOf(of.part());
        MeasuredPart products = of.products();
        int ofProducts = parts.indexOf(products);
        return released -> {
            Rational cross = products == null
                    ? Rational.ZERO
                    : products.part().inRows(released.get(ofProducts).getFirst());
            return reading.apply(of.moments(released.get(place), cross));
        };
    }

    /**
     * A released table.
     *
     * @param groups for each group the estimates of all aggregates, computed whenever they are read
     */
    public record Answer(List<List<IntervalEstimate>> groups) {}
}
