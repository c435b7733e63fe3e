package dev.purser.query.quote;

import dev.purser.ledger.BlockBooks;
import dev.purser.ledger.Budget;
import dev.purser.ledger.NamedBlocks;
import dev.purser.privacy.Blocks;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.query.AskedBlocks;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What the asker may still be charged. It counts as the ledger does, and writes nothing. */
sealed interface Spendable {
    /** The account's books. */
    Budget budget();

    /** How the charges of questions fit, if they are asked one after the other. */
    Fit fit(List<Quotes.Priced> questions);

    /**
     * How charges fit into what remains.
     *
     * @param charge the charge of all questions; with blocks, the largest charge of one block
     * @param times how many times all charges together fit
     * @param unable the blocks that cannot pay; null if all can, or there are none
     */
    record Fit(PrivacyAmount charge, long times, @Nullable List<NamedBlocks> unable) {
        boolean isAffordable() {
            return times > 0;
        }
    }

    /** What may still be charged to an account without blocks. */
    record OfAccount(Budget budget, PrivacyAmount remaining) implements Spendable {
        @Override
        public Fit fit(List<Quotes.Priced> questions) {
            PrivacyAmount total = PrivacyAmount.ZERO;
            PrivacyAmount rest = remaining;
            boolean affordable = true;
            for (Quotes.Priced each : questions) {
                total = total.plusUpToCeiling(each.charge());
                // Each charge is subtracted as the ledger subtracts it. A charge that fits is within the limit, so the
                // sum is exact.
                affordable &= each.charge().fitsWithin(rest);
                rest = rest.minusDownToZero(each.charge());
            }
            return new Fit(total, affordable ? total.timesWithin(remaining) : 0, null);
        }
    }

    /**
     * What may still be charged to an account with blocks.
     *
     * @param books the books of all blocks that are asked about
     */
    record OfBlocks(Budget budget, Blocks blocks, BlockBooks books) implements Spendable {
        static BlockCharges charges(List<Quotes.Priced> questions) {
            BlockCharges charges = new BlockCharges();
            for (Quotes.Priced each : questions) {
                AskedBlocks asked = Objects.requireNonNull(each.asked().blocks());
                charges.add(asked.window(), each.charge());
            }
            return charges;
        }

        @Override
        public Fit fit(List<Quotes.Priced> questions) {
            BlockCharges charges = charges(questions);
            long times = charges.timesWithin(books);
            return new Fit(charges.most(), times, times > 0 ? null : unable(charges));
        }

        private List<NamedBlocks> unable(BlockCharges charges) {
            return books.unableToPay(charges.hull(), charges::of).stream()
                    .map(run -> NamedBlocks.of(run, blocks, budget.stated(run.remaining())))
                    .toList();
        }
    }
}
