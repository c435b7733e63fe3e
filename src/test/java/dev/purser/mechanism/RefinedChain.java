package dev.purser.mechanism;

import dev.purser.noise.RandomBits;
import dev.purser.privacy.PrivacyEvent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;

/**
 * A first release and its refinements, one after the other, as a mechanism that can be audited: the chain claims for
 * all its releases together what the last one claims alone. What was released is stored and read back between two
 * releases.
 *
 * @param steps the same mechanism at each epsilon of the chain, ascending
 */
record RefinedChain<A>(List<? extends Refinable<A>> steps) implements Mechanism<List<A>> {
    @Override
    public Description description() {
        return steps.getLast().description();
    }

    @Override
    public PrivacyEvent event() {
        return steps.getLast().event();
    }

    @Override
    public List<Statistic> statistics() {
        return steps.getLast().statistics();
    }

    @Override
    public List<A> release(Sensitive<List<Buckets>> exact, RandomBits bits) {
        List<A> answers = new ArrayList<>();
        IntegerRelease release = IntegerRelease.first(bits);
        for (Refinable<A> step : steps) {
            if (!answers.isEmpty()) {
                byte[] stored = release.released().orElseThrow().bytes();
                release = IntegerRelease.refining(
                        ReleasedIntegers.parse(stored).orElseThrow(), tables(answers.getLast()), bits);
            }
            answers.add(release.answer(step, exact));
        }
        return answers;
    }

    private static Iterator<long[]> tables(Object answer) {
        return answer instanceof NoisySynopsis.Answer(List<long[]> tables)
                ? tables.iterator()
                : Collections.emptyIterator();
    }
}
