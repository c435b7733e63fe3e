package dev.purser.mechanism;

import dev.purser.noise.RandomBits;
import dev.purser.privacy.PrivacyEvent;
import java.util.List;

/**
 * A way of turning exact statistics into an answer that is safe to release. Everything but {@link #release} is a function of
 * the request and of public facts.
 *
 * @param <A> the answer: public once released
 */
public interface Mechanism<A> {
    /** The mechanism's name and public parameters, as the answer states them. */
    Description description();

    /** What one release does to privacy. */
    PrivacyEvent event();

    /** All statistics that a release may read: what has to be collected. */
    List<Statistic> statistics();

    /**
     * Draws noise and makes the answer.
     *
     * @param exact the bucket tables that the mechanism's statistics refer to
     */
    A release(Sensitive<List<Buckets>> exact, RandomBits bits);
}
