package dev.purser.mechanism;

import dev.purser.local.Harmony;
import dev.purser.local.Hybrid;
import dev.purser.local.NumericRandomizer;
import dev.purser.local.Piecewise;
import dev.purser.local.Point;
import dev.purser.local.Position;
import dev.purser.local.Sign;
import dev.purser.noise.RandomBits;
import dev.purser.noise.Rational;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyEvent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.LongStream;

/**
 * A mean by a protocol of the local model, run by the server: every row's clamped value is randomized by itself, and
 * only the debiased sum of these reports leaves.
 *
 * <p>Guarantee: epsilon-differentially private, for the local epsilon of one report, where units of one row are
 * replaced and no filter can drop them: neighbours have the same number of reports, and all but one of them have the
 * same distribution. Anywhere else it is not private, because the number of reports reveals a row more or less. The
 * constructor and the web edge refuse all such cases. For n rows its error is about {@code √(n/2)} times the error of
 * {@link KnownCountMean}. Argument in {@code LocalMean.md}. Source: Duchi et al. 2013; Wang et al. 2019.
 */
public final class LocalMean implements MeanMechanism {
    /** The largest number of grid values of a range. The engine counts the rows of each value. */
    public static final int MAX_VALUES = 100_000;

    private static final String NAME = "local-mean";
    private static final MathContext DISPLAY = new MathContext(12);

    /** Makes up for floating point, and for the rounding of values to points, which is below 1e-7 of a variance. */
    private static final double SLACK = 1 + 1e-6;

    private final Epsilon epsilon;
    private final Protocol protocol;
    private final MeanTarget target;
    private final double beta;
    private final Reports<?> reports;

    /**
     * Builds the mean for a target whose count is public.
     *
     * @param epsilon at most {@link Protocol#mostEpsilon}
     * @throws IllegalArgumentException if the count is not public, the range has too many values, or a parameter is out
     *     of its range
     */
    public LocalMean(Epsilon epsilon, Protocol protocol, MeanTarget target, double beta) {
        if (!isPrivateFor(target)) {
            throw new IllegalArgumentException("the number of rows is private here");
        }
        if (target.upper() - target.lower() >= MAX_VALUES) {
            throw new IllegalArgumentException("a range of at most " + MAX_VALUES + " values");
        }
        this.epsilon = epsilon;
        this.protocol = protocol;
        this.target = target;
        this.beta = FailureProbability.checked(beta);
        reports = protocol.made.apply(epsilon);
    }

    /** Whether this mechanism is private for the target. */
    public static boolean isPrivateFor(MeanTarget target) {
        return target.hasPublicCount();
    }

    /** The local protocol that randomizes a row. */
    public enum Protocol {
        HARMONY(
                epsilon -> new Reports<>(new Harmony(epsilon), List.of(Sign.PLUS)),
                new Epsilon(100 * Epsilon.NANOS_PER_UNIT)),
        PIECEWISE(epsilon -> new Reports<>(new Piecewise(epsilon), List.of(Reports.LAST)), Piecewise.MAX_EPSILON),
        HYBRID(epsilon -> new Reports<>(new Hybrid(epsilon), List.of(Sign.PLUS, Reports.LAST)), Piecewise.MAX_EPSILON);

        private final Function<Epsilon, Reports<?>> made;
        private final Epsilon mostEpsilon;

        Protocol(Function<Epsilon, Reports<?>> made, Epsilon mostEpsilon) {
            this.made = made;
            this.mostEpsilon = mostEpsilon;
        }

        /** The largest epsilon with which the protocol draws reports. */
        public Epsilon mostEpsilon() {
            return mostEpsilon;
        }
    }

    /**
     * The reports of rows.
     *
     * @param farthest the report with the largest contribution is one of these reports; some of them may be impossible
     */
    private record Reports<R>(NumericRandomizer<R> randomizer, List<R> farthest) {
        private static final Point LAST = new Point(Piecewise.POINTS - 1);

        double largestContribution() {
            return farthest.stream()
                    .filter(randomizer::isPossible)
                    .mapToDouble(randomizer::contribution)
                    .max()
                    .orElseThrow();
        }

        /** Adds one report for each of {@code rows} rows that have this value, each with bits of its own. */
        void add(Position value, long rows, long[] tally, RandomBits bits) {
            for (long row = 0; row < rows; row++) {
                randomizer.add(randomizer.report(value, bits), tally, 0);
            }
        }
    }

