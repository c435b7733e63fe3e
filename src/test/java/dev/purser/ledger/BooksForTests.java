package dev.purser.ledger;

import dev.purser.accounting.PureAccountant;
import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import java.util.List;
import java.util.Optional;

/** Books of one account with blocks, which a test fills. */
public final class BooksForTests implements AccountBooks {
    private final PrivacyAmount limit;
    private final BlockSums spent;
    private final BlockSums nothing;

    /** @param limit of each block */
    public BooksForTests(PrivacyAmount limit, int blocks) {
        this.limit = limit;
        this.spent = new BlockSums(blocks);
        this.nothing = new BlockSums(blocks);
    }

    public void spend(BlockWindow window, PrivacyAmount charge) {
        spent.add(window, charge);
    }

    @Override
    public Budget budget(String account) {
        return new Budget(new PureAccountant(), limit, spent.most(), List.of());
    }

    @Override
    public BlockBooks blocks(String account, String principal, BlockWindow window) {
        return new BlockBooks(limit, spent, null, nothing);
    }

    @Override
    public Optional<Refines> refinable(String datasetId, byte[] series, Epsilon below) {
        return Optional.empty();
    }

    @Override
    public void requireRefinable(String queryId) {
        // Every answer of the test can be refined.
    }
}
