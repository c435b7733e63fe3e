package dev.purser.mechanism;

import java.util.List;

/**
 * The hand-written list of all mechanisms that can release data. An auditor reads it first. A mechanism that is not
 * listed is not served. A listed mechanism has a proof note beside its class and an audit with a case of its own
 * ({@code MechanismsTests}). The mechanisms of {@link SparseVector}, except the textbook's, are also served as
 * conversations, by {@link InteractiveSparseVector} with the same noises and names.
 */
public final class Mechanisms {
    private static final String BOTH = "add-or-remove-one; replace-one";
    private static final String PUBLIC_COUNT = "replace-one, unit row, without a filter";
    private static final String LEAST_NOISE =
            "used where delta is above 0 or the accountant is zcdp, if it errs less than Laplace noise";
    private static final Parameter EPS = new Parameter("epsilon", "0.000001 to 100");
    private static final Parameter DELTA = new Parameter("delta", "0 to 0.01 under the accountant approximate, else 0");
    private static final Parameter WHERE = new Parameter("where", "0 to 100 conditions");
    private static final Parameter BOUNDS = new Parameter("lower, upper", "within the column's bounds");
    private static final Parameter RANGES = new Parameter("ranges", "1 to 100,000");
    private static final Parameter GROUPS = new Parameter("groupBy", "0 to 4 keys, 1 to 100,000 groups");
    private static final Parameter AGGREGATES = new Parameter("aggregates", "1 to 20, of weights 1 to 1000");
    private static final Parameter COLUMNS = new Parameter("columns", "1 to 40");
    private static final Parameter MARGINALS = new Parameter("marginals", "1 to 3 or none");
    private static final Parameter POSITIVES = new Parameter("maxPositives", "1 to 1000");
    private static final Parameter OPTIMAL = new Parameter("allocation", "optimal");
    private static final Parameter TEXTBOOK = new Parameter("allocation", "textbook");
    private static final Parameter BEST = new Parameter("variant", "automatic, single-threshold");
    private static final Parameter RESTART = new Parameter("variant", "automatic, restart");
    private static final Parameter ONE_SIDED = new Parameter("variant", "one-sided");
    private static final Parameter ADAPTIVE = new Parameter("variant", "adaptive");
    private static final String TWO_SIDED_BOUND =
            "mean: A +- t over A + B with t = scale*ln(1/f) + 1 or the exact tail of each draw at f/2 (Gaussian);"
                    + " count: the tail of the sum of both draws";
    private static final String TABLE_BOUND =
            "as two-sided means, or the exact tail of one draw, at f = (1 - (1 - beta)^(1/g))/k for g groups of k"
                    + " values; for all values together";
    private static final String TEXTBOOK_BOUND =
            "8c(ln k + ln(2c/beta))/epsilon times the sensitivity, for c positives of k ranges; with delta"
                    + " sqrt(512c*ln(1/delta))(ln k + ln(2c/beta))/epsilon";
    private static final String RESTART_BOUND =
            "as sparse, with thresholdNoise at 1 - (1 - b1)^(1/c) for c noisy thresholds";
    private static final String ONE_SIDED_BOUND =
            "half of thresholdNoise(b1) + comparisonNoise((beta - b1)/k), one-sided tails, by the shift;"
                    + " b1 the best of several, for k ranges";
    private static final String ADAPTIVE_BOUND =
            "thresholdNoise(b1) + max(fineNoise(b2), coarseNoise(b2) - margin), b2 = (beta - b1)/(2k),"
                    + " b1 the best of several, for k ranges";

