package dev.purser.mechanism;

import dev.purser.noise.OneSidedGeometric;
import dev.purser.noise.RandomBits;
import dev.purser.noise.Rational;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.Neighborhood;
import dev.purser.privacy.PrivacyEvent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Quantiles among public points, of all rows or of disjoint groups. For each probability, report-noisy-max in the form
 * of permute-and-flip selects the point whose cell is nearest in rank. Two more selections give the ends of an
 * interval.
 *
 * <p>Guarantee: epsilon-differentially private for all probabilities and groups together, under the neighbouring
 * relation and privacy unit it is built with. Condition: points and probabilities are public. Every selection takes one
 * noise draw per point, whatever the rows are. Argument in {@code NoisyMaxQuantile.md}. Source: McSherry and Talwar
 * 2007; Dwork and Roth 2014, section 3.3; Smith 2011 for the utility.
 */
public final class NoisyMaxQuantile implements Mechanism<NoisyMaxQuantile.Answer> {
    private static final Rational TWO = Rational.of(2, 1);

    private final Epsilon epsilon;
    private final QuantilePoints points;
    private final Neighborhood neighborhood;
    private final double beta;
    private final int groups;
    private final List<Target> targets;

    /** The quantiles of all rows as one group. */
    public NoisyMaxQuantile(
            Epsilon epsilon,
            QuantilePoints points,
            List<Rational> probabilities,
            Neighborhood neighborhood,
            double beta) {
        this(epsilon, points, probabilities, 1, neighborhood, beta);
    }

    /**
     * The same selections in each of some disjoint groups.
     *
     * @param probabilities each above 0 and below 1, a whole number of millionths
     * @param groups the number of groups of the points' table
     */
    public NoisyMaxQuantile(
            Epsilon epsilon,
            QuantilePoints points,
            List<Rational> probabilities,
            int groups,
            Neighborhood neighborhood,
            double beta) {
        this.epsilon = epsilon;
        this.points = points;
        this.neighborhood = neighborhood;
        this.groups = groups;
        this.beta = FailureProbability.checked(beta);
        Rational share = ExactArithmetic.of(epsilon).dividedBy(Rational.of(probabilities.size(), 1));
        this.targets = probabilities.stream().map(each -> target(each, share)).toList();
    }

    /** @param share the epsilon of one probability: half goes to the value and a quarter to each end */
    private Target target(Rational probability, Rational share) {
        if (probability.signum() <= 0 || probability.compareTo(Rational.ONE) >= 0) {
            throw new IllegalArgumentException("a probability must be above 0 and below 1");
        }
        BigInteger l1Sensitivity = l1Sensitivity(probability, neighborhood, groups);
        Rational half = share.dividedBy(TWO);
        return new Target(
                probability,
                NoisyMax.calibrated(l1Sensitivity, half),
                NoisyMax.calibrated(l1Sensitivity, half.dividedBy(TWO)));
    }

    /**
     * The largest change of a distance that one privacy unit causes, in ranks times the probability's denominator. In
     * several groups it is the sum of what all rows of the unit can change, whatever groups they are in. Where a unit
     * is replaced, the rows that leave and the rows that come both count.
     */
    static BigInteger l1Sensitivity(Rational probability, Neighborhood neighborhood, int groups) {
        BigInteger above = probability.numerator();
        BigInteger below = probability.denominator().subtract(above);
        BigInteger rows = BigInteger.valueOf(neighborhood.unit().maxRows());
        // In these units, a row adds +above or −below to a·n − #{x < q}. A row that fails the filter adds nothing.
        BigInteger ofARow = above.max(below);
        return rows.multiply(
                switch (neighborhood.relation()) {
                    case ADD_OR_REMOVE_ONE -> ofARow;
                    case REPLACE_ONE -> groups == 1 ? above.add(below) : ofARow.shiftLeft(1);
                });
    }

    /** One probability and the noise of its selections, in ranks times its denominator. */
    private record Target(Rational probability, NoisyMax value, NoisyMax end) {}

    @Override
    public Description description() {
        Description description =
                Description.discreteLaplace("noisy-max-quantile").withNoise(Description.ONE_SIDED_GEOMETRIC);
        return (groups == 1 ? description : description.with("groups", groups))
                .with("points", points.count())
                .withSteps("spacing", Rational.of(points.spacing(), 1))
                .with("valueScale", largestScale(true))
                .with("endScale", largestScale(false));
    }

