package dev.purser.local;

/**
 * A local randomizer of one of k public categories, identified by their index from 0. From the sums of all reports it
 * estimates the share of devices in each category, without bias. An estimate is not clamped, so it can be below 0 or
 * above 1.
 *
 * @param <R> the report
 */
public sealed interface FrequencyRandomizer<R> extends LocalRandomizer<Integer, R>, ReportSums<R>
        permits GeneralizedRandomizedResponse, OptimizedUnaryEncoding, OptimizedLocalHashing, HadamardResponse {
    /** k, the number of categories. */
    int categories();

    /** How many bits a report takes when it is packed. Public, and the same for all reports. */
    int reportBits();

    /** The probabilities with which a report supports a category. */
    SupportProbabilities support();

    /**
     * How many reports support each category.
     *
     * @param tally the sums of all reports
     * @param reports the number of reports
     */
    default long[] supporters(long[] tally, long reports) {
        return tally;
    }

    /**
     * The estimated share of each category.
     *
     * @param tally the sums of all reports
     * @param reports the number of reports, at least 1
     */
    default double[] frequencies(long[] tally, long reports) {
        return support().frequencies(supporters(tally, reports), reports);
    }

    /**
     * The variance of an estimated share over the randomness of the reports, for fixed categories of the devices.
     *
     * @param frequency the true share of devices in the category, 0 … 1
     * @param reports all reports, at least 1
     */
    default double frequencyVariance(double frequency, long reports) {
        return support().variance(frequency, reports);
    }
}
