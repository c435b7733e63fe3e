package dev.purser.ledger;

import dev.purser.privacy.PrivacyAmount;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The hash chain of an account's entries: {@code hash = SHA-256(canonical bytes)}, in lower-case hexadecimal.
 *
 * <p>The canonical bytes are these fields in this order, each as the number of its UTF-8 bytes (four bytes, big-endian) and
 * then those bytes; an absent field is the length {@code ff ff ff ff} alone. Numbers are plain decimal.
 *
 * <ol>
 *   <li>the previous entry's hash, 64 hexadecimal digits; 64 zeros for the first entry
 *   <li>the text {@code purser-entry-1}
 *   <li>the account
 *   <li>the sequence number
 *   <li>the time, milliseconds since 1970 in UTC
 *   <li>the type, {@code charge} or {@code limit}
 *   <li>the analyst
 *   <li>the query id; absent on a limit entry
 *   <li>the kind; absent on a limit entry
 *   <li>the charge: nano-epsilon, atto-delta, pico-rho
 *   <li>the limit after this entry: nano-epsilon, atto-delta, pico-rho
 *   <li>what is spent after this entry: nano-epsilon, atto-delta, pico-rho
 * </ol>
 *
 * <p>Lengths make the encoding unambiguous: no two different entries have the same bytes, whatever is in their texts.
 */
final class LedgerChain {
    /** What the first entry names as its predecessor. */
    static final String GENESIS = "0".repeat(64);

    private static final String FORMAT = "purser-entry-1";

    private LedgerChain() {}

    /** The same entry with the hash that belongs to it. */
    static LedgerEntry sealed(String account, LedgerEntry entry) {
        return new LedgerEntry(
                entry.sequence(),
                entry.at(),
                entry.type(),
                entry.analyst(),
                entry.queryId(),
                entry.kind(),
                entry.charge(),
                entry.limitAfter(),
                entry.spentAfter(),
                entry.previousHash(),
                hash(account, entry));
    }

    /** The hash that belongs to this entry; the one it carries is not looked at. */
    static String hash(String account, LedgerEntry entry) {
        ByteArrayOutputStream canonical = new ByteArrayOutputStream(512);
        write(canonical, entry.previousHash());
        write(canonical, FORMAT);
        write(canonical, account);
        write(canonical, entry.sequence());
        write(canonical, entry.at().toEpochMilli());
        write(canonical, nameOf(entry.type()));
        write(canonical, entry.analyst());
        write(canonical, entry.queryId());
        write(canonical, entry.kind());
        write(canonical, entry.charge());
        write(canonical, entry.limitAfter());
        write(canonical, entry.spentAfter());
        return HexFormat.of().formatHex(sha256().digest(canonical.toByteArray()));
    }

    static String nameOf(LedgerEntry.Type type) {
        return type.name().toLowerCase(Locale.ROOT);
    }

    private static void write(ByteArrayOutputStream canonical, PrivacyAmount amount) {
        write(canonical, amount.epsilon().nanos());
        write(canonical, amount.delta().attos());
        write(canonical, amount.rho().picos());
    }

    private static void write(ByteArrayOutputStream canonical, long number) {
        write(canonical, Long.toString(number));
    }

    private static void write(ByteArrayOutputStream canonical, @Nullable String text) {
        if (text == null) {
            canonical.writeBytes(length(-1));
        } else {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            canonical.writeBytes(length(bytes.length));
            canonical.writeBytes(bytes);
        }
    }

    private static byte[] length(int length) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(length).array();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }
}
