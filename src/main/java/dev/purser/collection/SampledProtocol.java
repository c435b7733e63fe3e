package dev.purser.collection;

import dev.purser.collection.Protocol.Example;
import dev.purser.json.Field;
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
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/**
 * A protocol for one number or several numbers. A report has some of them. The protocol can also report gradients.
 *
 * @param <R> the report of one number
 */
abstract class SampledProtocol<R> extends NumbersProtocol implements GradientKind {
    private final BiFunction<Integer, Epsilon, SampledCoordinates<R>> randomizer;
    private final ReportForm<R> each;
    private final boolean isList;

    /**
     * A protocol.
     *
     * @param randomizer makes the randomizer for a number of dimensions, at one epsilon for the whole report
     * @param each how the report of one number is written
     * @param isList as in {@link CoordinatesForm}
     * @param fields the fields that the report of one number can have
     */
    SampledProtocol(
            String name,
            BiFunction<Integer, Epsilon, SampledCoordinates<R>> randomizer,
            ReportForm<R> each,
            boolean isList,
            Field<?>... fields) {
        super(
                name,
                SampledCoordinates.MAX_DIMENSIONS,
                Field.all(List.of(fields), List.of(isList ? CoordinatesForm.COORDINATES : CoordinatesForm.COORDINATE)));
        this.randomizer = randomizer;
        this.each = each;
        this.isList = isList;
    }

    /** How the report of one number is written. */
    ReportForm<R> form(NumericRandomizer<R> each) {
        return this.each;
    }

    /** The further constants that a device needs for the report of one number. */
    Map<String, Object> constants(NumericRandomizer<R> each) {
        return Map.of();
    }

    @Override
    public List<Field<?>> gradientFields() {
        return List.of(COORDINATES);
    }

    @Override
    public final Optional<Protocol<?>> readOfGradients(ObjectReader in, int dimensions) {
        in.notInThisForm(EPSILONS);
        return in.required(EPSILON).flatMap(epsilon -> accepted(in, () -> protocol(epsilon, dimensions)));
    }

    @Override
    final Protocol<?> protocol(Epsilon epsilon, int dimensions) {
        SampledCoordinates<R> sampled = randomizer.apply(dimensions, epsilon);
        var form = new CoordinatesForm<>(dimensions, sampled.sampled(), isList, form(sampled.each()));
        return protocol(name(), sampled, form, constants(sampled.each()), "");
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
