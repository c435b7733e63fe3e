package dev.purser.local;

/**
 * The sums that a collector keeps of reports: a fixed, public number of integers, to which every report adds. All
 * estimates are functions of these sums and of the number of reports, so a report need not be kept.
 *
 * @param <R> the report
 */
public interface ReportSums<R> {
    /** The number of sums. */
    int tallies();

    /**
     * Adds a possible report.
     *
     * @param tally the sums; the sums of this protocol begin at {@code offset}
     * @throws ArithmeticException if a sum would pass 2^63
     */
    void add(R report, long[] tally, int offset);
}
