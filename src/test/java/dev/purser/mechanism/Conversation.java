package dev.purser.mechanism;

import dev.purser.mechanism.InteractiveSparseVector.Reply;
import dev.purser.noise.RandomBits;
import dev.purser.privacy.Neighborhood;
import dev.purser.privacy.PrivacyEvent;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * A conversation with a questioner who chooses each statistic by the replies so far, as a mechanism that can be
 * audited. Between two questions the state is stored and read back.
 *
 * @param statistics all that the questioner may ask for
 */
record Conversation(
        InteractiveSparseVector vector, List<Statistic> statistics, Neighborhood neighborhood, Questioner questioner)
        implements Mechanism<List<Reply>> {
    /** Chooses the next of the statistics, or ends the conversation. */
    interface Questioner {
        OptionalInt next(List<Reply> replies);
    }

    @Override
    public Description description() {
        return vector.description();
    }

    @Override
    public PrivacyEvent event() {
        return vector.event();
    }

    @Override
    public List<Reply> release(Sensitive<List<Buckets>> exact, RandomBits bits) {
        List<Reply> replies = new ArrayList<>();
        ScanState state = vector.begin(bits);
        OptionalInt next = questioner.next(replies);
        while (next.isPresent() && vector.positivesLeft(state) > 0) {
            Reply reply = vector.ask(
                    ScanState.ofSecretBytes(state.secretBytes()),
                    statistics.get(next.getAsInt()),
                    BigInteger.ONE,
                    neighborhood,
                    exact,
                    bits);
            replies.add(reply);
            state = reply.next();
            next = questioner.next(replies);
        }
        return replies;
    }
}
