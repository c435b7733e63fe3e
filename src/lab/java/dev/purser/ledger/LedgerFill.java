package dev.purser.ledger;

import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyEvent;
import dev.purser.store.Database;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;

/** Many answered questions in few transactions, each as the ledger itself writes it. */
public final class LedgerFill {
    private static final int TOGETHER = 10_000;
    private static final byte[] ANSWER = "answer".getBytes(StandardCharsets.US_ASCII);

    private LedgerFill() {}

    /** Adds charges of 1e-6 to an account until it has so many entries. */
    public static void upTo(Database database, String account, long entries) {
        for (boolean[] more = {true}; more[0]; ) {
            database.write(account, connection -> {
                SqlBooks books = new SqlBooks(connection);
                Account last = books.account(account).orElseThrow();
                long end = Math.min(entries, last.headSequence() + TOGETHER);
                while (last.headSequence() < end) {
                    last = charged(books, last);
                }
                more[0] = end < entries;
                return null;
            });
        }
    }

    private static Account charged(SqlBooks books, Account account) throws java.sql.SQLException {
        long number = account.headSequence() + 1;
        String queryId = String.format(Locale.ROOT, "%026d", number);
        ChargeRequest request = OpenLedger.question(
                account.account(),
                "ana",
                "filled-" + number,
                new PrivacyEvent.PureDifferentialPrivacy(Epsilon.parse("0.000001")));
        Step step = LedgerRules.charge(
                new AccountSnapshot(account, null, null), request, Instant.ofEpochMilli(number), queryId);
        books.append(step);
        books.answer(queryId, ANSWER);
        return step.after();
    }
}
