package dev.purser.collection;

import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.privacy.Epsilon;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A protocol of numbers of a range, with one epsilon. */
abstract class NumbersProtocol extends ProtocolKind {
    /** Public values for examples. */
    static final List<Long> PARTS = List.of(0L, 20_000L, Protocol.WIDTH / 2, Protocol.WIDTH);

    static final Field DIMENSIONS = Field.optional(
                    "dimensions", FieldType.INTEGER, "How many numbers of the range a value has, with %s.")
            .withExample(1);

    private final int mostDimensions;

    NumbersProtocol(String name, int mostDimensions, List<Field> reportFields) {
        super(
                name,
                mostDimensions == 1 ? List.of(EPSILON, Bounds.RANGE) : List.of(EPSILON, Bounds.RANGE, DIMENSIONS),
                reportFields);
        this.mostDimensions = mostDimensions;
    }

    abstract Protocol<?> protocol(Epsilon epsilon, int dimensions);

    @Override
    final Supplier<Declared> fieldsOf(ObjectReader in) {
        Optional<Bounds> range = Bounds.read(in);
        Optional<Epsilon> epsilon = epsilon(in);
        Optional<Long> dimensions = in.optional("dimensions").integer(1, mostDimensions);
        in.optional("reuse").integer(1, 1);
        int numbers = dimensions.orElse(1L).intValue();
        return () -> new Declared(range.orElseThrow(), numbers, List.of(), protocol(epsilon.orElseThrow(), numbers));
    }
}
