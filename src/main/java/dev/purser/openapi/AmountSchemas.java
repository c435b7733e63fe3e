package dev.purser.openapi;

import com.fasterxml.jackson.databind.JavaType;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.Rho;
import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverter;
import io.swagger.v3.core.converter.ModelConverterContext;
import io.swagger.v3.core.util.Json31;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.models.media.JsonSchema;
import java.lang.annotation.Annotation;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Describes exact privacy amounts in their JSON form: plain decimal text. */
@Component
final class AmountSchemas implements ModelConverter {
    @Override
    public io.swagger.v3.oas.models.media.@Nullable Schema<?> resolve(
            AnnotatedType type, ModelConverterContext context, Iterator<ModelConverter> chain) {
        JavaType javaType = Json31.mapper().constructType(type.getType());
        if (javaType != null && javaType.getRawClass() == Epsilon.class) {
            return amount(type, "Exact epsilon (dimensionless), plain decimal, at most 9 fraction digits.", "0.1");
        }
        if (javaType != null && javaType.getRawClass() == Delta.class) {
            return amount(type, "Exact delta (a probability), plain decimal, at most 18 fraction digits.", "0");
        }
        if (javaType != null && javaType.getRawClass() == Rho.class) {
            return amount(type, "Exact rho (dimensionless), plain decimal, at most 12 fraction digits.", "0.004995837");
        }
        return chain.hasNext() ? chain.next().resolve(type, context, chain) : null;
    }

    private static JsonSchema amount(AnnotatedType type, String description, String example) {
        Optional<Schema> declared = declared(type);
        JsonSchema schema = new JsonSchema();
        schema.setTypes(Set.of("string"));
        schema.setDescription(declared.map(Schema::description)
                .filter(text -> !text.isEmpty())
                .orElse(description));
        schema.setExample(
                declared.map(Schema::example).filter(text -> !text.isEmpty()).orElse(example));
        return schema;
    }

    private static Optional<Schema> declared(AnnotatedType type) {
        Annotation[] annotations = type.getCtxAnnotations();
        return annotations == null
                ? Optional.empty()
                : Arrays.stream(annotations)
                        .filter(Schema.class::isInstance)
                        .map(Schema.class::cast)
                        .findFirst();
    }
}
