package dev.purser.local;

import dev.purser.noise.RandomBits;
import dev.purser.privacy.Epsilon;

/**
 * The randomization of a device's own value before it is sent. For any two values and any set of reports, the
 * probabilities of a report in that set differ by a factor of at most {@code exp(epsilon())}. This bounds what any
 * reader of the report learns, including the collector. The guarantee is for one report. The epsilons of all reports of
 * one device add up.
 *
 * <p>A report is drawn in integers only. Condition: the bits are unbiased, independent and unknown to others.
 *
 * @param <V> the value, private
 * @param <R> the report, public
 */
public interface LocalRandomizer<V, R> {
    /** The local epsilon of one whole report. */
    Epsilon epsilon();

    /** Draws one report. */
    R report(V value, RandomBits bits);

    /** Whether some value could have led to this report, that is, whether it is in the protocol's alphabet. */
    boolean isPossible(R report);
}
