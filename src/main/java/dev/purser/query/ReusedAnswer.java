package dev.purser.query;

import dev.purser.accounting.Accountant;
import dev.purser.dataset.Dataset;
import dev.purser.ledger.ReserveOutcome;
import dev.purser.ledger.StoredAnswer;
import dev.purser.privacy.PrivacyAmount;
import java.io.ByteArrayOutputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;

/**
 * The stored answer of an earlier question, for the asker of the same question. Its bytes are the bytes of the
 * original, with other values in two fields: {@code charge} is zero, and {@code remaining} is the asker's own. After
 * these two follow {@code reusedFrom} and {@code answeredAt}.
 *
 * @param head the bytes that replace the beginning of the original
 * @param rest the position in the original of the first byte that is not replaced
 */
public record ReusedAnswer(StoredAnswer original, byte[] head, int rest) {
    /** The number of its bytes. */
    public long length() {
        return head.length + original.length() - rest;
    }

    /** The answer as its reader gets it. */
    public static ReusedAnswer of(ReserveOutcome.Reused reused, Dataset dataset, JsonMapper json) {
        StoredAnswer original = reused.answer();
        Accountant accountant = dataset.registration().accountant();
        Map<String, Object> replacing = new LinkedHashMap<>();
        replacing.put(
                "charge",
                accountant.stated(PrivacyAmount.ZERO, reused.leftover().limit()));
        replacing.put(
                "remaining",
                accountant.stated(
                        reused.leftover().remaining(), reused.leftover().limit()));
        replacing.put("reusedFrom", original.queryId());
        replacing.put("answeredAt", reused.charged());
        byte[] members = json.writeValueAsBytes(replacing);
        // Both members stand side by side near the beginning of every answer: AnswerEnvelope.
        int from = -1;
        try (JsonParser in = json.createParser(original.beginning())) {
            in.nextToken();
            while (in.nextToken() == JsonToken.PROPERTY_NAME) {
                int start = (int) in.currentTokenLocation().getByteOffset();
                String name = in.currentName();
                in.nextToken();
                in.skipChildren();
                if (name.equals("charge")) {
                    from = start;
                } else if (name.equals("remaining") && from >= 0) {
                    ByteArrayOutputStream head = new ByteArrayOutputStream();
                    head.write(original.beginning(), 0, from);
                    head.write(members, 1, members.length - 2);
                    return new ReusedAnswer(original, head.toByteArray(), (int)
                            in.currentLocation().getByteOffset());
                }
            }
        }
        throw new IllegalStateException("a stored answer states no charge");
    }
}
