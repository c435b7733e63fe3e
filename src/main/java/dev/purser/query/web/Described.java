package dev.purser.query.web;

import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverters;
import io.swagger.v3.core.converter.ResolvedSchema;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.media.Schema;

/** Schemas of types that no operation names by itself. */
final class Described {
    private Described() {}

    /** The schema of a type, added to the components together with all that it refers to. */
    static Schema<?> add(Components components, Class<?> type) {
        ResolvedSchema resolved =
                ModelConverters.getInstance(true).resolveAsResolvedSchema(new AnnotatedType(type).resolveAsRef(false));
        resolved.referencedSchemas.forEach(components::addSchemas);
        resolved.referencedSchemas.forEach((name, schema) -> schema.setName(name));
        return resolved.schema;
    }
}
