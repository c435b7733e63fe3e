package dev.purser.local;

import dev.purser.noise.RandomBits;
import dev.purser.privacy.Epsilon;

/**
 * What a device does to its own value before it sends it. For any two values and any set of reports, the
 * probabilities of a report in that set differ by a factor of at most {@code exp(epsilon())}: whoever reads
 * the report, the collector included, learns no more. The guarantee is of one report; the epsilons of all
 * reports that one device sends add up.
 *
 * <p>A report is drawn in integers only. Its condition is that the bits are unbiased, independent and
 * unknown to others.
 *
 * @param <V> the value, private
 * @param <R> the report, public
 */
public interface LocalRandomizer<V, R> {
    /** The local epsilon of one whole report. */
    Epsilon epsilon();

    /** Draws one report. */
    R report(V value, RandomBits bits);

    /** Whether some value could have led to this report: whether it is of the protocol's alphabet. */
    boolean isPossible(R report);
}
