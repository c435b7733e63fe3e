package dev.purser.access;

import dev.purser.digest.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A key as its holder sends it, {@code purser_<keyId>_<secret>}. The id is not secret; it identifies the key's row. The
 * secret is 256 random bits, so inverting its salted SHA-256 is as hard as guessing it. A slow hash is needed only for
 * secrets that people choose.
 *
 * @param keyId 16 lower-case letters and digits, 80 random bits
 * @param secret 43 characters of base64url
 */
record KeyToken(String keyId, String secret) {
    static final int KEY_ID_LENGTH = 16;
    static final Pattern KEY_ID = Pattern.compile("[a-z2-7]{16}");
    private static final Pattern TOKEN = Pattern.compile("purser_(" + KEY_ID + ")_([A-Za-z0-9_-]{43})");
    private static final int SECRET_BYTES = 32;
    private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";

    static KeyToken draw(SecureRandom random) {
        byte[] secret = new byte[SECRET_BYTES];
        random.nextBytes(secret);
        byte[] id = new byte[KEY_ID_LENGTH];
        random.nextBytes(id);
        StringBuilder keyId = new StringBuilder(KEY_ID_LENGTH);
        for (byte each : id) {
            keyId.append(ALPHABET.charAt(each & ALPHABET.length() - 1));
        }
        return new KeyToken(
                keyId.toString(), Base64.getUrlEncoder().withoutPadding().encodeToString(secret));
    }

    /** Empty if the text is not a token. */
    static Optional<KeyToken> parse(String sent) {
        Matcher token = TOKEN.matcher(sent);
        return token.matches() ? Optional.of(new KeyToken(token.group(1), token.group(2))) : Optional.empty();
    }

    /** The hash in the key's row: SHA-256 of the salt followed by the secret's characters. */
    byte[] hash(byte[] salt) {
        return Sha256.of(salt, secret.getBytes(StandardCharsets.US_ASCII));
    }

    /** The text that the holder is shown once. */
    String text() {
        return "purser_" + keyId + "_" + secret;
    }

    /** Omits the secret, because the text of a value may end up in a log. */
    @Override
    public String toString() {
        return "purser_" + keyId + "_…";
    }
}
