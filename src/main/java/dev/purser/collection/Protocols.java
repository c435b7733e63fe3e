package dev.purser.collection;

import java.util.List;
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

    /** Fields of declarations in the order of the request; others come after them. */
    private static final List<String> FIRST =
            List.of("range", "epsilon", "epsilons", "levelEpsilon", "divisions", "reuse", "dimensions", "categories");

    /** The names of all fields of declarations, of which each protocol has some. */
    static final String[] FIELDS = Stream.concat(
                    FIRST.stream(),
                    ALL.stream().flatMap(kind -> kind.fields().stream()).map(Field::name))
            .distinct()
            .toArray(String[]::new);

    /** The names of all fields of reports, of which each protocol has some. */
    static final String[] REPORT_FIELDS = Stream.concat(
                    ALL.stream().flatMap(kind -> kind.reportFields().stream()),
                    OF_GRADIENTS.stream().flatMap(kind -> kind.gradientFields().stream()))
            .map(Field::name)
            .distinct()
            .toArray(String[]::new);

    private Protocols() {}

    /** The protocols of one family. */
    static <T> Stream<T> only(Class<T> family) {
        return ALL.stream().filter(family::isInstance).map(family::cast);
    }
}
