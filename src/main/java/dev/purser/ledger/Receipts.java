package dev.purser.ledger;

import dev.purser.store.Database;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;

/** Signs receipts from the durable ledger. */
public final class Receipts {
    private final Database database;
    private final SigningKeys keys;
    private final Clock clock;

    Receipts(Database database, SigningKeys keys, Clock clock) {
        this.database = database;
        this.keys = keys;
        this.clock = clock;
    }

    /**
     * The receipt of a charged question; empty if there is no such question. The caller has to check who may see it.
     */
    public Optional<Receipt> receipt(String queryId) {
        // The lookup runs as a write, because the content of a receipt has to be confirmed before it is signed.
        return database.write(Database.NO_ACCOUNT, connection -> {
            SqlBooks books = new SqlBooks(connection);
            Optional<BookedQuestion> question = books.question(queryId).map(BookedQuestion::asCharged);
            if (question.isEmpty()) {
                return Optional.empty();
            }
            Account account = books.account(question.orElseThrow().account()).orElseThrow();
            return Optional.of(receipt(question.orElseThrow(), account, books));
        });
    }

    private Receipt receipt(BookedQuestion question, Account account, Books books) throws SQLException {
        Optional<StoredAnswer> answer = question.answer();
        SigningKey key = keys.newest();
        return new Receipt(
                        Receipt.FORMAT,
                        question.queryId(),
                        question.datasetId(),
                        account.account(),
                        LedgerEntryView.of(question.entry(), account.accountant(), account.blocks()),
                        new Receipt.Request(
                                question.identity().operation(),
                                question.identity().idempotencyKey(),
                                HexFormat.of().formatHex(question.requestDigest())),
                        answer.isEmpty()
                                ? null
                                : HexFormat.of().formatHex(answer.orElseThrow().digest()),
                        new Receipt.SignedHead(account.headSequence(), account.headHash()),
                        Instant.ofEpochMilli(clock.millis()),
                        key.id(),
                        key.publicKeyText(),
                        "")
                .signedBy(key);
    }
}