    /** All served mechanisms. */
    public static final List<Listing> ALL = List.of(
            new Listing(
                    "laplace-count",
                    NoisyStatistic.class,
                    "the number of rows that pass a filter, epsilon-DP",
                    BOTH,
                    List.of(EPS, DELTA, WHERE),
                    "the least a with P(|X| > a) <= beta, X discrete Laplace of the stated scale",
                    "Dwork et al. 2006; Ghosh et al. 2009"),
            new Listing(
                    "laplace-sum",
                    NoisyStatistic.class,
                    "a sum of clamped values, epsilon-DP",
                    BOTH,
                    List.of(EPS, DELTA, WHERE, BOUNDS),
                    "the least a with P(|X| > a) <= beta, X discrete Laplace of the stated scale",
                    "Dwork et al. 2006; Ghosh et al. 2009"),
            new Listing(
                    "laplace-histogram",
                    NoisyHistogram.class,
                    "the numbers of rows in disjoint bins, epsilon-DP for any number of bins",
                    BOTH,
                    List.of(
                            EPS,
                            WHERE,
                            new Parameter(
                                    "edges", "2 to 100,001, strictly ascending, on the grid; none for categories")),
                    "the least a with P(|X| > a) <= 1 - (1 - beta)^(1/k), for all k bins together",
                    "Dwork et al. 2006, section 4; Ghosh et al. 2009"),
            new Listing(
                    "gaussian-count",
                    NoisyStatistic.class,
                    "the number of rows that pass a filter, rho-zCDP; " + LEAST_NOISE,
                    BOTH,
                    List.of(EPS, DELTA, WHERE),
                    "the least a with P(|X| > a) <= beta, X discrete Gaussian of the stated standard deviation",
                    "Canonne, Kamath and Steinke 2020",
                    Description.DISCRETE_GAUSSIAN),
            new Listing(
                    "gaussian-sum",
                    NoisyStatistic.class,
                    "a sum of clamped values, rho-zCDP; " + LEAST_NOISE,
                    BOTH,
                    List.of(EPS, DELTA, WHERE, BOUNDS),
                    "the least a with P(|X| > a) <= beta, X discrete Gaussian of the stated standard deviation",
                    "Canonne, Kamath and Steinke 2020",
                    Description.DISCRETE_GAUSSIAN),
            new Listing(
                    "gaussian-histogram",
                    NoisyHistogram.class,
                    "the numbers of rows in disjoint bins, rho-zCDP for any number of bins; " + LEAST_NOISE,
                    BOTH,
                    List.of(
                            EPS,
                            DELTA,
                            WHERE,
                            new Parameter(
                                    "edges", "2 to 100,001, strictly ascending, on the grid; none for categories")),
                    "the least a with P(|X| > a) <= 1 - (1 - beta)^(1/k), for all k bins together",
                    "Canonne, Kamath and Steinke 2020",
                    Description.DISCRETE_GAUSSIAN),
            new Listing(
                    "laplace-table",
                    NoisyTable.class,
                    "counts, sums, means and variances of disjoint groups, epsilon-DP for all of them together",
                    BOTH,
                    List.of(EPS, WHERE, GROUPS, BOUNDS, AGGREGATES),
                    TABLE_BOUND,
                    "Dwork et al. 2006, section 4; Fitzsimons et al. 2024; Kulesza et al. 2024"),
            new Listing(
                    "gaussian-table",
                    NoisyTable.class,
                    "counts, sums, means and variances of disjoint groups, rho-zCDP for all of them together; "
                            + LEAST_NOISE,
                    BOTH,
                    List.of(EPS, DELTA, WHERE, GROUPS, BOUNDS, AGGREGATES),
                    TABLE_BOUND,
                    "Canonne, Kamath and Steinke 2020; Fitzsimons et al. 2024",
                    Description.DISCRETE_GAUSSIAN),
            new Listing(
                    "laplace-synopsis",
                    NoisySynopsis.class,
                    "tables of counts or sums over cells of some columns, for all further questions about them,"
                            + " epsilon-DP for all tables together",
                    BOTH,
                    List.of(EPS, DELTA, WHERE, COLUMNS, MARGINALS),
                    "for each question Chernoff's bound with the moments of continuous Laplace noise, or for one cell"
                            + " the exact tail of its largest noise times the moments of the others if that is less",
                    "Hay et al. 2010; Qardaji et al. 2013; Xiao et al. 2023"),
            new Listing(
                    "gaussian-synopsis",
                    NoisySynopsis.class,
                    "tables of counts or sums over cells of some columns, for all further questions about them,"
                            + " rho-zCDP for all tables together; " + LEAST_NOISE,
                    BOTH,
                    List.of(EPS, DELTA, WHERE, COLUMNS, MARGINALS),
                    "for each question s*sqrt(2 ln(2/beta)), s the standard deviation of its estimate",
                    "Canonne, Kamath and Steinke 2020; Hay et al. 2010; Xiao et al. 2023",
                    Description.DISCRETE_GAUSSIAN),
            new Listing(
                    "noisy-max-quantile",
                    NoisyMaxQuantile.class,
                    "quantiles among public points, with intervals, epsilon-DP for all of them together",
                    BOTH,
                    List.of(EPS, WHERE, BOUNDS, new Parameter("probabilities", "1 to 100, each 0.000001 to 0.999999")),
                    "in ranks: the tail q(b/(K - 1)) of one draw, b = 1 - (1 - beta)^(1/k),"
                            + " for k probabilities and K points",
                    "McKenna and Sheldon 2020; Ding et al. 2021; Dwork and Roth 2014, section 3.3; Smith 2011",
                    Description.ONE_SIDED_GEOMETRIC),
            new Listing(
                    "above-threshold",
                    AboveThreshold.class,
                    "the first of a list of statistics above a threshold, epsilon-DP for any length of the list",
                    BOTH,
                    List.of(EPS, WHERE, new Parameter("queries", "1 to 100,000")),
                    "thresholdNoise(b1) + comparisonNoise((beta - b1)/k): exact tails, two-sided and one-sided,"
                            + " at the best of several shares b1, for k queries",
                    "Dwork and Roth 2014, algorithm 1; Lyu et al. 2017, algorithm 7"),
            new Listing(
                    "sparse",
                    SparseVector.class,
                    "up to c positions above a threshold, epsilon-DP for any number of statistics",
                    BOTH,
                    List.of(EPS, DELTA, WHERE, RANGES, POSITIVES, OPTIMAL, BEST),
                    "thresholdNoise(b1) + comparisonNoise((beta - b1)/k): exact tails, two-sided and one-sided,"
                            + " at the best of several shares b1, for k ranges",
                    "Lyu et al. 2017, algorithm 7"),
            new Listing(
                    "sparse-textbook",
                    SparseVector.class,
                    "as sparse, by c restarts at epsilon/c; with delta by advanced composition, (epsilon, delta)-DP",
                    BOTH,
                    List.of(EPS, DELTA, WHERE, RANGES, POSITIVES, TEXTBOOK),
                    TEXTBOOK_BOUND,
                    "Dwork and Roth 2014, algorithm 2"),
            new Listing(
                    "sparse-gaps",
                    SparseVector.class,
                    "as sparse, with each positive's distance above the noisy threshold, at no extra epsilon",
                    BOTH,
                    List.of(EPS, DELTA, WHERE, RANGES, POSITIVES, OPTIMAL, BEST),
                    "thresholdNoise(b1) + comparisonNoise((beta - b1)/k): exact tails, two-sided and one-sided,"
                            + " at the best of several shares b1, for k ranges",
                    "Ding et al. 2019, on Lyu et al. 2017, algorithm 7"),
            new Listing(
                    "sparse-gaps-textbook",
                    SparseVector.class,
                    "as sparse-textbook, with each positive's distance above its noisy threshold",
                    BOTH,
                    List.of(EPS, DELTA, WHERE, RANGES, POSITIVES, TEXTBOOK),
                    TEXTBOOK_BOUND,
                    "Ding et al. 2019, on Dwork and Roth 2014, algorithm 2"),
            new Listing(
                    "numeric-sparse",
                    SparseVector.class,
                    "as sparse, with fresh noisy values for the positives, epsilon-DP in total",
                    BOTH,
                    List.of(EPS, DELTA, WHERE, RANGES, POSITIVES, OPTIMAL, BEST),
                    "the larger of the bound of sparse at beta/2 and the values' simultaneous tail at beta/2",
                    "Lyu et al. 2017, section 5"),
            new Listing(
                    "numeric-sparse-textbook",
                    SparseVector.class,
                    "as sparse-textbook at 8/9 of epsilon, with values at 1/9; with delta,"
                            + " values at 1/(sqrt(512) + 1) of epsilon",
                    BOTH,
                    List.of(EPS, DELTA, WHERE, RANGES, POSITIVES, TEXTBOOK),
                    "9c(ln k + ln(4c/beta))/epsilon times the sensitivity, for c positives of k ranges; with delta"
                            + " u*max(ln k + ln(4c/beta), sqrt(8)*ln(2c/beta)),"
                            + " u = sqrt(c*ln(2/delta))*(sqrt(512) + 1)/epsilon",
                    "Dwork and Roth 2014, algorithm 3"),
            new Listing(
                    "sparse-restart",
                    SparseVector.class,
                    "as sparse, with a new noisy threshold after each positive:"
                            + " epsilon/c each, or more where rhos add up",
                    BOTH,
                    List.of(EPS, DELTA, WHERE, RANGES, POSITIVES, OPTIMAL, RESTART),
                    RESTART_BOUND,
                    "Dwork and Roth 2014, algorithm 2; Bun and Steinke 2016"),
            new Listing(
                    "sparse-gaps-restart",
                    SparseVector.class,
                    "as sparse-restart, with each positive's distance above its noisy threshold, at no extra epsilon",
                    BOTH,
                    List.of(EPS, DELTA, WHERE, RANGES, POSITIVES, OPTIMAL, RESTART),
                    RESTART_BOUND,
                    "Ding et al. 2019; Bun and Steinke 2016"),
            new Listing(
                    "numeric-sparse-restart",
                    SparseVector.class,
                    "as sparse-restart at half of the allowance, with fresh noisy values at the other half",
                    BOTH,
                    List.of(EPS, DELTA, WHERE, RANGES, POSITIVES, OPTIMAL, RESTART),
                    "the larger of the bound of sparse-restart at beta/2 and the values' simultaneous tail at beta/2",
                    "Dwork and Roth 2014, algorithm 3; Bun and Steinke 2016"),
            new Listing(
                    "sparse-one-sided",
                    SparseVector.class,
                    "as sparse, with noise that is never below zero and a publicly raised threshold",
                    BOTH,
                    List.of(EPS, DELTA, WHERE, RANGES, POSITIVES, OPTIMAL, ONE_SIDED),
                    ONE_SIDED_BOUND,
                    "Liu et al. 2024",
                    Description.ONE_SIDED_GEOMETRIC),
            new Listing(
                    "sparse-gaps-one-sided",
                    SparseVector.class,
                    "as sparse-one-sided, with each positive's distance above the noisy threshold, at no extra epsilon",
                    BOTH,
                    List.of(EPS, DELTA, WHERE, RANGES, POSITIVES, OPTIMAL, ONE_SIDED),
                    ONE_SIDED_BOUND,
                    "Liu et al. 2024; Ding et al. 2019",
                    Description.ONE_SIDED_GEOMETRIC),
            new Listing(
                    "numeric-sparse-one-sided",
                    SparseVector.class,
                    "as sparse-one-sided at half of the allowance, with fresh noisy values at the other half",
                    BOTH,
                    List.of(EPS, DELTA, WHERE, RANGES, POSITIVES, OPTIMAL, ONE_SIDED),
                    "the larger of the bound of sparse-one-sided at beta/2 and the values' simultaneous tail at beta/2",
                    "Liu et al. 2024",
                    Description.ONE_SIDED_GEOMETRIC),
            new Listing(
                    "sparse-adaptive",
                    SparseVector.class,
                    "as sparse, where a positive far above the threshold loses half the epsilon of a close one",
                    BOTH,
                    List.of(EPS, DELTA, WHERE, RANGES, POSITIVES, OPTIMAL, ADAPTIVE),
                    ADAPTIVE_BOUND,
                    "Ding et al. 2019, algorithm 2"),
            new Listing(
                    "sparse-gaps-adaptive",
                    SparseVector.class,
                    "as sparse-adaptive, with each positive's distance above the noisy threshold, at no extra epsilon",
                    BOTH,
                    List.of(EPS, DELTA, WHERE, RANGES, POSITIVES, OPTIMAL, ADAPTIVE),
                    ADAPTIVE_BOUND,
                    "Ding et al. 2019, algorithm 2"),
            new Listing(
                    "laplace-two-sided-mean",
                    TwoSidedMean.class,
                    "a mean and the number of rows from noisy sums of the distances from both ends, epsilon-DP",
                    BOTH,
                    List.of(EPS, DELTA, WHERE, BOUNDS),
                    TWO_SIDED_BOUND + ", f = beta",
                    "Fitzsimons et al. 2024; Kulesza et al. 2024; Proschan 1965"),
            new Listing(
                    "gaussian-two-sided-mean",
                    TwoSidedMean.class,
                    "a mean and the number of rows from noisy sums of the distances from both ends, rho-zCDP; "
                            + LEAST_NOISE,
                    BOTH,
                    List.of(EPS, DELTA, WHERE, BOUNDS),
                    TWO_SIDED_BOUND + ", f = beta",
                    "Fitzsimons et al. 2024; Kulesza et al. 2024; Canonne, Kamath and Steinke 2020",
                    Description.DISCRETE_GAUSSIAN),
            new Listing(
                    "sum-and-count-mean",
                    SumAndCountMean.class,
                    "a noisy sum over a noisy count, epsilon-DP",
                    BOTH,
                    List.of(EPS, WHERE, BOUNDS),
                    "the corners of (sum +- s)/(count +- c), s and c from exact tails at beta/2 each,"
                            + " within the bounds",
                    "Li et al. 2016, section 2.5"),
            new Listing(
                    "centered-mean",
                    CenteredMean.class,
                    "the middle of the range plus a noisy centred sum over a noisy count, epsilon-DP",
                    BOTH,
                    List.of(EPS, WHERE, BOUNDS),
                    "the corners of (sum +- s)/(count +- c), s and c from exact tails at beta/2 each,"
                            + " within the bounds, about the middle",
                    "Li et al. 2016, section 2.5"),
            new Listing(
                    "known-count-mean",
                    KnownCountMean.class,
                    "a noisy sum over the public number of rows, epsilon-DP where rows are replaced and never filtered",
                    PUBLIC_COUNT,
                    List.of(EPS, BOUNDS),
                    "the least a with P(|X| > a) <= beta, over the public number of rows",
                    "Li et al. 2016, section 2.5"),
            new Listing(
                    "auto-clip-mean",
                    AutoClipMean.class,
                    "a mean with a privately found clip range, epsilon-DP",
                    BOTH,
                    List.of(EPS, WHERE, BOUNDS),
                    TWO_SIDED_BOUND + ", f = beta; about the mean clipped to the found range",
                    "Dwork and Roth 2014, algorithm 1, on clip losses"),
            new Listing(
                    "local-mean",
                    LocalMean.class,
                    "the debiased mean of a report of each row by a local protocol, epsilon-DP where rows are replaced"
                            + " and never filtered",
                    PUBLIC_COUNT,
                    List.of(
                            new Parameter("epsilon", "0.000001 to 100; to 10 for piecewise and hybrid"),
                            new Parameter("lower, upper", "within the column's bounds, at most 100,000 values"),
                            new Parameter("protocol", "harmony, piecewise, hybrid")),
                    "the lesser of c*sqrt(2L/n) and l + sqrt(l^2 + 2Lv/n), l = L(c + 1)/(3n), L = ln(2/beta),"
                            + " for n rows, the largest contribution c and the largest variance v of a report,"
                            + " times half the width of the range",
                    "Duchi et al. 2013; Wang et al. 2019; Hoeffding 1963; Bernstein 1946",
                    Description.LOCAL_RANDOMIZER));

