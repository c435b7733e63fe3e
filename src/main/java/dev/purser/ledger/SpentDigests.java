package dev.purser.ledger;

import dev.purser.digest.Sha256;
import dev.purser.journal.CanonicalBytes;
import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.PrivacyAmount;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Compares what is spent of blocks without keeping all rows. Each holder has a digest over the blocks of which
 * something is spent, in ascending order.
 */
final class SpentDigests {
    private final Map<String, MessageDigest> digests = new TreeMap<>();

    void add(String holder, int block, PrivacyAmount spent) {
        digests.computeIfAbsent(holder, none -> Sha256.begin())
                .update(new CanonicalBytes().number(block).amount(spent).bytes());
    }

    /** Adds all blocks of a holder. */
    void addAll(String holder, BlockSums sums, int blocks) {
        for (int block = 0; block < blocks; block++) {
            PrivacyAmount spent = sums.most(BlockWindow.of(block));
            if (!spent.equals(PrivacyAmount.ZERO)) {
                add(holder, block, spent);
            }
        }
    }

    /** The digests so far, by holder. Each digest can be read once. */
    Map<String, String> byHolder() {
        return digests.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        each -> HexFormat.of().formatHex(each.getValue().digest())));
    }
}
