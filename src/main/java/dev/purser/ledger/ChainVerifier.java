package dev.purser.ledger;

import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.Blocks;
import dev.purser.privacy.PrivacyAmount;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Recomputes an account's chain, entry by entry. Every entry has to have the next sequence number, its predecessor's
 * hash and its own hash. Its sums and its allotment have to follow from the entries before. What is spent has to be
 * within the limits of that moment. At the end, the account's row and its allotments have to agree with the entries.
 *
 * <p>Memory grows with the numbers of analysts and of blocks, not of entries.
 */
public final class ChainVerifier {
    private final String account;
    private final Map<String, BlockSums> charged = new HashMap<>();
    private final Map<String, Allotment> allotments = new HashMap<>();
    private long entries;
    private String head = LedgerChain.GENESIS;
    private PrivacyAmount limit = PrivacyAmount.ZERO;
    private PrivacyAmount spent = PrivacyAmount.ZERO;
    private @Nullable Blocks blocks;
    private BlockSums spentByBlock = new BlockSums(1);
    private @Nullable String fault;

    ChainVerifier(String account) {
        this.account = account;
    }

    /**
     * The first fault of an account's entries, in words; null if there is none.
     *
     * @param entries the entries, from the account's first entry on
     */
    public static @Nullable String faultOf(String account, List<LedgerEntry> entries) {
        ChainVerifier chain = new ChainVerifier(account);
        entries.forEach(chain::read);
        return chain.fault();
    }

    /** Records the text {@code otherwise} as the fault if {@code sound} is false and no fault was found before. */
    void require(boolean sound, String otherwise) {
        if (!sound && fault == null) {
            fault = otherwise;
        }
    }

    /** As {@link #require}, for the next entry. */
    private void requireOfEntry(boolean sound, String otherwise) {
        if (!sound) {
            require(false, "entry " + (entries + 1) + otherwise);
        }
    }

    /** The first fault found so far, in words; null if there is none. */
    @Nullable
    String fault() {
        return fault;
    }

    String account() {
        return account;
    }

    /** Whether the account has blocks. */
    public boolean hasBlocks() {
        return blocks != null;
    }

    long entries() {
        return entries;
    }

    /** The result, as far as the chain was read. */
    public ChainVerification verification() {
        return new ChainVerification(entries, head, fault);
    }

    /** Reads the next entry of the chain. */
    void read(LedgerEntry entry) {
        read(entry, entry.hash().equals(LedgerChain.hash(account, entry)));
    }

    /**
     * Reads the next entry of the chain.
     *
     * @param hashed whether the entry has the hash that belongs to it
     */
    void read(LedgerEntry entry, boolean hashed) {
        requireOfEntry(entry.sequence() == entries + 1, " is missing");
        requireOfEntry(entry.previousHash().equals(head), " does not follow the entry before it");
        requireOfEntry(hashed, " was changed");
        open(entry);
        requireOfEntry(hasItsBlocks(entry), " does not name blocks of the account");
        requireOfEntry(addUp(entry) && entry.spentAfter().fitsWithin(entry.limitAfter()), " has a wrong sum");
        requireOfEntry(
                switch (entry.type()) {
                    case LIMIT ->
                        entry.charge().equals(PrivacyAmount.ZERO) && entry.queryId() == null && setAllotment(entry);
                    case CHARGE ->
                        !entry.charge().equals(PrivacyAmount.ZERO)
                                && entry.limitAfter().equals(limit)
                                && spendAllotment(entry);
                },
                " is not valid for its type");
        entries++;
        head = entry.hash();
        limit = entry.limitAfter();
        spent = entry.spentAfter();
    }

    private void open(LedgerEntry entry) {
        if (entries == 0 && entry.opened() != null) {
            blocks = entry.opened();
            spentByBlock = new BlockSums(blocks.count());
        }
    }

    private boolean hasItsBlocks(LedgerEntry entry) {
        BlockWindow window = entry.window();
        return (entries == 0 || entry.opened() == null)
                && (window != null) == (blocks != null && entry.type() == LedgerEntry.Type.CHARGE)
                && (window == null || blocks != null && window.last() < blocks.count());
    }

