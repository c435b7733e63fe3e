package dev.purser.collection;

import dev.purser.collection.Protocol.Example;
import dev.purser.json.ObjectReader;
import dev.purser.local.CoordinateReport;
import dev.purser.local.NumericRandomizer;
import dev.purser.local.Position;
import dev.purser.local.SampledCoordinates;
import dev.purser.privacy.Epsilon;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A protocol of one number or several, of which a report has some. It also reports gradients.
 *
 * @param <R> the report of one of them
 */
abstract class SampledProtocol<R> extends NumbersProtocol implements GradientKind {
    SampledProtocol(String name) {
        super(name, SampledCoordinates.MAX_DIMENSIONS);
    }

    abstract SampledCoordinates<R> randomizer(int dimensions, Epsilon epsilon);

    abstract CoordinatesForm<R> form(int dimensions, int sampled);

    /** What a device needs besides for the report of one number. */
    Map<String, Object> constants(NumericRandomizer<R> each) {
        return Map.of();
    }

    @Override
    public final Field amount() {
        return EPSILON;
    }

    @Override
    public final List<Field> gradientFields() {
        return reportFields();
    }

    @Override
    public final Optional<Protocol<?>> readOfGradients(ObjectReader in, int dimensions) {
        in.notInThisForm("epsilons");
        return epsilon(in).flatMap(epsilon -> accepted(in, EPSILON, () -> protocol(epsilon, dimensions)));
    }

    @Override
    final Protocol<?> protocol(Epsilon epsilon, int dimensions) {
        SampledCoordinates<R> randomizer = randomizer(dimensions, epsilon);
        return protocol(name(), randomizer, form(dimensions, randomizer.sampled()), constants(randomizer.each()), "");
    }

    static <R> Protocol<List<CoordinateReport<R>>> protocol(
            String name,
            SampledCoordinates<R> randomizer,
            CoordinatesForm<R> form,
            Map<String, Object> ownConstants,
            String remark) {
        Map<String, Object> constants = new LinkedHashMap<>();
        constants.put("width", Protocol.WIDTH);
        constants.put("epsilon", Protocol.constant(randomizer.epsilon(), randomizer.sampled()));
        if (randomizer.dimensions() > 1) {
            constants.put("dimensions", randomizer.dimensions());
            constants.put("sampled", randomizer.sampled());
        }
        constants.putAll(ownConstants);
        return new Protocol<>(
                name,
                randomizer.epsilon(),
                remark,
                form,
                randomizer,
                Pieces.MAX,
                (sums, reports, beta) -> Estimate.ofMeans(
                        randomizer.means(sums, reports),
                        randomizer.largestVariance() / reports,
                        reports / randomizer.scale(),
                        beta),
                Estimate.APPROXIMATE,
                constants,
                PARTS.stream().map(part -> example(randomizer, part)).toList());
    }

    private static <R> Example<List<CoordinateReport<R>>> example(SampledCoordinates<R> randomizer, long part) {
        List<Long> parts = IntStream.range(0, randomizer.dimensions())
                .mapToObj(coordinate -> (part + coordinate) % (Protocol.WIDTH + 1))
                .toList();
        List<Position> positions =
                parts.stream().map(each -> new Position(each, Protocol.WIDTH)).toList();
        return new Example<>(
                parts.size() == 1 ? Map.of("part", part) : Map.of("parts", parts),
                bits -> randomizer.report(positions, bits));
    }
}
