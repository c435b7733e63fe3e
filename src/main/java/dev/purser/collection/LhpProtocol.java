package dev.purser.collection;

import dev.purser.json.ObjectReader;
import dev.purser.local.LeveledResponse;
import dev.purser.privacy.Epsilon;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A sign with its private level, which has one epsilon for all levels. */
final class LhpProtocol extends LeveledSignProtocol {
    LhpProtocol() {
        super("lhp", "epsilons", "range", "levelEpsilon", "divisions", "reuse");
    }

    @Override
    Function<List<Epsilon>, Response> response(ObjectReader in) {
        Optional<Epsilon> sent = in.required("levelEpsilon").epsilon(LEAST, MOST);
        return epsilons -> {
            Epsilon levelEpsilon = sent.orElseThrow();
            return new Response(
                    new LeveledResponse(levelEpsilon, epsilons),
                    Collections.nCopies(epsilons.size(), levelEpsilon),
                    "This is the epsilon of the level's report, " + levelEpsilon + ", and the largest of the values', "
                            + epsilons.getFirst() + ", together. ");
        };
    }
}
