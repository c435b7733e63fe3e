package dev.purser.collection;

import dev.purser.json.Field;
import dev.purser.json.FieldType;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** The hand-written list of the protocols of collections and trainings. All other code finds the protocols here. */
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

    /** The protocols of the gradients of trainings. */
    static final List<GradientKind> OF_GRADIENTS = only(GradientKind.class).toList();

    /** Fields of declarations that some protocols have, in the order of the request. */
    static final List<Field<?>> FIELDS = described(
            ProtocolKind::fields,
            Bounds.RANGE,
            ProtocolKind.EPSILON,
            ProtocolKind.EPSILONS,
            LhpProtocol.LEVEL_EPSILON,
            LeveledSignProtocol.DIVISIONS,
            ProtocolKind.REUSE,
            ProtocolKind.DIMENSIONS);

    static final List<Field<?>> REPORT_FIELDS = described(ProtocolKind::reportFields);

    static final List<Field<?>> GRADIENT_FIELDS =
            described(kind -> kind instanceof GradientKind ofGradients ? ofGradients.gradientFields() : List.of());

    /** The fields of both kinds of reports. */
    static final List<Field<?>> ALL_REPORT_FIELDS = Field.all(REPORT_FIELDS, GRADIENT_FIELDS);

    private Protocols() {}

    /** The protocols of one family. */
    static <T> Stream<T> only(Class<T> family) {
        return ALL.stream().filter(family::isInstance).map(family::cast);
    }

    /**
     * The type of a field that names one of these. A refusal lists all of them in an order of its own.
     *
     * @param order the order in a refusal
     */
    static <K> FieldType<K> choice(List<K> kinds, Function<K, String> name, Comparator<K> order) {
        FieldType<K> listed = FieldType.choice(kinds.stream().sorted(order).toList(), name);
        return new FieldType<>(FieldType.choice(kinds, name).shape(), listed.reader());
    }

    /** The names of some protocols in a sentence. More than three have commas only. */
    static String listed(Stream<String> names) {
        List<String> all = names.map(name -> "`" + name + "`").toList();
        return all.size() == 2 || all.size() == 3
                ? String.join(", ", all.subList(0, all.size() - 1)) + " and " + all.getLast()
                : String.join(", ", all);
    }

    /**
     * The fields of all protocols. In the description of each, the names of the protocols that have it replace
     * {@code %s}.
     */
    private static List<Field<?>> described(Function<ProtocolKind, List<Field<?>>> fields, Field<?>... first) {
        return Stream.concat(Stream.of(first), ALL.stream().flatMap(kind -> fields.apply(kind).stream()))
                .distinct()
                .<Field<?>>map(field -> field.describedAs(String.format(
                        field.description(),
                        listed(ALL.stream()
                                .filter(kind -> fields.apply(kind).contains(field))
                                .map(ProtocolKind::name)))))
                .toList();
    }
}