    /** Known mechanisms that are not served, each with a pair of datasets that refutes its claim. */
    public static final List<NotOffered> NOT_OFFERED = List.of(
            new NotOffered(
                    "resampling-mean",
                    "If noise is drawn until the mean lies within its bounds, its distribution depends on the rows."
                            + " At epsilon 1, ten rows at the lower bound against nine there and one at the upper"
                            + " give answers near the lower bound with probabilities that differ by a factor of"
                            + " exp(1.48985)."),
            new NotOffered(
                    "reused-noise-sparse",
                    "The release of a noisy value that was compared shows that the noisy threshold is below it."
                            + " After m negatives, with values 0 against 1, one released value of at most 0 has loss"
                            + " m*epsilon/2: 50 at epsilon 1 after 100 negatives, without bound."),
            new NotOffered(
                    "naive-repeated-threshold",
                    "Each comparison of one of k noisy counts, with noise for epsilon, with the threshold loses"
                            + " epsilon. If k counts far above or below it all change by one, the same k results have"
                            + " a loss of up to k*epsilon, not epsilon."),
            new NotOffered(
                    "scale-by-private-level-laplace",
                    "A noise scale that depends on the private value reveals it in the tail. The value 1 with noise of"
                            + " scale 2/e against -1 with scale 2/(5e) gives outputs of at least z with"
                            + " probabilities that differ by a factor of exp(2ez + 3e), without bound."));

    private Mechanisms() {}

    /**
     * One served mechanism. All noise is drawn exactly.
     *
     * @param name as in {@link Description#name()}
     * @param type the class that makes the release
     * @param claim what it releases, and its guarantee
     * @param relation the neighbouring relations it is served under
     * @param parameters the parameters of the question that it depends on, with their ranges
     * @param accuracy how alpha is computed
     * @param reference the source
     * @param noise the distribution, as in {@link Description#noise()}
     */
    public record Listing(
            String name,
            Class<? extends Mechanism<?>> type,
            String claim,
            String relation,
            List<Parameter> parameters,
            String accuracy,
            String reference,
            String noise) {
        /** A mechanism with discrete Laplace noise. */
        Listing(
                String name,
                Class<? extends Mechanism<?>> type,
                String claim,
                String relation,
                List<Parameter> parameters,
                String accuracy,
                String reference) {
            this(name, type, claim, relation, parameters, accuracy, reference, Description.DISCRETE_LAPLACE);
        }
    }

    /**
     * A parameter of a question.
     *
     * @param range the permitted values
     */
    public record Parameter(String name, String range) {}

    /**
     * A mechanism that is not served.
     *
     * @param why the counterexample
     */
    public record NotOffered(String name, String why) {}
}
