package dev.purser.collection;

import dev.purser.json.Field;
import dev.purser.json.ObjectReader;
import dev.purser.local.LeveledResponse;
import dev.purser.local.SampledCoordinates;
import dev.purser.privacy.Epsilon;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A report of a number is a sign with its private level. Both are randomized at the epsilon of the level. The protocol
 * can also report gradients.
 */
final class HieraProtocol extends LeveledSignProtocol implements GradientKind {
    HieraProtocol() {
        super("hiera");
    }

    @Override
    Function<List<Epsilon>, Response> response(ObjectReader in) {
        return epsilons -> new Response(new LeveledResponse(epsilons), epsilons, remark(epsilons));
    }

    private static String remark(List<Epsilon> epsilons) {
        return "This is more than the epsilons of the levels suggest, which are " + epsilons.getFirst()
                + " and below: a report tells of the level and of the value, and the level is randomized by an epsilon"
                + " that depends on it. ";
    }

    @Override
    public List<Field<?>> gradientFields() {
        return List.of(LEVEL, SIGN, COORDINATE);
    }

    @Override
    public Optional<Protocol<?>> readOfGradients(ObjectReader in, int dimensions) {
        in.notInThisForm(EPSILON);
        return in.required(EPSILONS).flatMap(epsilons -> accepted(in, () -> ofGradients(epsilons, dimensions)));
    }

    /** The protocol of gradients. A report has one coordinate. The device has a level for each coordinate. */
    private static Protocol<?> ofGradients(List<Epsilon> epsilons, int dimensions) {
        LeveledResponse each = new LeveledResponse(epsilons);
        return SampledProtocol.protocol(
                "hiera-coordinate",
                SampledCoordinates.leveled(each, Collections.nCopies(dimensions, 1)),
                new CoordinatesForm<>(dimensions, 1, false, form(epsilons.size())),
                Map.of("levels", levels(epsilons, epsilons)),
                remark(epsilons));
    }
}
