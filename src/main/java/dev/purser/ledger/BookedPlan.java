package dev.purser.ledger;

import dev.purser.digest.Sha256;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.Rho;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A plan that was bought. A retry of its request is answered from it.
 *
 * @param requestDigest SHA-256 of the raw request body of the whole plan
 * @param items in the order of the plan
 */
record BookedPlan(RequestIdentity identity, String account, String datasetId, byte[] requestDigest, List<Item> items) {
    private static final int AMOUNTS = 6;

    /**
     * One question of the plan.
     *
     * @param queryId the question whose answer this item gets
     * @param leftover the amount left to the asker if the item reuses another question's answer; null if the question
     *     is the item's own
     */
    record Item(String queryId, @Nullable Leftover leftover) {
        private String text() {
            if (leftover == null) {
                return queryId;
            }
            return queryId + amounts(leftover.limit()) + amounts(leftover.remaining());
        }

        private static String amounts(PrivacyAmount amount) {
            return LongStream.of(
                            amount.epsilon().nanos(),
                            amount.delta().attos(),
                            amount.rho().picos())
                    .mapToObj(number -> " " + number)
                    .collect(Collectors.joining());
        }

        private static Item parse(String line) {
            String[] parts = line.split(" ", -1);
            if (parts.length == 1) {
                return new Item(line, null);
            }
            if (parts.length != 1 + AMOUNTS) {
                throw new IllegalArgumentException("no item of a plan: " + line);
            }
            return new Item(parts[0], new Leftover(amount(parts, 1), amount(parts, 4)));
        }

        private static PrivacyAmount amount(String[] parts, int first) {
            return new PrivacyAmount(
                    new Epsilon(Long.parseLong(parts[first])),
                    new Delta(Long.parseLong(parts[first + 1])),
                    new Rho(Long.parseLong(parts[first + 2])));
        }
    }

    /** Whether this is the request that bought the plan, byte for byte. */
    boolean isFor(byte[] request) {
        return Arrays.equals(requestDigest, Sha256.of(request));
    }

    /** The items as they are stored: one on each line. */
    String text() {
        return items.stream().map(Item::text).collect(Collectors.joining("\n"));
    }

    static List<Item> parse(String text) {
        return Arrays.stream(text.split("\n", -1)).map(Item::parse).toList();
    }
}
