package dev.purser.http;

import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.Shape;
import java.math.BigDecimal;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class JsonSchemasTests {
    private static final JsonMapper JSON = JsonMapper.shared();

    /** A field refuses exactly the values that its description excludes, so a client can check values itself. */
    @Test
    void theRangeOfEveryTypeIsDescribed() {
        FieldType<Integer> integer = FieldType.integer(1, 9);
        Shape.ObjectOf form = new Shape.ObjectOf(
                "Form",
                Field.required("integer", integer, "How many."),
                Field.optional("long", FieldType.longInteger(0, 5_000_000_000L), "")
                        .withDefault(7L),
                Field.optional("number", FieldType.number(new BigDecimal("0.5"), BigDecimal.ONE), "", 1),
                Field.optional("any", FieldType.NUMBER, ""),
                Field.required("text", FieldType.text(1, 20), ""),
                Field.required("id", FieldType.text(Pattern.compile("a|b[0-9]"), "an id"), ""),
                Field.required("word", FieldType.choice("yes", "no"), ""),
                Field.required("list", FieldType.listOf(integer, 2, 3), ""),
                Field.optional("some", FieldType.elements(integer, 2, 3).orNone(), ""));
        assertThat(JSON.readTree(JsonSchemas.of(form).toString())).isEqualTo(JSON.readTree("""
                {
                  "type": "object",
                  "required": ["id", "integer", "list", "text", "word"],
                  "properties": {
                    "integer": {"type": "integer", "format": "int32", "minimum": 1, "maximum": 9,
                                "description": "How many."},
                    "long": {"type": "integer", "format": "int64", "minimum": 0, "maximum": 5000000000,
                             "description": " By default 7.", "examples": [7]},
                    "number": {"type": "number", "minimum": 0.5, "maximum": 1, "examples": [1]},
                    "any": {"type": "number"},
                    "text": {"type": "string", "minLength": 1, "maxLength": 20},
                    "id": {"type": "string", "pattern": "^(a|b[0-9])$"},
                    "word": {"type": "string", "enum": ["yes", "no"]},
                    "list": {"type": "array", "minItems": 2, "maxItems": 3,
                             "items": {"type": "integer", "format": "int32", "minimum": 1, "maximum": 9}},
                    "some": {"type": "array", "minItems": 0, "maxItems": 3,
                             "items": {"type": "integer", "format": "int32", "minimum": 1, "maximum": 9}}
                  }
                }"""));
    }
}
