package dev.purser.collection;

import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverters;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.media.Schema;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
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
        Map<String, Schema> schemas = api.getComponents().getSchemas();
        Schema<?> collection = requireNonNull(schemas.get("OpenCollection"));
        describe(collection, Protocols.ALL, ProtocolKind::name, ProtocolKind::fields);
        describe(schemas.get("Report"), Protocols.ALL, ProtocolKind::name, ProtocolKind::reportFields);
        List<GradientKind> ofGradients = Protocols.OF_GRADIENTS;
        describe(schemas.get("OpenTraining"), ofGradients, GradientKind::name, ProtocolNames::amount);
        describe(schemas.get("GradientReport"), ofGradients, GradientKind::name, GradientKind::gradientFields);
        property(collection, "protocol")
                .example(HybridProtocol.NAME)
                .description("Of numbers: " + listed(NumbersProtocol.class) + "; with levels "
                        + listed(LevelsProtocol.class) + ". Of categories: " + listed(CategoriesProtocol.class) + ".");
        property(collection, "categories")
                .description(String.format(
                        Locale.ROOT, "All of them, public, 2 to %,d%s.", CategoriesProtocol.MAX_CATEGORIES, fewer()));
    }

    private static List<Field> amount(GradientKind kind) {
        return Field.allShared(kind.amount());
    }

    private static Schema<?> property(Schema<?> request, String name) {
        return requireNonNull(request.getProperties().get(name));
    }

    private static <K> void describe(
            @Nullable Schema<?> request, List<K> kinds, Function<K, String> name, Function<K, List<Field>> fields) {
        Map<String, Schema> properties = requireNonNull(request).getProperties();
        kinds.stream()
                .flatMap(kind -> fields.apply(kind).stream())
                .filter(field -> field.type() != null)
                .forEach(field -> properties.put(field.name(), schema(field)));
        for (Schema<?> property : properties.values()) {
            if (property.getDescription() != null) {
                property.setDescription(HAVING.matcher(property.getDescription())
                        .replaceAll(having -> names(kinds.stream()
                                .filter(kind -> fields.apply(kind).stream()
                                        .anyMatch(field -> field.name().equals(having.group(1))))
                                .map(kind -> "`" + name.apply(kind) + "`")
                                .toList())));
            }
        }
        Schema<Object> protocol = properties.get("protocol");
        if (protocol != null) {
            protocol.setEnum(kinds.stream().<Object>map(name).toList());
        }
    }

    private static Schema<?> schema(Field field) {
        return ModelConverters.getInstance(true)
                .resolveAsResolvedSchema(new AnnotatedType(field.type()))
                .schema
                .description(field.description());
    }

    private static String names(List<String> names) {
        return names.size() < 2 || names.size() > MOST_WITH_AND
                ? String.join(", ", names)
                : String.join(", ", names.subList(0, names.size() - 1)) + " and " + names.getLast();
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
