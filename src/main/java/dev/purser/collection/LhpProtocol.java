package dev.purser.collection;

import dev.purser.json.Field;
import dev.purser.json.ObjectReader;
import dev.purser.local.LeveledResponse;
import dev.purser.privacy.Epsilon;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A report of a number is a sign with its private level. The level itself is reported at one epsilon, the same for all
 * levels.
 */
final class LhpProtocol extends LeveledSignProtocol {
    static final Field<Epsilon> LEVEL_EPSILON =
            Field.optional("levelEpsilon", EPSILON.type(), "With %s: of the report of the level itself.");

    LhpProtocol() {
        super("lhp", LEVEL_EPSILON);
    }

    @Override
    Function<List<Epsilon>, Response> response(ObjectReader in) {
        Optional<Epsilon> sent = in.required(LEVEL_EPSILON);
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
