package dev.purser.query.web;

import dev.purser.query.Field;
import dev.purser.query.FieldType;
import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverters;
import io.swagger.v3.core.converter.ResolvedSchema;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.media.Discriminator;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.media.Schema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;

/** Schemas that no operation refers to directly, added to the components. */
final class Schemas {
    private static final String PREFIX = "#/components/schemas/";

    private final Components components;

    Schemas(Components components) {
        this.components = components;
    }

    /** The schema of a type. The schemas it refers to are added. */
    Schema<?> of(Class<?> type) {
        ResolvedSchema resolved =
                ModelConverters.getInstance(true).resolveAsResolvedSchema(new AnnotatedType(type).resolveAsRef(false));
        resolved.referencedSchemas.forEach(components::addSchemas);
        resolved.referencedSchemas.forEach((name, schema) -> schema.setName(name));
        return resolved.schema;
    }

    /** A reference to an object of a request. Its schema is added. */
    Schema<?> reference(FieldType.ObjectOf type) {
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
    Schema<?> reference(String name, Schema<?> schema) {
        components.addSchemas(name, schema);
        return reference(name);
    }

    /** A reference to a schema that was added before. */
    static Schema<?> reference(String name) {
        return new JsonSchema().$ref(PREFIX + name);
    }

    static Schema<?> typed(String type) {
        JsonSchema schema = new JsonSchema();
        schema.setTypes(Set.of(type));
        return schema;
    }

    private Schema<?> of(Field field) {
        Schema<?> schema = of(field.type());
        // Generated clients would send a default that is described as one, or not compile.
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

    private Schema<?> of(FieldType type) {
        return switch (type) {
            case FieldType.Plain plain -> of(plain.type());
            case FieldType.NumberBetween(var least, var greatest) ->
                typed("number").minimum(least).maximum(greatest);
            case FieldType.Choice choice -> {
                Schema<Object> schema = new JsonSchema();
                schema.setTypes(Set.of("string"));
                schema.setEnum(List.copyOf(choice.words()));
                yield schema;
            }
            case FieldType.ListOf list -> typed("array").items(of(list.element()));
            case FieldType.ObjectOf object -> reference(object);
            case FieldType.Word(String word) -> word(word);
            case FieldType.OneOf(var name, var description, var discriminator, var alternatives) -> {
                alternatives.values().forEach(this::reference);
                SequencedMap<String, String> names = new LinkedHashMap<>();
                alternatives.forEach((word, each) -> names.put(word, each.name()));
                yield reference(name, oneOf(discriminator, names).description(description));
            }
        };
    }

    /** A string that is always this word. */
    static Schema<?> word(String word) {
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
    static Schema<?> oneOf(String discriminator, SequencedMap<String, String> names) {
        Schema<?> schema = new JsonSchema().discriminator(new Discriminator().propertyName(discriminator));
        names.forEach((word, name) -> {
            schema.addOneOfItem(reference(name));
            schema.getDiscriminator().mapping(word, PREFIX + name);
        });
        return schema;
    }
}
