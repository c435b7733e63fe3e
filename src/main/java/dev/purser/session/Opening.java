package dev.purser.session;

import dev.purser.ledger.ChargeRequest;
import dev.purser.ledger.RequestIdentity;
import dev.purser.problem.ProblemException;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The request that opens an interaction.
 *
 * @param request the raw body; the same identity with another body is refused
 * @param refusal why nothing new may be opened now; null if it may. An interaction that the same request opened before
 *     is still found
 * @param charge the charge of the opening; null if the steps are charged instead
 * @param secret the first state; null if there is none before the first charge
 * @param idle how long the interaction stays open without a step
 * @param maxOpen how many interactions of this kind the principal may have open on the dataset
 * @param reply makes the reply from the interaction as it is opened
 */
public record Opening(
        String kind,
        String account,
        String datasetId,
        RequestIdentity identity,
        byte[] request,
        @Nullable ProblemException refusal,
        @Nullable ChargeRequest charge,
        byte @Nullable [] secret,
        long costlySteps,
        Duration idle,
        int maxOpen,
        Function<Interaction, byte[]> reply) {}
