package dev.purser.ledger.proof;

import dev.purser.journal.CanonicalBytes;
import dev.purser.ledger.view.LedgerEntryView;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * A signed statement of the service that it charged a question. With it, the answer, the request and the ledger can be
 * checked against each other without the service.
 *
 * <p>The signature (Ed25519, RFC 8032) is made over {@link CanonicalBytes} of all fields of this record except
 * {@code keyId}, which follows from {@code publicKey}, and {@code signature}, in declaration order. Nested records
 * contribute their fields in their own order. Times are milliseconds since 1970. An amount is three texts. An absent
 * rho is an absent field.
 *
 * @param format {@code purser-receipt-1}
 * @param answerDigest SHA-256 of the answer's bytes; null while there is no answer
 * @param head the last entry of the account's ledger when this was signed
 */
@Schema(
        description = "A signed statement of the service that it charged a question. Verified offline by"
                + " `java -jar purser.jar verify-receipt`.")
public record Receipt(
        @Schema(allowableValues = Receipt.FORMAT) String format,

        @Schema(description = "The question.", example = "01KA3DQ6ZJ3ZV0M4SXQ3P7F1C8")
        String queryId,

        @Schema(example = "adult") String datasetId,

        @Schema(description = "The account charged.", example = "adult")
        String account,

        LedgerEntryView entry,
        Request request,

        @Schema(
                description = "SHA-256 of the stored answer's bytes, 64 hexadecimal digits; null while there is none.",
                example = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")
        @Nullable
        String answerDigest,

        SignedHead head,

        @Schema(description = "When this was signed, in UTC.", example = "2026-01-31T12:00:01Z")
        Instant signedAt,

        @Schema(
                description =
                        "Which of the service's signing keys signed: the first 16 hexadecimal digits of the SHA-256"
                                + " of the bytes of `publicKey`.",
                example = "3c59dc048e885024")
        String keyId,

        @Schema(description = "The service's Ed25519 public key that signed, X.509 in base64.")
        String publicKey,

        @Schema(description = "Ed25519 over all other fields but `keyId`, in base64.")
        String signature) {
    static final String FORMAT = "purser-receipt-1";

    /** The parts of the request that the entry's request hash covers. */
    @Schema(name = "ReceiptRequest", description = "The parts of the request that the entry's request hash covers.")
    public record Request(
            @Schema(description = "Method and path.", example = "POST /v1/datasets/adult/queries/mean")
            String operation,

            @Schema(example = "k-1") String idempotencyKey,

            @Schema(description = "SHA-256 of the raw request body, 64 hexadecimal digits.")
            String digest) {}

    /** The last entry of the account's ledger when the receipt was signed. */
    @Schema(name = "ReceiptHead", description = "The last entry of the account's ledger when the receipt was signed.")
    public record SignedHead(
            @Schema(description = "Its sequence.", example = "17")
            long sequence,

            @Schema(description = "Its hash, 64 hexadecimal digits.")
            String hash) {}

    /** This receipt, signed. */
    Receipt signedBy(SigningKey key) {
        return new Receipt(
                format,
                queryId,
                datasetId,
                account,
                entry,
                request,
                answerDigest,
                head,
                signedAt,
                keyId,
                publicKey,
                Base64.getEncoder().encodeToString(key.sign(signedBytes())));
    }

    byte[] signedBytes() {
        CanonicalBytes bytes =
                new CanonicalBytes().text(format).text(queryId).text(datasetId).text(account);
        entry.writeTo(bytes);
        return bytes.text(request.operation())
                .text(request.idempotencyKey())
                .text(request.digest())
                .text(answerDigest)
                .number(head.sequence())
                .text(head.hash())
                .number(signedAt.toEpochMilli())
                .text(publicKey)
                .bytes();
    }
}
