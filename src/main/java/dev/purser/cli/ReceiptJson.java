package dev.purser.cli;

import dev.purser.json.PrivacyJson;
import dev.purser.ledger.LedgerEntry;
import dev.purser.ledger.proof.Receipt;
import dev.purser.ledger.view.LedgerEntryView;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.Rho;
import java.math.BigDecimal;
import java.util.List;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Reads the service's JSON strictly: every field as written, no unknown field, no duplicate field. */
final class ReceiptJson {
    private static final JsonMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .addModule(new PrivacyJson()
                    .addDeserializer(Epsilon.class, new FromText<>(Epsilon::parse))
                    .addDeserializer(Delta.class, new FromText<>(Delta::parse))
                    .addDeserializer(Rho.class, new FromText<>(ReceiptJson::rho)))
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .enable(
                    DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                    DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
                    DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private ReceiptJson() {}

    /**
     * The receipt in these bytes.
     *
     * @throws IllegalArgumentException if the bytes are not a receipt
     */
    static Receipt receipt(byte[] json) {
        try {
            JsonNode tree = JSON.readTree(json);
            Receipt receipt = JSON.treeToValue(tree, Receipt.class);
            // Without this check, a missing field or another form of the same value would pass.
            if (!tree.equals(JSON.readTree(JSON.writeValueAsBytes(receipt)))) {
                throw new IllegalArgumentException("a field is missing, or not written as the service writes it");
            }
            return receipt;
        } catch (JacksonException | NullPointerException notAReceipt) {
            throw new IllegalArgumentException("it is not the JSON of a receipt", notAReceipt);
        }
    }

    /**
     * The entries of one page of a ledger.
     *
     * @throws IllegalArgumentException if the bytes are not such a page
     */
    static List<LedgerEntry> page(byte[] json) {
        try {
            JsonNode items = JSON.readTree(json).get("items");
            if (items == null || !items.isArray()) {
                throw new IllegalArgumentException("it has no \"items\"");
            }
            return items.valueStream().map(ReceiptJson::entry).toList();
        } catch (JacksonException | NullPointerException notAPage) {
            throw new IllegalArgumentException("it is not the JSON of a page of a ledger", notAPage);
        }
    }

    /** Reads an entry. A page also has fields about the question, which no hash covers. */
    private static LedgerEntry entry(JsonNode item) {
        ObjectNode hashed = ((ObjectNode) item).deepCopy();
        hashed.remove(List.of("question", "allotmentBefore"));
        return JSON.treeToValue(hashed, LedgerEntryView.class).entry();
    }

    private static Rho rho(String text) {
        return new Rho(new BigDecimal(text).movePointRight(12).longValueExact());
    }

    private static final class FromText<T> extends ValueDeserializer<T> {
        private final Function<String, T> parse;

        FromText(Function<String, T> parse) {
            this.parse = parse;
        }

        @Override
        public T deserialize(JsonParser parser, DeserializationContext context) {
            return parse.apply(parser.getString());
        }
    }
}
