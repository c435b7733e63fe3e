package dev.purser.mechanism;

import dev.purser.noise.RandomBits;
import java.util.List;
import java.util.stream.Stream;

/**
 * A mechanism whose answer is post-processing of exact integers plus independent noise. Where all the noise is discrete
 * Laplace, a release can be made more precise for the difference in epsilon: {@code RefinedLaplace.md} in
 * {@code dev.purser.noise}.
 *
 * <p>The integers and their order depend on the rows and the question alone. Their parts of epsilon are the same
 * fractions at every epsilon.
 */
public interface Refinable<A> extends Mechanism<A> {
    /** The noise of each integer, in the order of the release. A table that the answer holds has its noise once. */
    Stream<AdditiveNoise> noises();

    /** Releases an answer computed from the noisy integers that {@code release} makes from the exact integers. */
    A release(Sensitive<List<Buckets>> exact, IntegerRelease release);

    @Override
    default A release(Sensitive<List<Buckets>> exact, RandomBits bits) {
        return release(exact, IntegerRelease.first(bits));
    }
}
