package dev.purser.openapi;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.purser.json.Field;
import dev.purser.json.Shape;
import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverters;
import io.swagger.v3.core.converter.ResolvedSchema;
import io.swagger.v3.core.util.Json31;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.examples.Example;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.Discriminator;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.parameters.RequestBody;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;

/** Schemas that no operation refers to directly, added to the components. */
public final class Schemas {
    /** The beginning of every reference to a schema. */
    public static final String PREFIX = "#/components/schemas/";

    private final Components components;

    public Schemas(Components components) {
        this.components = components;
    }

    /** The schema of a type. The schemas it refers to are added. */
    public Schema<?> of(Class<?> type) {
        ResolvedSchema resolved =
                ModelConverters.getInstance(true).resolveAsResolvedSchema(new AnnotatedType(type).resolveAsRef(false));
        resolved.referencedSchemas.forEach(components::addSchemas);
        resolved.referencedSchemas.forEach((name, schema) -> schema.setName(name));
        return resolved.schema;
    }

    /** A reference to an object of a request. Its schema is added. */
    public Schema<?> reference(Shape.ObjectOf type) {
        Schema<?> schema = typed("object");
        schema.setDescription(type.description().isEmpty() ? null : type.description());
        type.fields().forEach(field -> schema.addProperty(field.name(), of(field)));
        schema.setRequired(type.fields().stream()
                .filter(Field::isRequired)
                .map(Field::name)
                .toList());
        return reference(type.name(), schema);
    }

    /** A reference to a schema, which is added under this name. */
    public Schema<?> reference(String name, Schema<?> schema) {
        components.addSchemas(name, schema);
        return reference(name);
    }

    /** A reference to a schema that was added before. */
    public static Schema<?> reference(String name) {
        return new JsonSchema().$ref(PREFIX + name);
    }

    public static Schema<?> typed(String type) {
        JsonSchema schema = new JsonSchema();
        // The library changes the types of path parameters.
        schema.setTypes(new HashSet<>(Set.of(type)));
        return schema;
    }

    /** A value of this type that need not be sent, and its default. */
    public static Schema<Object> withDefault(String type, Object value) {
        Schema<Object> schema = new JsonSchema();
        schema.setTypes(Set.of(type));
        schema.setDefault(value);
        return schema;
    }

    private Schema<?> of(Field<?> field) {
        Schema<?> schema = of(field.type().shape());
        // The default stands in the text. If it were declared, generated clients would send it, or not compile.
        String absent = field.defaultValue() == null ? "" : " By default " + field.defaultValue() + ".";
        String description = field.description() + absent;
        if (!description.isEmpty()) {
            schema.setDescription(description);
        }
        if (field.example() != null) {
            schema.setExample(field.example());
        }
        return schema;
    }

    private Schema<?> of(Shape shape) {
        return switch (shape) {
            case Shape.Of(var type) -> {
                Schema<?> schema = of(type);
                yield schema.getName() == null ? schema : reference(schema.getName(), schema);
            }
            case Shape.Text(int least, int most) ->
                typed("string").minLength(least).maxLength(most);
            case Shape.Matching(var pattern) -> typed("string").pattern("^(" + pattern.pattern() + ")$");
            case Shape.Whole(boolean isLong, long least, long most) ->
                typed("integer")
                        .format(isLong ? "int64" : "int32")
                        .minimum(BigDecimal.valueOf(least))
                        .maximum(BigDecimal.valueOf(most));
            case Shape.Decimal(var least, var most) ->
                typed("number").minimum(least).maximum(most);
            case Shape.Choice choice -> {
                Schema<Object> schema = new JsonSchema();
                schema.setTypes(Set.of("string"));
                schema.setEnum(List.copyOf(choice.words()));
                yield schema;
            }
            case Shape.ListOf(var element, int least, int most) ->
                typed("array").items(of(element)).minItems(least).maxItems(most);
            case Shape.ObjectOf object -> reference(object);
            case Shape.Word(String word) -> word(word);
            case Shape.OneOf(var name, var description, var discriminator, var alternatives) -> {
                alternatives.values().forEach(this::reference);
                SequencedMap<String, String> names = new LinkedHashMap<>();
                alternatives.forEach((word, each) -> names.put(word, each.name()));
                yield reference(name, oneOf(discriminator, names).description(description));
            }
        };
    }

    /** A string that is always this word. */
    public static Schema<?> word(String word) {
        Schema<Object> schema = new JsonSchema();
        schema.setTypes(Set.of("string"));
        schema.setEnum(List.of(word));
        schema.setExample(word);
        return schema;
    }

    /**
     * One of several objects that were added before.
     *
     * @param names the names of their schemas, by the word that is their {@code discriminator}
     */
    public static Schema<?> oneOf(String discriminator, SequencedMap<String, String> names) {
        Schema<?> schema = new JsonSchema().discriminator(new Discriminator().propertyName(discriminator));
        names.forEach((word, name) -> {
            schema.addOneOfItem(reference(name));
            schema.getDiscriminator().mapping(word, PREFIX + name);
        });
        return schema;
    }

    /** A required body in JSON. */
    public RequestBody body(Shape type, SequencedMap<String, Example> examples) {
        MediaType json = new MediaType().schema(of(type)).examples(new LinkedHashMap<>(examples));
        return new RequestBody()
                .required(true)
                .content(new Content().addMediaType(org.springframework.http.MediaType.APPLICATION_JSON_VALUE, json));
    }

    /** An example of a body, shown as JSON. */
    public static Example example(String summary, String json) {
        try {
            return new Example().summary(summary).value(Json31.mapper().readTree(json));
        } catch (JsonProcessingException noJson) {
            throw new IllegalStateException(json, noJson);
        }
    }
}