    /** The largest noise scale of all probabilities, in ranks. */
    private BigDecimal largestScale(boolean ofValues) {
        Rational largest = Rational.ZERO;
        for (Target target : targets) {
            Rational scale = (ofValues ? target.value() : target.end()).noise().scale();
            Rational ranks = scale.dividedBy(Rational.of(target.probability().denominator()));
            largest = ranks.compareTo(largest) > 0 ? ranks : largest;
        }
        return ExactArithmetic.display(largest);
    }

    @Override
    public List<Statistic> statistics() {
        return points.statistics();
    }

    @Override
    public long workload() {
        return 3L * points.count() * targets.size() * groups;
    }

    @Override
    public PrivacyEvent event() {
        return new PrivacyEvent.PureDifferentialPrivacy(epsilon);
    }

    /** The bound on the rank error that holds for all values together, except with probability at most beta. */
    public BigDecimal alphaRanks() {
        BigDecimal largest = BigDecimal.ZERO;
        for (Target target : targets) {
            BigInteger bound = winnerDistance(target.value().noise(), ofEach());
            largest = largest.max(new BigDecimal(bound)
                    .divide(new BigDecimal(target.probability().denominator())));
        }
        return largest;
    }

    private double ofEach() {
        return FailureProbability.ofEach(beta, targets.size() * groups);
    }

    /**
     * A bound on the winner's distance that fails with at most the given probability. Some cell has distance 0 and
     * noise of at least 0, so the bound holds if no other cell's noise exceeds it.
     */
    private BigInteger winnerDistance(OneSidedGeometric noise, double probability) {
        return points.count() == 1 ? BigInteger.ZERO : noise.quantile(probability / (points.count() - 1));
    }

    /**
     * The shift of the rank at which an end is searched: one more than the bound on its miss, so each end is on its own
     * side.
     */
    BigInteger shift(int index) {
        return winnerDistance(targets.get(index).end().noise(), ofEach() / 2).add(BigInteger.ONE);
    }

    @Override
    public Answer release(Sensitive<List<Buckets>> exact, RandomBits bits) {
        List<Buckets> tables = exact.open();
        return new Answer(IntStream.range(0, groups)
                .mapToObj(group -> released(
                        tables.stream().map(table -> table.group(group)).toList(), bits))
                .toList());
    }

    private List<Quantile> released(List<Buckets> group, RandomBits bits) {
        BigInteger[] below = points.below(group);
        List<Quantile> quantiles = new ArrayList<>(targets.size());
        for (int i = 0; i < targets.size(); i++) {
            Target target = targets.get(i);
            BigInteger shift = shift(i);
            int value = target.value().nearest(distances(below, target.probability(), BigInteger.ZERO), bits);
            int low = target.end().nearest(distances(below, target.probability(), shift.negate()), bits);
            int high = target.end().nearest(distances(below, target.probability(), shift), bits);
            quantiles.add(new Quantile(value, low, high));
        }
        return quantiles;
    }

    /**
     * The distance of a·n + shift from the ranks of each cell, times the denominator of a. It is 0 where a·n + shift
     * lies between {@code #{x < point}} and {@code #{x < next point}}. The outer cells are open, so one distance is
     * always 0.
     *
     * @param below as {@link QuantilePoints#below}
     */
    static BigInteger[] distances(BigInteger[] below, Rational probability, BigInteger shift) {
        int cells = below.length - 1;
        BigInteger rank = probability.numerator().multiply(below[cells]).add(shift);
        BigInteger[] distances = new BigInteger[cells];
        for (int i = 0; i < cells; i++) {
            BigInteger distance = BigInteger.ZERO;
            if (i > 0) {
                distance = distance.max(
                        probability.denominator().multiply(below[i]).subtract(rank));
            }
            if (i < cells - 1) {
                distance = distance.max(rank.subtract(probability.denominator().multiply(below[i + 1])));
            }
            distances[i] = distance;
        }
        return distances;
    }

    /**
     * The selections for one probability, as positions among the points.
     *
     * @param value the value's cell
     * @param low the cell at whose start the interval starts, unless the value is below it
     * @param high the cell at whose end the interval ends, unless the value is above it
     */
    public record Quantile(int value, int low, int high) {}

    /** @param groups for each group one quantile for each probability, in order */
    public record Answer(List<List<Quantile>> groups) {
        /** The quantiles of the only group. */
        List<Quantile> quantiles() {
            return groups.getFirst();
        }
    }
}