    /** The blocks that the entry charges. An account without blocks counts as one block. */
    private static BlockWindow charged(LedgerEntry entry) {
        return Objects.requireNonNullElse(entry.window(), BlockWindow.of(0));
    }

    /** Adds the charge of an entry. Returns whether the sums that the entry states follow. */
    private boolean addUp(LedgerEntry entry) {
        spentByBlock.add(charged(entry), entry.charge());
        PrivacyAmount after = spentByBlock.most(charged(entry));
        return entry.spentAfter().equals(spent.most(after))
                && (entry.charged() == null || entry.charged().spentAfter().equals(after));
    }

    private BlockSums chargedTo(String analyst) {
        return charged.computeIfAbsent(analyst, none -> new BlockSums(blocks == null ? 1 : blocks.count()));
    }

    /** Sets the allotment of an entry. Returns whether it agrees with the entries before. */
    private boolean setAllotment(LedgerEntry entry) {
        Allotment set = entry.allotmentAfter();
        if (set == null) {
            return true;
        }
        allotments.put(set.analyst(), set);
        return entry.limitAfter().equals(limit)
                && set.spent().equals(chargedTo(set.analyst()).most())
                && set.spent().fitsWithin(set.limit());
    }

    /** Adds a charge to the asker's allotment. Returns whether the allotment that the entry states follows. */
    private boolean spendAllotment(LedgerEntry entry) {
        BlockSums sums = chargedTo(entry.analyst());
        sums.add(charged(entry), entry.charge());
        Allotment before = allotments.get(entry.analyst());
        Allotment after = entry.allotmentAfter();
        PrivacyAmount allotted =
                entry.charged() == null ? null : entry.charged().allottedAfter();
        if (before == null) {
            return after == null && allotted == null;
        }
        PrivacyAmount ofBlocks = sums.most(charged(entry));
        Allotment due =
                new Allotment(before.analyst(), before.limit(), before.spent().most(ofBlocks));
        allotments.put(due.analyst(), due);
        return due.equals(after)
                && due.spent().fitsWithin(due.limit())
                && (blocks == null ? allotted == null : ofBlocks.equals(allotted));
    }

    /** Whether the account's row agrees with the last entry, and no fault was found. */
    boolean endsWith(Account row) {
        return fault == null
                && Objects.equals(row.blocks(), blocks)
                && row.headSequence() == entries
                && row.headHash().equals(head)
                && row.limit().equals(limit)
                && row.spent().equals(spent);
    }

    /**
     * Whether the sums of blocks that an entry states follow from the entries read so far. The entry itself is not
     * read.
     */
    boolean isFollowedBy(LedgerEntry next) {
        BlockCharge charge = next.charged();
        if (charge == null) {
            Allotment set = next.allotmentAfter();
            return set == null || set.spent().equals(chargedTo(set.analyst()).most());
        }
        return isAfter(charge.spentAfter(), spentByBlock, next)
                && (charge.allottedAfter() == null || isAfter(charge.allottedAfter(), chargedTo(next.analyst()), next));
    }

    private static boolean isAfter(PrivacyAmount stated, BlockSums before, LedgerEntry next) {
        return stated.equals(before.most(charged(next)).plusUpToCeiling(next.charge()));
    }

    /**
     * Whether the account's row, its allotments and what is spent of its blocks agree with the entries.
     *
     * @param ofBlocks digests of {@link BlockSums} by holder
     */
    boolean isSummarisedBy(@Nullable Account row, List<Allotment> rows, Map<String, String> ofBlocks) {
        return row != null
                && endsWith(row)
                && ofBlocks.equals(digestsOfBlocks())
                && rows.size() == allotments.size()
                && rows.stream().allMatch(each -> each.equals(allotments.get(each.analyst())));
    }

    /** Digests of what is spent of blocks, by holder: the account itself, and each analyst with an allotment. */
    private Map<String, String> digestsOfBlocks() {
        Map<String, String> digests = new HashMap<>();
        if (blocks != null) {
            SpentDigests rows = new SpentDigests();
            rows.addAll("", spentByBlock, blocks.count());
            allotments.keySet().forEach(analyst -> rows.addAll(analyst, chargedTo(analyst), blocks.count()));
            digests.putAll(rows.byHolder());
        }
        return digests;
    }
}
