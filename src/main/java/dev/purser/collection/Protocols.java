package dev.purser.collection;

import dev.purser.json.Field;
import dev.purser.json.FieldType;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** The hand-written list of the protocols of collections and trainings. Everything else finds them here. */
final class Protocols {
    /** All protocols, in the order of the API's description. */
    static final List<ProtocolKind> ALL = List.of(
            new HarmonyProtocol(),
            new PiecewiseProtocol(),
            new HybridProtocol(),
            new LaplaceProtocol(),
            new MultilevelLaplaceProtocol(),
            new HieraProtocol(),
            new LhpProtocol(),
            new GrrProtocol(),
            new OueProtocol(),
            new OlhProtocol(),
            new HadamardProtocol(),
            new FrequenciesProtocol());

    /** Those of the gradients of trainings. */
    static final List<GradientKind> OF_GRADIENTS = only(GradientKind.class).toList();

    /** Fields of declarations that some protocols have, in the order of the request. */
    static final List<Field> FIELDS = described(
            ProtocolKind::fields,
            Bounds.RANGE,
            ProtocolKind.EPSILON,
            ProtocolKind.EPSILONS,
            LhpProtocol.LEVEL_EPSILON,
            LeveledSignProtocol.DIVISIONS,
            LeveledSignProtocol.REUSE,
            NumbersProtocol.DIMENSIONS);

    static final List<Field> REPORT_FIELDS = described(ProtocolKind::reportFields);

    static final List<Field> GRADIENT_FIELDS =
            described(kind -> kind instanceof GradientKind ofGradients ? ofGradients.gradientFields() : List.of());

    static final String[] FIELD_NAMES = names(FIELDS);
    static final String[] REPORT_FIELD_NAMES = names(Field.all(REPORT_FIELDS, GRADIENT_FIELDS));

    private Protocols() {}

    /** The protocols of one family. */
    static <T> Stream<T> only(Class<T> family) {
        return ALL.stream().filter(family::isInstance).map(family::cast);
    }

    /** A field's type: the name of one of these. */
    static <K> FieldType choice(List<K> kinds, Function<K, String> name) {
        return new FieldType.Choice(kinds.stream().map(name).toList());
    }

    /** The names of some protocols in a sentence. More than three have commas only. */
    static String listed(Stream<String> names) {
        List<String> all = names.map(name -> "`" + name + "`").toList();
        return all.size() == 2 || all.size() == 3
                ? String.join(", ", all.subList(0, all.size() - 1)) + " and " + all.getLast()
                : String.join(", ", all);
    }

    /** The fields of all protocols, with the names of those that have one in place of {@code %s}. */
    private static List<Field> described(Function<ProtocolKind, List<Field>> fields, Field... first) {
        return Stream.concat(Stream.of(first), ALL.stream().flatMap(kind -> fields.apply(kind).stream()))
                .distinct()
                .map(field -> new Field(
                        field.name(),
                        field.type(),
                        false,
                        String.format(
                                field.description(),
                                listed(ALL.stream()
                                        .filter(kind -> fields.apply(kind).contains(field))
                                        .map(ProtocolKind::name))),
                        null,
                        field.example()))
                .toList();
    }

    private static String[] names(List<Field> fields) {
        return fields.stream().map(Field::name).distinct().toArray(String[]::new);
    }
}
