package dev.purser.ledger;

import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The service's signed word that it charged a question, as it is sent: with it, the answer, the request and the ledger can be
 * held against each other without the service.
 *
 * <p>Signed (Ed25519, RFC 8032) are the bytes that {@link CanonicalBytes} makes of every field in the order of this class,
 * fields of fields in theirs, times as milliseconds since 1970 and amounts as their three texts (an absent rho as an absent
 * field); {@code signature} alone is left out.
 *
 * @param format {@code purser-receipt-1}
 * @param answerDigest SHA-256 of the answer's bytes; null while there is no answer
 * @param head where the account's ledger stood when this was signed
 */
@Schema(
        description = "The service's signed word that it charged a question. Verified offline by"
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

        @Schema(description = "The service's Ed25519 public key, X.509 in base64.")
        String publicKey,

        @Schema(description = "Ed25519 over all other fields, in base64.")
        String signature) {
    static final String FORMAT = "purser-receipt-1";

    /** What was asked, as far as the entry's request hash has it. */
    @Schema(name = "ReceiptRequest", description = "What the entry's request hash is made of, beside the dataset.")
    public record Request(
            @Schema(description = "Method and path.", example = "POST /v1/datasets/adult/queries/mean")
            String operation,

            @Schema(example = "k-1") String idempotencyKey,

            @Schema(description = "SHA-256 of the raw request body, 64 hexadecimal digits.")
            String digest) {}

    /** The last entry of the account's ledger at a moment. */
    @Schema(name = "ReceiptHead", description = "The last entry of the account's ledger when the receipt was signed.")
    public record SignedHead(
            @Schema(description = "Its sequence.", example = "17")
            long sequence,

            @Schema(description = "Its hash, 64 hexadecimal digits.")
            String hash) {}

    /** This receipt with a signature. */
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
