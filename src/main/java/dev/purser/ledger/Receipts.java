package dev.purser.ledger;

import dev.purser.store.Database;
import java.time.Clock;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;

/** Signs receipts, from what is durable in the ledger. */
public final class Receipts {
    private final Database database;
    private final SigningKey key;
    private final Clock clock;

    Receipts(Database database, SigningKey key, Clock clock) {
        this.database = database;
        this.key = key;
        this.clock = clock;
    }

    /** A receipt of a question that was charged; empty if there is none of this id. Who may see it is for the caller to say. */
    public Optional<Receipt> receipt(String queryId) {
        // Where changes are made: what is signed here is confirmed.
        return database.write(Database.NO_ACCOUNT, connection -> {
            SqlBooks books = new SqlBooks(connection);
            Optional<BookedQuestion> question = books.question(queryId);
            if (question.isEmpty()) {
                return Optional.empty();
            }
            Account account = books.account(question.orElseThrow().account()).orElseThrow();
            return Optional.of(receipt(question.orElseThrow(), account));
        });
    }

    private Receipt receipt(BookedQuestion question, Account account) {
        byte[] body = question.body();
        return new Receipt(
                        Receipt.FORMAT,
                        question.queryId(),
                        question.datasetId(),
                        account.account(),
                        LedgerEntryView.of(question.entry(), account.accountant()),
                        new Receipt.Request(
                                question.identity().operation(),
                                question.identity().idempotencyKey(),
                                HexFormat.of().formatHex(question.requestDigest())),
                        body == null ? null : Sha256.hexOf(body),
                        new Receipt.SignedHead(account.headSequence(), account.headHash()),
                        Instant.ofEpochMilli(clock.millis()),
                        key.publicKeyText(),
                        "")
                .signedBy(key);
    }
}
