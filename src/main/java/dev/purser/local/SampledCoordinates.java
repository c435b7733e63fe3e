package dev.purser.local;

import dev.purser.noise.RandomBits;
import dev.purser.noise.UniformInteger;
import dev.purser.privacy.Epsilon;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.IntFunction;

/**
 * Reports several numbers of [-1, 1]. A report has k of d coordinates, drawn independently of the values. Each of them
 * is reported at {@code ε/k}. The other coordinates are not reported. Contributions are scaled by {@code d/k} to make
 * up for the coordinates that are left out.
 *
 * <p>Guarantee: exactly epsilon-locally differentially private for all coordinates together. Argument in
 * {@code SampledCoordinates.md}. Source: Nguyên et al. 2016; Wang et al. 2019, algorithm 4.
 *
 * @param <R> the report of one coordinate
 */
public final class SampledCoordinates<R>
        implements LocalRandomizer<List<Position>, List<CoordinateReport<R>>>, ReportSums<List<CoordinateReport<R>>> {
    public static final int MAX_DIMENSIONS = 10_000;

    // Minimises the worst variance of k reports at ε/k: Wang et al. 2019, equation 12.
    private static final long NANOS_PER_COORDINATE = 5 * Epsilon.NANOS_PER_UNIT / 2;

    private final Epsilon epsilon;
    private final int dimensions;
    private final int sampled;
    private final NumericRandomizer<R> each;
    private final IntFunction<NumericRandomizer<R>> ofCoordinate;

    private SampledCoordinates(Epsilon epsilon, int dimensions, int sampled, NumericRandomizer<R> each) {
        this(epsilon, dimensions, sampled, each, coordinate -> each);
    }

    /**
     * @param each a randomizer with the constants of every coordinate's reports
     * @param ofCoordinate draws the report of a coordinate
     */
    private SampledCoordinates(
            Epsilon epsilon,
            int dimensions,
            int sampled,
            NumericRandomizer<R> each,
            IntFunction<NumericRandomizer<R>> ofCoordinate) {
        this.epsilon = epsilon;
        this.dimensions = dimensions;
        this.sampled = sampled;
        this.each = each;
        this.ofCoordinate = ofCoordinate;
    }

    /**
     * One coordinate by {@link Harmony}.
     *
     * @param dimensions 1 … {@value #MAX_DIMENSIONS}
     * @param epsilon of the whole report, above 0, at most 100
     */
    public static SampledCoordinates<Sign> harmony(int dimensions, Epsilon epsilon) {
        checked(dimensions);
        return new SampledCoordinates<>(epsilon, dimensions, 1, new Harmony(epsilon));
    }

    /**
     * One coordinate for every 2.5 of epsilon, at least one, by {@link Piecewise}.
     *
     * @param dimensions 1 … {@value #MAX_DIMENSIONS}
     * @param epsilon of the whole report, above 0, at most 100 and {@link Piecewise#MAX_EPSILON} for a
     * coordinate
     */
    public static SampledCoordinates<Point> piecewise(int dimensions, Epsilon epsilon) {
        int sampled = sampled(dimensions, epsilon);
        return new SampledCoordinates<>(epsilon, dimensions, sampled, new Piecewise(share(epsilon, sampled)));
    }

    /**
     * One coordinate for every 2.5 of epsilon, at least one, by {@link Hybrid}.
     *
     * @param dimensions 1 … {@value #MAX_DIMENSIONS}
     * @param epsilon of the whole report, above 0, at most 100 and {@link Piecewise#MAX_EPSILON} for a
     * coordinate
     */
    public static SampledCoordinates<SignOrPoint> hybrid(int dimensions, Epsilon epsilon) {
        int sampled = sampled(dimensions, epsilon);
        return new SampledCoordinates<>(epsilon, dimensions, sampled, new Hybrid(share(epsilon, sampled)));
    }

    /**
     * One coordinate by {@link LeveledResponse}.
     *
     * @param levels the device's own private level of each coordinate, from 1; a collector has no levels and may state
     *     any
     */
    public static SampledCoordinates<LeveledSign> leveled(LeveledResponse response, List<Integer> levels) {
        List<Integer> own = List.copyOf(levels);
        return new SampledCoordinates<>(
                response.epsilon(),
                checked(own.size()),
                1,
                new LeveledNumber(response, 1),
                coordinate -> new LeveledNumber(response, own.get(coordinate)));
    }

    private static int sampled(int dimensions, Epsilon epsilon) {
        return (int) Math.clamp(epsilon.nanos() / NANOS_PER_COORDINATE, 1L, (long) checked(dimensions));
    }

    private static LocalEpsilon share(Epsilon epsilon, int sampled) {
        return LocalEpsilon.of(epsilon).dividedBy(sampled);
    }

    private static int checked(int dimensions) {
        if (dimensions < 1 || dimensions > MAX_DIMENSIONS) {
            throw new IllegalArgumentException("1 to " + MAX_DIMENSIONS + " dimensions, not " + dimensions);
        }
        return dimensions;
    }

    @Override
    public Epsilon epsilon() {
        return epsilon;
    }

    /** {@inheritDoc} The coordinates ascend. */
    @Override
    public List<CoordinateReport<R>> report(List<Position> values, RandomBits bits) {
        if (values.size() != dimensions) {
            throw new IllegalArgumentException("as many values as dimensions, " + dimensions);
        }
        List<CoordinateReport<R>> reports = new ArrayList<>(sampled);
        for (int coordinate : sample(bits)) {
            R report = ofCoordinate.apply(coordinate).report(values.get(coordinate), bits);
            reports.add(new CoordinateReport<>(coordinate, report));
        }
        return List.copyOf(reports);
    }

    /**
     * Draws a uniform subset (Floyd; Bentley 1987): the last coordinate replaces a candidate that was already drawn.
     */
    private SortedSet<Integer> sample(RandomBits bits) {
        SortedSet<Integer> subset = new TreeSet<>();
        for (int last = dimensions - sampled; last < dimensions; last++) {
            int candidate = (int) UniformInteger.below(last + 1, bits);
            subset.add(subset.contains(candidate) ? last : candidate);
        }
        return subset;
    }

    @Override
    public boolean isPossible(List<CoordinateReport<R>> reports) {
        int previous = -1;
        for (CoordinateReport<R> report : reports) {
            if (report.coordinate() <= previous
                    || report.coordinate() >= dimensions
                    || !each.isPossible(report.report())) {
                return false;
            }
            previous = report.coordinate();
        }
        return reports.size() == sampled;
    }

    /** The randomizer of one coordinate. */
    public NumericRandomizer<R> each() {
        return each;
    }

    /** d, the number of coordinates of a value. */
    public int dimensions() {
        return dimensions;
    }

    /** k, the number of coordinates of a report. */
    public int sampled() {
        return sampled;
    }

    /** The factor of a contribution, d/k. */
    public double scale() {
        return (double) dimensions / sampled;
    }

    /**
     * A number for the report's coordinate. The sum of these numbers over all reports, divided by the number of all
     * devices, is an unbiased estimate of the coordinate's mean. Devices that did not report the coordinate count too.
     */
    public double contribution(CoordinateReport<R> report) {
        return scale() * each.contribution(report.report());
    }

    @Override
    public int tallies() {
        return dimensions * each.tallies();
    }

    /** The sums of each coordinate, in the order of coordinates. */
    @Override
    public void add(List<CoordinateReport<R>> reports, long[] tally, int offset) {
        for (CoordinateReport<R> report : reports) {
            each.add(report.report(), tally, offset + report.coordinate() * each.tallies());
        }
    }

    /**
     * An unbiased estimate of each coordinate's mean.
     *
     * @param tally the sums of all reports
     * @param reports the number of devices that sent one, at least 1
     */
    public double[] means(long[] tally, long reports) {
        double[] means = new double[dimensions];
        for (int coordinate = 0; coordinate < dimensions; coordinate++) {
            // Each coordinate was reported by about k/d of the devices, and the other devices count as zero.
            means[coordinate] = scale() * each.contributions(tally, coordinate * each.tallies(), 0) / reports;
        }
        return means;
    }

    /** The largest {@link #variance} of any value of a coordinate. */
    public double largestVariance() {
        return Math.max(variance(0), variance(1));
    }

    /**
     * The variance of a device's contribution to one coordinate. The contribution is 0 if the coordinate was not drawn.
     *
     * @param v the device's value of that coordinate, -1 … 1
     */
    public double variance(double v) {
        return scale() * (each.variance(v) + v * v) - v * v;
    }
}
