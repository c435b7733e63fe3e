package dev.purser.ledger;

import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.Blocks;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyEvent;
import dev.purser.store.Database;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Many answered questions in few transactions, each as the ledger itself writes it. */
public final class LedgerFill {
    private static final int TOGETHER = 10_000;
    private static final byte[] ANSWER = "answer".getBytes(StandardCharsets.US_ASCII);

    private static final int DAYS = 7;

    private LedgerFill() {}

    /** Adds charges of 1e-6 to an account until it has this many entries. With blocks, each charge is to a week. */
    public static void upTo(Database database, String account, long entries) {
        for (boolean[] more = {true}; more[0]; ) {
            database.write(account, connection -> {
                SqlBooks books = new SqlBooks(connection);
                AccountSnapshot last = standing(books, books.account(account).orElseThrow());
                long end = Math.min(entries, last.account().headSequence() + TOGETHER);
                while (last.account().headSequence() < end) {
                    last = charged(books, last);
                }
                more[0] = end < entries;
                return null;
            });
        }
    }

    private static AccountSnapshot standing(SqlBooks books, Account account) throws java.sql.SQLException {
        return new AccountSnapshot(
                account,
                null,
                null,
                account.blocks() == null
                        ? null
                        : books.blocks(account, null, account.blocks().all()));
    }

    private static @Nullable BlockWindow week(@Nullable Blocks blocks, long number) {
        int first = blocks == null ? 0 : (int) (number % (blocks.count() - DAYS));
        return blocks == null ? null : new BlockWindow(first, first + DAYS - 1);
    }

    private static AccountSnapshot charged(SqlBooks books, AccountSnapshot standing) throws java.sql.SQLException {
        Account account = standing.account();
        long number = account.headSequence() + 1;
        String queryId = String.format(Locale.ROOT, "%026d", number);
        ChargeRequest request = OpenLedger.question(
                account.account(),
                "ana",
                "filled-" + number,
                new PrivacyEvent.PureDifferentialPrivacy(Epsilon.parse("0.000001")));
        BlockWindow window = week(account.blocks(), number);
        Step step = LedgerRules.charge(
                standing,
                window == null ? request : OpenLedger.of(window, request),
                Instant.ofEpochMilli(number),
                queryId);
        books.append(step);
        books.answer(queryId, ANSWER);
        return standing.after(step);
    }
}
