package dev.purser.mechanism;

import java.util.List;

/**
 * Everything that can release data, written by hand: the page an auditor reads first. A mechanism that is not listed here is
 * not served, and one that is listed has a proof note beside its class and an audit with a case of its own
 * ({@code MechanismsTests}).
 */
public final class Mechanisms {
    /** All served mechanisms. */
    public static final List<Listing> ALL = List.of(
            new Listing(
                    "laplace-count",
                    LaplaceStatistic.class,
                    "the number of rows that pass a filter, epsilon-DP",
                    "Dwork et al. 2006; Ghosh et al. 2009"),
            new Listing(
                    "laplace-sum",
                    LaplaceStatistic.class,
                    "a sum of clamped values, epsilon-DP",
                    "Dwork et al. 2006; Ghosh et al. 2009"),
            new Listing(
                    "laplace-histogram",
                    LaplaceHistogram.class,
                    "the numbers of rows in disjoint bins, epsilon-DP whatever their number",
                    "Dwork et al. 2006, section 4; Ghosh et al. 2009"),
            new Listing(
                    "noisy-max-quantile",
                    NoisyMaxQuantile.class,
                    "quantiles among public points, with intervals, epsilon-DP for all of them together",
                    "McSherry and Talwar 2007; Dwork and Roth 2014, section 3.3; Smith 2011"),
            new Listing(
                    "above-threshold",
                    AboveThreshold.class,
                    "the first of a list of statistics above a threshold, epsilon-DP whatever its length",
                    "Dwork and Roth 2014, algorithm 1; Lyu et al. 2017, algorithm 7"),
            new Listing(
                    "sparse",
                    SparseVector.class,
                    "up to c positions above a threshold, epsilon-DP whatever the number of statistics",
                    "Lyu et al. 2017, algorithm 7"),
            new Listing(
                    "sparse-textbook",
                    SparseVector.class,
                    "as sparse, by c restarts at epsilon/c",
                    "Dwork and Roth 2014, algorithm 2"),
            new Listing(
                    "sparse-gaps",
                    SparseVector.class,
                    "as sparse, with each positive's distance above the noisy threshold, for no more epsilon",
                    "Ding et al. 2019, on Lyu et al. 2017, algorithm 7"),
            new Listing(
                    "sparse-gaps-textbook",
                    SparseVector.class,
                    "as sparse-textbook, with each positive's distance above its noisy threshold",
                    "Ding et al. 2019, on Dwork and Roth 2014, algorithm 2"),
            new Listing(
                    "numeric-sparse",
                    SparseVector.class,
                    "as sparse, with fresh noisy values for the positives, epsilon-DP in all",
                    "Lyu et al. 2017, section 5"),
            new Listing(
                    "numeric-sparse-textbook",
                    SparseVector.class,
                    "as sparse-textbook at 8/9 of epsilon, with values at 1/9",
                    "Dwork and Roth 2014, algorithm 3"),
            new Listing(
                    "sum-and-count-mean",
                    SumAndCountMean.class,
                    "a noisy sum over a noisy count, epsilon-DP",
                    "Li et al. 2016, section 2.5"),
            new Listing(
                    "centered-mean",
                    CenteredMean.class,
                    "the middle of the range plus a noisy centred sum over a noisy count, epsilon-DP",
                    "Li et al. 2016, section 2.5"),
            new Listing(
                    "known-count-mean",
                    KnownCountMean.class,
                    "a noisy sum over the public number of rows, epsilon-DP where rows are replaced and never filtered",
                    "Li et al. 2016, section 2.5"),
            new Listing(
                    "auto-clip-mean",
                    AutoClipMean.class,
                    "a mean with a privately found clip range, epsilon-DP",
                    "Dwork and Roth 2014, algorithm 1, on clip losses"));

    private Mechanisms() {}

    /**
     * One served mechanism.
     *
     * @param name as in {@link Description#name()}
     * @param type the class that releases
     * @param claim what it releases and its guarantee
     * @param reference where it comes from
     */
    public record Listing(String name, Class<? extends Mechanism<?>> type, String claim, String reference) {}
}
