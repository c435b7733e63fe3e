package dev.purser.query;

import dev.purser.engine.BucketRequest;
import dev.purser.ledger.attachment.Attachment;
import dev.purser.mechanism.Buckets;
import dev.purser.mechanism.Description;
import dev.purser.mechanism.IntegerRelease;
import dev.purser.mechanism.Mechanism;
import dev.purser.mechanism.Sensitive;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Grid;
import dev.purser.privacy.PrivacyAllowance;
import dev.purser.privacy.PrivacyEvent;
import dev.purser.problem.ProblemException;
import dev.purser.problem.Violation;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A question that was read and checked against the dataset's public facts: its privacy event, its expected accuracy,
 * the data to collect, the mechanism, and the form of the answer. Nothing in it depends on rows.
 *
 * @param <A> the mechanism's answer
 * @param allowance the privacy loss that the question is charged and may not exceed
 * @param grid the grid that the mechanism's steps are counted on
 * @param plan the source of the mechanism's tables
 * @param expectation the accuracy for an assumed number of rows that pass; if it does not depend on that number, it is
 *     the accuracy that the answer states
 * @param presentation converts a released answer to the units of the data; it takes the first query id of the chain
 * @param statistic the statistic of rows that the question asks for; null if a synopsis cannot have it
 */
public record Question<A>(
        QuestionKind kind,
        PrivacyAllowance allowance,
        Mechanism<A> mechanism,
        Grid grid,
        BucketPlan plan,
        LongFunction<Accuracy> expectation,
        BiFunction<A, String, Presented> presentation,
        @Nullable AskedStatistic statistic) {
    /** The same question with this statistic. */
    Question<A> asking(@Nullable AskedStatistic asked) {
        return new Question<>(kind, allowance, mechanism, grid, plan, expectation, presentation, asked);
    }

    /**
     * A released answer in the units of the data.
     *
     * @param answer the {@code answer} member of the reply
     * @param attachment the bytes that the answer refers to by their digest; null if there are none
     */
    public record Presented(
            Object answer, Accuracy accuracy, @Nullable Attachment attachment) {
        /** An answer without an attachment. */
        Presented(Object answer, Accuracy accuracy) {
            this(answer, accuracy, null);
        }
    }

    /** A question whose accuracy depends on the request alone and is the same before and after the release. */
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
                (answer, _) -> new Presented(value.apply(answer), accuracy),
                null);
    }

    /** A workload above this takes noticeable time and memory. */
    static final int LARGE_WORKLOAD = 2_000;

    /** Whether the release takes so long that it must not keep small questions waiting. */
    public boolean isHeavy() {
        return mechanism.workload() > LARGE_WORKLOAD;
    }

    /** The event that is charged. */
    public PrivacyEvent charged() {
        return allowance.event();
    }

    /** The accuracy if this many rows pass. */
    public Accuracy expected(long assumedRows) {
        return expectation.apply(assumedRows);
    }

    /**
     * Refuses a delta that makes no difference. A quote that searches for an epsilon calls this at the end.
     *
     * @throws ProblemException {@code validation-failed}
     */
    public void requireUseOfDelta() {
        if (allowance instanceof PrivacyAllowance.Approximate(var epsilon, Delta delta) && !mechanism.usesDelta()) {
            throw ProblemException.validation(Violation.atPointer(
                    "/delta",
                    "delta must be 0 here, was " + delta + ": with epsilon " + epsilon
                            + " no part of the answer has less noise with it"));
        }
    }

    /** The number of groups that the rows are divided into. */
    public int groups() {
        return plan.groups();
    }

    /** The event of the release: the charged event, or a lesser event. */
    PrivacyEvent event() {
        return mechanism.event();
    }

    Description description() {
        return mechanism.description();
    }

    /** The data that the engine collects, in the order of the mechanism's tables. */
    public List<BucketRequest> requests() {
        return plan.requests(mechanism.statistics());
    }

    Presented release(String first, Sensitive<List<Buckets>> exact, IntegerRelease release) {
        return presentation.apply(release.answer(mechanism, exact), first);
    }
}
