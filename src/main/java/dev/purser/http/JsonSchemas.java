package dev.purser.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.purser.json.Shape;
import dev.purser.openapi.Schemas;
import io.swagger.v3.core.util.Json31;
import io.swagger.v3.oas.models.Components;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Declared fields as JSON Schema, for readers that know nothing of OpenAPI. */
public final class JsonSchemas {
    private static final JsonMapper JSON = new JsonMapper();

    private JsonSchemas() {}

    /** The schema of an object, with the schemas that it refers to in {@code $defs}. */
    public static ObjectNode of(Shape.ObjectOf type) {
        Components components = new Components();
        new Schemas(components).reference(type);
        ObjectNode definitions = (ObjectNode) JSON.readTree(written(components).replace(Schemas.PREFIX, "#/$defs/"));
        ObjectNode schema = (ObjectNode) definitions.remove(type.name());
        if (!definitions.isEmpty()) {
            schema.set("$defs", definitions);
        }
        forReadersOfJsonSchema(schema);
        return schema;
    }

    private static String written(Components components) {
        try {
            return Json31.mapper().writeValueAsString(components.getSchemas());
        } catch (JsonProcessingException noJson) {
            throw new IllegalStateException(noJson);
        }
    }

    /** Removes discriminators and single examples, which only OpenAPI has. */
    private static void forReadersOfJsonSchema(JsonNode node) {
        if (node instanceof ObjectNode schema && schema.path("example").isValueNode()) {
            schema.putArray("examples").add(schema.get("example"));
        }
        if (node instanceof ObjectNode schema) {
            schema.remove("example");
            schema.remove("discriminator");
        }
        node.forEach(JsonSchemas::forReadersOfJsonSchema);
    }
}
