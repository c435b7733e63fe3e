package dev.purser.collection;

import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.privacy.Epsilon;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A protocol for numbers of a range, with one epsilon. */
abstract class NumbersProtocol extends ProtocolKind {
    /** Public values for examples. */
    static final List<Long> PARTS = List.of(0L, 20_000L, Protocol.WIDTH / 2, Protocol.WIDTH);

    private final Field<Integer> dimensions;

    NumbersProtocol(String name, int mostDimensions, List<Field<?>> reportFields) {
        super(
                name,
                mostDimensions == 1 ? List.of(EPSILON, Bounds.RANGE) : List.of(EPSILON, Bounds.RANGE, DIMENSIONS),
                reportFields);
        this.dimensions = DIMENSIONS.of(FieldType.integer(1, mostDimensions));
    }

    abstract Protocol<?> protocol(Epsilon epsilon, int dimensions);

    @Override
    final Supplier<Declared> fieldsOf(ObjectReader in) {
        Optional<Bounds> range = in.required(Bounds.RANGE);
        Optional<Epsilon> epsilon = in.required(EPSILON);
        int numbers = in.read(dimensions).orElse(1);
        in.read(NO_REUSE);
        return () -> new Declared(range.orElseThrow(), numbers, List.of(), protocol(epsilon.orElseThrow(), numbers));
    }
}
