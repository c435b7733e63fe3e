package dev.purser.collection;

import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverters;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.media.Schema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springframework.stereotype.Component;

import static java.util.Objects.requireNonNull;

/**
 * Names the protocols where the API describes requests. In the description of a field, {@code {level}} stands for the
 * protocols that have a field {@code level}. A field that one protocol has is added.
 */
@Component
class ProtocolNames implements OpenApiCustomizer {
    private static final Pattern HAVING = Pattern.compile("\\{(\\w+)}");

    /** The names of more protocols have commas only. */
    private static final int MOST_WITH_AND = 3;

    @Override
    public void customise(OpenAPI api) {
        SequencedMap<String, List<Field>> fields = new LinkedHashMap<>();
        SequencedMap<String, List<Field>> reports = new LinkedHashMap<>();
        for (ProtocolKind kind : Protocols.ALL) {
            fields.put(kind.name(), kind.fields());
            reports.put(kind.name(), kind.reportFields());
        }
        SequencedMap<String, List<Field>> gradients = new LinkedHashMap<>();
        SequencedMap<String, List<Field>> trainings = new LinkedHashMap<>();
        for (GradientKind kind : Protocols.OF_GRADIENTS) {
            trainings.put(kind.name(), List.of(kind.amount()));
            gradients.put(kind.name(), kind.gradientFields());
        }
        Map<String, Schema> schemas = api.getComponents().getSchemas();
        describe(requireNonNull(schemas.get("OpenCollection")), fields);
        describe(requireNonNull(schemas.get("Report")), reports);
        describe(requireNonNull(schemas.get("OpenTraining")), trainings);
        describe(requireNonNull(schemas.get("GradientReport")), gradients);
        Map<String, Schema> ofCollections =
                requireNonNull(schemas.get("OpenCollection")).getProperties();
        requireNonNull(ofCollections.get("protocol"))
                .example(HybridProtocol.NAME)
                .description("Of numbers: " + listed(NumbersProtocol.class) + "; with levels "
                        + listed(LevelsProtocol.class) + ". Of categories: " + listed(CategoriesProtocol.class) + ".");
        requireNonNull(ofCollections.get("categories"))
                .description(String.format(
                        Locale.ROOT, "All of them, public, 2 to %,d%s.", CategoriesProtocol.MAX_CATEGORIES, fewer()));
    }

    private static void describe(Schema<?> request, SequencedMap<String, List<Field>> protocols) {
        Map<String, Schema> properties = request.getProperties();
        protocols.values().stream()
                .flatMap(List::stream)
                .filter(field -> field.type() != null)
                .forEach(field -> properties.put(field.name(), schema(field)));
        properties.values().stream()
                .filter(property -> property.getDescription() != null)
                .forEach(property -> property.setDescription(HAVING.matcher(property.getDescription())
                        .replaceAll(having -> having(having.group(1), protocols))));
        Schema<Object> protocol = properties.get("protocol");
        if (protocol != null) {
            protocol.setEnum(List.copyOf(protocols.keySet()));
        }
    }

    private static Schema<?> schema(Field field) {
        return ModelConverters.getInstance(true)
                .resolveAsResolvedSchema(new AnnotatedType(field.type()))
                .schema
                .description(field.description());
    }

    private static String having(String field, SequencedMap<String, List<Field>> protocols) {
        List<String> names = protocols.entrySet().stream()
                .filter(protocol ->
                        protocol.getValue().stream().anyMatch(has -> has.name().equals(field)))
                .map(protocol -> "`" + protocol.getKey() + "`")
                .toList();
        if (names.size() < 2 || names.size() > MOST_WITH_AND) {
            return String.join(", ", names);
        }
        return String.join(", ", names.subList(0, names.size() - 1)) + " and " + names.getLast();
    }

    private static String fewer() {
        return Protocols.only(CategoriesProtocol.class)
                .filter(kind -> kind.mostCategories() < CategoriesProtocol.MAX_CATEGORIES)
                .map(kind -> "; `" + kind.name() + "` has at most " + kind.mostCategories())
                .collect(Collectors.joining());
    }

    private static String listed(Class<? extends ProtocolKind> family) {
        return Protocols.only(family).map(ProtocolKind::listed).collect(Collectors.joining(", "));
    }
}
