package dev.purser.ledger.proof;

import dev.purser.digest.Sha256;
import dev.purser.ledger.ChainVerifier;
import dev.purser.ledger.LedgerChain;
import dev.purser.ledger.LedgerEntry;
import dev.purser.ledger.RequestIdentity;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks a receipt, and the answer, request and ledger it refers to. It needs only the receipt, a key and the ledger's
 * pages. Each method returns the first fault as a sentence, or null if there is none.
 */
public final class ReceiptProof {
    private final Receipt receipt;

    public ReceiptProof(Receipt receipt) {
        this.receipt = receipt;
    }

    /**
     * Checks that the receipt is complete, signed and consistent.
     *
     * @param trustedKeys the service's public keys as PEM or base64; null to trust the key in the receipt
     */
    public @Nullable String fault(@Nullable String trustedKeys) {
        if (!receipt.format().equals(Receipt.FORMAT)) {
            return "The receipt has another format than " + Receipt.FORMAT + ".";
        }
        PublicKey key = key(receipt.publicKey());
        if (key == null) {
            return "The receipt's public key is not an Ed25519 key.";
        }
        if (!receipt.keyId().equals(SigningKey.idOf(key))) {
            return "The receipt's key id is not that of its public key.";
        }
        if (trustedKeys != null && Pem.parts(trustedKeys).stream().noneMatch(part -> key.equals(key(part)))) {
            return "The receipt was signed with the key " + receipt.keyId() + ", which is none of the given ones.";
        }
        if (!isSigned(key)) {
            return "The signature does not belong to this receipt.";
        }
        return faultOfEntry(receipt.entry().entry());
    }

    private static @Nullable PublicKey key(String text) {
        try {
            return KeyFactory.getInstance(SigningKey.ALGORITHM).generatePublic(new X509EncodedKeySpec(Pem.bytes(text)));
        } catch (GeneralSecurityException | IllegalArgumentException notAKey) {
            return null;
        }
    }

    private boolean isSigned(PublicKey key) {
        try {
            return SigningKey.verifies(
                    key, receipt.signedBytes(), Base64.getDecoder().decode(receipt.signature()));
        } catch (IllegalArgumentException notBase64) {
            return false;
        }
    }

    private @Nullable String faultOfEntry(LedgerEntry entry) {
        if (!LedgerChain.hash(receipt.account(), entry).equals(entry.hash())) {
            return "The hash of the entry is wrong.";
        }
        if (entry.type() != LedgerEntry.Type.CHARGE || !receipt.queryId().equals(entry.queryId())) {
            return "The entry is not the charge of this question.";
        }
        if (!requestHash().equals(entry.requestHash())) {
            return "The entry was not made for this request.";
        }
        Receipt.SignedHead head = receipt.head();
        if (head.sequence() < entry.sequence()
                || head.sequence() == entry.sequence() && !head.hash().equals(entry.hash())) {
            return "The signed head does not follow from the entry.";
        }
        return null;
    }

    private String requestHash() {
        Receipt.Request request = receipt.request();
        RequestIdentity identity =
                new RequestIdentity(receipt.entry().analyst(), request.operation(), request.idempotencyKey());
        return LedgerChain.requestHash(
                receipt.datasetId(), identity, HexFormat.of().parseHex(request.digest()));
    }

    /** Checks that these are the answer's bytes. */
    public @Nullable String faultOfAnswer(byte[] answer) {
        if (receipt.answerDigest() == null) {
            return "The question had no answer yet when the receipt was signed.";
        }
        return digest(answer).equals(receipt.answerDigest()) ? null : "The answer is not the one that was stored.";
    }

    /** Checks that these are the raw bytes of the request's body. */
    public @Nullable String faultOfRequest(byte[] body) {
        return digest(body).equals(receipt.request().digest()) ? null : "The request is not the one that was charged.";
    }

    private static String digest(byte[] bytes) {
        return Sha256.hexOf(bytes);
    }

    /**
     * Checks that these are the account's entries from the first on: an unbroken chain that contains the entry and the
     * signed head.
     */
    public @Nullable String faultOfLedger(List<LedgerEntry> ledger) {
        String fault = ChainVerifier.faultOf(receipt.account(), ledger);
        if (fault != null) {
            return "The ledger is not sound: " + fault + ".";
        }
        if (!contains(ledger, receipt.entry().sequence(), receipt.entry().hash())) {
            return "The ledger does not have the receipt's entry.";
        }
        return contains(ledger, receipt.head().sequence(), receipt.head().hash())
                ? null
                : "The ledger does not have the head that was signed.";
    }

    private static boolean contains(List<LedgerEntry> ledger, long sequence, String hash) {
        return ledger.stream()
                .anyMatch(entry -> entry.sequence() == sequence && entry.hash().equals(hash));
    }
}
