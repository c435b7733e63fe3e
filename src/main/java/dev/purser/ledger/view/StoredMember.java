package dev.purser.ledger.view;

import dev.purser.ledger.BudgetLedger;
import java.io.InputStream;
import java.util.Optional;
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
 * @param names the member is the first that has one of these names; {@code null} is written if there is no such member
 *     or no answer
 */
public record StoredMember(BudgetLedger ledger, String queryId, Set<String> names) implements JacksonSerializable {
    private static final JsonFactory JSON = new JsonFactory();

    @Override
    public void serialize(JsonGenerator out, SerializationContext context) {
        Optional<InputStream> answer = ledger.openAnswered(queryId);
        if (answer.isPresent() && copyMember(answer.orElseThrow(), out)) {
            return;
        }
        out.writeNull();
    }

    /** Copies the member. Returns false, and writes nothing, if the answer has no such member. */
    private boolean copyMember(InputStream answer, JsonGenerator out) {
        try (JsonParser in = JSON.createParser(ObjectReadContext.empty(), answer)) {
            in.nextToken();
            while (in.nextToken() == JsonToken.PROPERTY_NAME) {
                boolean isIt = names.contains(in.currentName());
                in.nextToken();
                if (isIt) {
                    out.copyCurrentStructureExact(in);
                    return true;
                }
                in.skipChildren();
            }
            return false;
        }
    }

    @Override
    public void serializeWithType(JsonGenerator out, SerializationContext context, TypeSerializer type) {
        serialize(out, context);
    }
}
