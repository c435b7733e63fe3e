package dev.purser.query;

import dev.purser.engine.BucketRequest;
import dev.purser.mechanism.Buckets;
import dev.purser.mechanism.Description;
import dev.purser.mechanism.Mechanism;
import dev.purser.mechanism.Sensitive;
import dev.purser.noise.RandomBits;
import dev.purser.privacy.Grid;
import dev.purser.privacy.PrivacyAllowance;
import dev.purser.privacy.PrivacyEvent;
import java.util.List;
import java.util.function.Function;

/**
 * A question that was read and held against the dataset's public facts: what it does to privacy, what has to be collected,
 * how the answer is made and how it is shown. Nothing in it depends on rows.
 *
 * @param <A> the mechanism's answer
 * @param kind the last segment of the question's path
 * @param allowance what the question may lose, and is charged
 * @param grid the grid that the mechanism's steps are counted on
 * @param plan what the engine collects, in the order of the mechanism's tables
 * @param presentation shows a released answer in the data's own units
 */
public record Question<A>(
        String kind,
        PrivacyAllowance allowance,
        Mechanism<A> mechanism,
        Grid grid,
        List<BucketRequest> plan,
        Function<A, Presented> presentation) {
    /**
     * A released answer in the data's own units.
     *
     * @param answer the {@code answer} member of the reply
     */
    public record Presented(Object answer, Accuracy accuracy) {}

    /** What is charged. */
    PrivacyEvent charged() {
        return allowance.event();
    }

    /** What the release does to privacy: what is charged, or less. */
    PrivacyEvent event() {
        return mechanism.event();
    }

    Description description() {
        return mechanism.description();
    }

    Presented release(Sensitive<List<Buckets>> exact, RandomBits bits) {
        return presentation.apply(mechanism.release(exact, bits));
    }
}
