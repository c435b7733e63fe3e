package dev.purser.ledger.proof;

import dev.purser.ledger.BooksForProof;
import dev.purser.ledger.ChargedQuestion;
import dev.purser.ledger.view.LedgerEntryView;
import dev.purser.store.Database;
import java.time.Clock;
import java.time.Instant;
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
        return database.write(
                Database.NO_ACCOUNT,
                connection -> new BooksForProof(connection).question(queryId).map(this::receipt));
    }

    private Receipt receipt(ChargedQuestion question) {
        SigningKey key = keys.newest();
        return new Receipt(
                        Receipt.FORMAT,
                        question.queryId(),
                        question.datasetId(),
                        question.account(),
                        LedgerEntryView.of(question.entry(), question.accountant(), question.blocks()),
                        new Receipt.Request(
                                question.identity().operation(),
                                question.identity().idempotencyKey(),
                                question.requestDigest()),
                        question.answerDigest(),
                        new Receipt.SignedHead(question.headSequence(), question.headHash()),
                        Instant.ofEpochMilli(clock.millis()),
                        key.id(),
                        key.publicKeyText(),
                        "")
                .signedBy(key);
    }
}
