package dev.purser.query.web;

import dev.purser.ledger.BudgetLedger;
import java.util.Set;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JacksonSerializable;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.jsontype.TypeSerializer;

/**
 * A member of a stored answer. It is copied from the ledger, token by token, whenever it is written, so that a list
 * holds no answer in memory however slowly its client reads.
 *
 * @param names the member is the first with one of these names; {@code null} is written without one
 */
record StoredMember(BudgetLedger ledger, String queryId, Set<String> names) implements JacksonSerializable {
    private static final JsonFactory JSON = new JsonFactory();

    @Override
    public void serialize(JsonGenerator out, SerializationContext context) {
        try (JsonParser in = JSON.createParser(ObjectReadContext.empty(), ledger.openAnswered(queryId))) {
            in.nextToken();
            while (in.nextToken() == JsonToken.PROPERTY_NAME) {
                boolean isIt = names.contains(in.currentName());
                in.nextToken();
                if (isIt) {
                    out.copyCurrentStructureExact(in);
                    return;
                }
                in.skipChildren();
            }
        }
        out.writeNull();
    }

    @Override
    public void serializeWithType(JsonGenerator out, SerializationContext context, TypeSerializer type) {
        serialize(out, context);
    }
}
