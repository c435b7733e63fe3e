package dev.purser.mechanism;

import dev.purser.noise.RandomBits;
import dev.purser.privacy.PrivacyEvent;
import java.util.List;

/**
 * Turns exact statistics into an answer that is safe to release. All methods but {@link #release} are functions of the
 * request and of public facts.
 *
 * @param <A> the answer: public once released
 */
public interface Mechanism<A> {
    /** The mechanism's name and public parameters, as answers state them. */
    Description description();

    /** The privacy event of one release. */
    PrivacyEvent event();

    /** All statistics that a release may read. The engine has to collect them. */
    List<Statistic> statistics();

    /** The workload of a release that draws for every row. */
    long EVERY_ROW = Long.MAX_VALUE;

    /**
     * About how many numbers a release reads or draws, or {@link #EVERY_ROW}. It tells whether a release takes long.
     */
    default long workload() {
        return statistics().size();
    }

    /** Whether a delta makes a difference. Where it does not, a question must not be charged a delta. */
    default boolean usesDelta() {
        return true;
    }

    /**
     * Draws noise and makes the answer.
     *
     * @param exact the bucket tables that the mechanism's statistics refer to
     */
    A release(Sensitive<List<Buckets>> exact, RandomBits bits);
}
