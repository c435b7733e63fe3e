package dev.purser.openapi;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JavaType;
import dev.purser.privacy.StatedAmount;
import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverter;
import io.swagger.v3.core.converter.ModelConverterContext;
import io.swagger.v3.core.util.Json31;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.media.Schema;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.RecordComponent;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Describes the records of answers: every component is present, and null only where it is declared nullable. If a
 * record omits null components, nullable components are optional instead. A record with one type argument is a list,
 * named by the argument.
 */
@Component
final class RecordSchemas implements ModelConverter {
    @Override
    public @Nullable Schema<?> resolve(
            AnnotatedType type, ModelConverterContext context, Iterator<ModelConverter> chain) {
        JavaType javaType = Json31.mapper().constructType(type.getType());
        if (javaType != null && isAnswer(javaType.getRawClass()) && javaType.containedTypeCount() == 1) {
            type.setName(name(javaType.containedType(0).getRawClass()) + "List");
        }
        Schema<?> schema = chain.hasNext() ? chain.next().resolve(type, context, chain) : null;
        if (schema == null || javaType == null || !isAnswer(javaType.getRawClass())) {
            return schema;
        }
        String reference = schema.get$ref();
        Schema<?> model = reference == null
                ? schema
                : context.getDefinedModels().get(reference.substring(reference.lastIndexOf('/') + 1));
        if (model != null && model.getProperties() != null) {
            describe(javaType.getRawClass(), model);
        }
        return schema;
    }

    private static String name(Class<?> type) {
        io.swagger.v3.oas.annotations.media.Schema declared =
                type.getAnnotation(io.swagger.v3.oas.annotations.media.Schema.class);
        return declared == null || declared.name().isEmpty() ? type.getSimpleName() : declared.name();
    }

    private static boolean isAnswer(Class<?> type) {
        return type.isRecord() && type.getName().startsWith("dev.purser.");
    }

    private static void describe(Class<?> type, Schema<?> model) {
        // The amount is plain Java and cannot carry the annotation.
        boolean leavesOutAll = type == StatedAmount.class || isWithoutNull(type);
        Set<String> required = new TreeSet<>();
        for (RecordComponent component : type.getRecordComponents()) {
            Schema<?> property = model.getProperties().get(component.getName());
            if (property == null) {
                continue;
            }
            boolean leavesOutNull = leavesOutAll || isWithoutNull(component.getAccessor());
            boolean nullable = component.getAnnotatedType().isAnnotationPresent(Nullable.class);
            if (!nullable || !leavesOutNull) {
                required.add(component.getName());
            }
            boolean isAnything = property.getTypes() == null && property.get$ref() == null;
            if (nullable && !leavesOutNull && !isAnything) {
                model.getProperties().put(component.getName(), thisOrNull(property));
            }
        }
        if (type == StatedAmount.class && model.getDescription() == null) {
            model.setDescription("An exact amount of privacy: epsilon and delta, as plain decimals in strings. Under"
                    + " `zcdp` also rho, which alone is compared; epsilon is then the conversion of this rho at the"
                    + " limit's delta, and such epsilons do not add up.");
        }
        model.setRequired(required.stream().toList());
    }

    private static boolean isWithoutNull(AnnotatedElement element) {
        JsonInclude include = element.getAnnotation(JsonInclude.class);
        return include != null && include.value() == JsonInclude.Include.NON_NULL;
    }

    /** Generators of clients read this form better than an array of types. */
    private static Schema<?> thisOrNull(Schema<?> schema) {
        JsonSchema nothing = new JsonSchema();
        nothing.setTypes(Set.of("null"));
        JsonSchema either = new JsonSchema();
        either.setAnyOf(List.of(schema, nothing));
        either.setDescription(schema.getDescription());
        schema.setDescription(null);
        if (schema.getExampleSetFlag()) {
            either.setExample(schema.getExample());
            schema.setExampleSetFlag(false);
        }
        return either;
    }
}
