package dev.purser.dataset.web;

import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.PrivacyAmount;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The amounts of some blocks together.
 *
 * @param spent the most that is spent of a block, for each component
 * @param remaining the least that remains of a block, for each component
 * @param lessByAllotment whether an allotment leaves less than the limit
 */
record BlockAmounts(PrivacyAmount spent, PrivacyAmount remaining, boolean lessByAllotment) {
    /**
     * The amounts of the blocks of several windows.
     *
     * @param limit the limit of each block
     * @param own what the asker may spend of each block of a window; null if only the limit counts
     */
    static BlockAmounts over(
            PrivacyAmount limit,
            List<BlockWindow> windows,
            Function<BlockWindow, PrivacyAmount> spent,
            @Nullable Function<BlockWindow, PrivacyAmount> own) {
        PrivacyAmount most = windows.stream().map(spent).reduce(PrivacyAmount.ZERO, PrivacyAmount::most);
        PrivacyAmount left = limit.minusDownToZero(most);
        if (own == null) {
            return new BlockAmounts(most, left, false);
        }
        PrivacyAmount least = windows.stream().map(own).reduce(left, PrivacyAmount::least);
        return new BlockAmounts(most, least, !least.equals(left));
    }
}
