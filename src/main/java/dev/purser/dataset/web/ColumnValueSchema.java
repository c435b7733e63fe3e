package dev.purser.dataset.web;

import com.fasterxml.jackson.databind.JavaType;
import dev.purser.dataset.ColumnValue;
import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverter;
import io.swagger.v3.core.converter.ModelConverterContext;
import io.swagger.v3.core.util.Json31;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.media.Schema;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Describes a column's value by its JSON type: a number, or a string in a column of dates or timestamps. */
@Component
final class ColumnValueSchema implements ModelConverter {
    private static final String NAME = "ColumnValue";

    @Override
    public @Nullable Schema<?> resolve(
            AnnotatedType type, ModelConverterContext context, Iterator<ModelConverter> chain) {
        JavaType javaType = Json31.mapper().constructType(type.getType());
        if (javaType != null && javaType.getRawClass() == ColumnValue.class) {
            Schema<?> value = new JsonSchema()
                    .description("A number, or a string in a column of dates or timestamps.")
                    .anyOf(List.of(typed("number"), typed("string")));
            context.defineModel(NAME, value, type, null);
            return new JsonSchema().$ref("#/components/schemas/" + NAME);
        }
        return chain.hasNext() ? chain.next().resolve(type, context, chain) : null;
    }

    private static JsonSchema typed(String type) {
        JsonSchema schema = new JsonSchema();
        schema.setTypes(Set.of(type));
        return schema;
    }
}
