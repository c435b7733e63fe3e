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
import java.util.function.LongFunction;

/**
 * A question that was read and held against the dataset's public facts: what it does to privacy, how near its answer will
 * come, what has to be collected, how the answer is made and how it is shown. Nothing in it depends on rows.
 *
 * @param <A> the mechanism's answer
 * @param allowance what the question may lose, and is charged
 * @param grid the grid that the mechanism's steps are counted on
 * @param plan where the mechanism's tables are collected from
 * @param expectation the accuracy, by an assumed number of rows that pass; where that does not matter, it is the very one
 *     that the answer states
 * @param presentation shows a released answer in the data's own units
 */
public record Question<A>(
        QuestionKind kind,
        PrivacyAllowance allowance,
        Mechanism<A> mechanism,
        Grid grid,
        BucketPlan plan,
        LongFunction<Accuracy> expectation,
        Function<A, Presented> presentation) {
    /**
     * A released answer in the data's own units.
     *
     * @param answer the {@code answer} member of the reply
     */
    public record Presented(Object answer, Accuracy accuracy) {}

    /** A question whose accuracy the request fixes: the same before and after the release. */
    static <A> Question<A> of(
            QuestionKind kind,
            PrivacyAllowance allowance,
            Mechanism<A> mechanism,
            Grid grid,
            BucketPlan plan,
            Accuracy accuracy,
            Function<A, Object> value) {
        return new Question<>(
                kind,
                allowance,
                mechanism,
                grid,
                plan,
                anyNumberOfRows -> accuracy,
                answer -> new Presented(value.apply(answer), accuracy));
    }

    /** What is charged. */
    public PrivacyEvent charged() {
        return allowance.event();
    }

    /** How near the answer will come if this many rows pass. */
    public Accuracy expected(long assumedRows) {
        return expectation.apply(assumedRows);
    }

    /** What the release does to privacy: what is charged, or less. */
    PrivacyEvent event() {
        return mechanism.event();
    }

    Description description() {
        return mechanism.description();
    }

    /** What the engine collects, in the order of the mechanism's tables. */
    List<BucketRequest> requests() {
        return plan.requests(mechanism.statistics());
    }

    Presented release(Sensitive<List<Buckets>> exact, RandomBits bits) {
        return presentation.apply(mechanism.release(exact, bits));
    }
}
