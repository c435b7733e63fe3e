package dev.purser.collection;

import dev.purser.collection.Protocol.Example;
import dev.purser.json.Field;
import dev.purser.json.ObjectReader;
import dev.purser.local.Position;
import dev.purser.noise.RandomBits;
import dev.purser.privacy.Epsilon;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import static dev.purser.collection.Protocol.WIDTH;

/** A protocol for a number of a range, with an epsilon for each level. */
abstract class LevelsProtocol extends ProtocolKind {
    LevelsProtocol(String name, List<Field<?>> fields, List<Field<?>> reportFields) {
        super(name, fields, reportFields);
    }

    /**
     * Reads the fields that only some protocols with levels have.
     *
     * @param range the declared range; empty if it broke a rule
     * @param levels their number
     * @return a function from the levels' epsilons to the protocol, which is called if no field broke a rule
     */
    abstract Function<List<Epsilon>, Protocol<?>> furtherFieldsOf(ObjectReader in, Optional<Bounds> range, int levels);

    @Override
    final Supplier<Declared> fieldsOf(ObjectReader in) {
        Optional<Bounds> range = in.required(Bounds.RANGE);
        Optional<List<Epsilon>> epsilons = in.required(EPSILONS);
        int levels = epsilons.map(List::size).orElse(MAX_LEVELS);
        Function<List<Epsilon>, Protocol<?>> protocol = furtherFieldsOf(in, range, levels);
        in.read(NO_DIMENSIONS);
        return () -> new Declared(range.orElseThrow(), 1, List.of(), protocol.apply(epsilons.orElseThrow()));
    }

    /** Reports a number with its level. */
    interface Leveled<R> {
        R report(int level, Position position, RandomBits bits);
    }

    /** Examples of both ends of the range at each level. */
    static <R> List<Example<R>> examples(int levels, Leveled<R> leveled) {
        return IntStream.rangeClosed(1, levels)
                .boxed()
                .flatMap(level -> LongStream.of(0, WIDTH)
                        .mapToObj(part -> new Example<R>(
                                Map.of("part", part, "level", level),
                                bits -> leveled.report(level, new Position(part, WIDTH), bits))))
                .toList();
    }
}