    @Override
    public Description description() {
        return new Description(NAME, Description.LOCAL_RANDOMIZER, Map.of())
                .with("protocol", protocol.name().toLowerCase(Locale.ROOT))
                .withSteps("largestContribution", shown(reports.largestContribution()))
                .withSteps(
                        "standardDeviation",
                        shown(Math.sqrt(reports.randomizer().largestVariance())));
    }

    private BigDecimal shown(double contribution) {
        return new BigDecimal(contribution * width() / 2, DISPLAY);
    }

    @Override
    public List<Statistic> statistics() {
        return LongStream.rangeClosed(0, width())
                .<Statistic>mapToObj(this::rowsAt)
                .toList();
    }

    /** A report is drawn for every row, and the mechanism knows no bound on the number of rows. */
    @Override
    public long workload() {
        return EVERY_ROW;
    }

    private long width() {
        return target.upper() - target.lower();
    }

    /** The number of rows whose clamped value is {@code steps} above the lower bound. */
    private Statistic.Count rowsAt(long steps) {
        long value = target.lower() + steps;
        return new Statistic.Count(
                target.table(),
                target.selective(),
                steps == 0 ? Statistic.NO_LOWER_END : value,
                steps == width() ? Statistic.NO_UPPER_END : value + 1);
    }

    @Override
    public PrivacyEvent event() {
        return new PrivacyEvent.PureDifferentialPrivacy(epsilon);
    }

    @Override
    public MeanAnswer release(Sensitive<List<Buckets>> exact, RandomBits bits) {
        List<Buckets> tables = exact.open();
        long[] tally = new long[reports.randomizer().tallies()];
        for (long steps = 0; steps <= width(); steps++) {
            // A range of one value is treated as if it were one step wide: its reports are multiplied by zero below.
            Position value = new Position(steps, Math.max(1, width()));
            reports.add(value, rowsAt(steps).of(tables).longValueExact(), tally, bits);
        }
        return debiased(tally, target.count().of(tables).longValueExact());
    }

    /**
     * Post-processing of reports.
     *
     * @param rows the number of reports, which is public
     */
    private MeanAnswer debiased(long[] tally, long rows) {
        if (rows == 0) {
            return MeanAnswer.within(target, inSteps(0), inSteps(-1), inSteps(1));
        }
        double mean = reports.randomizer().contributions(tally, 0, rows) / rows;
        double error = error(rows);
        return MeanAnswer.within(target, inSteps(mean), inSteps(mean - error), inSteps(mean + error));
    }

    /** A number of [-1, 1], or beyond this range, converted to grid steps. */
    private Rational inSteps(double contribution) {
        BigDecimal decimal = new BigDecimal(contribution, MathContext.DECIMAL64);
        Rational fromMiddle = new Rational(decimal.unscaledValue(), BigInteger.TEN.pow(decimal.scale()));
        return new Rational(BigInteger.valueOf(target.lower() + target.upper()), BigInteger.TWO)
                .plus(fromMiddle.times(Rational.of(width(), 2)));
    }

    @Override
    public BigDecimal expectedAlphaSteps(long rows) {
        if (rows < 1) {
            throw new IllegalArgumentException("a mean is of at least one row");
        }
        return new BigDecimal(error(rows) * width() / 2, new MathContext(DISPLAY.getPrecision(), RoundingMode.CEILING))
                .min(BigDecimal.valueOf(width()));
    }

    /**
     * The distance of the mean contribution of n reports from the mean of their expectations, except with probability
     * at most beta, whatever the rows are. Contributions lie in [-c, c], so Hoeffding's inequality gives the first
     * bound. They are at most c + 1 from their expectations and have at most the largest variance, so Bernstein's
     * inequality gives the second.
     */
    private double error(long rows) {
        double exponent = Math.log(2 / beta);
        double largest = reports.largestContribution();
        double hoeffding = largest * Math.sqrt(2 * exponent / rows);
        double linear = exponent * (largest + 1) / (3 * rows);
        double bernstein = linear
                + Math.sqrt(
                        linear * linear + 2 * exponent * reports.randomizer().largestVariance() / rows);
        return SLACK * Math.min(hoeffding, bernstein);
    }
}
