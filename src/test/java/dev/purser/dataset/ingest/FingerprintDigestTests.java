package dev.purser.dataset.ingest;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** What a fingerprint sees of rows, and what it does not. */
class FingerprintDigestTests {
    private static final byte[] SECRET = "a secret".getBytes(StandardCharsets.US_ASCII);

    /** Of fields at the end of what was read, and amid others. */
    private static Fingerprint of(byte[] secret, List<List<String>> rows) {
        Fingerprint atTheEnd = of(secret, rows, "");
        assertThat(of(secret, rows, "#\u00FF".repeat(16))).isEqualTo(atTheEnd);
        return atTheEnd;
    }

    private static Fingerprint of(byte[] secret, List<List<String>> rows, String after) {
        FingerprintDigest digest = new FingerprintDigest(secret);
        int behind = after.getBytes(StandardCharsets.UTF_8).length;
        for (List<String> row : rows) {
            for (String field : row) {
                byte[] bytes = ("##" + field + after).getBytes(StandardCharsets.UTF_8);
                digest.field(bytes, 2, bytes.length - behind);
            }
            digest.endRow();
        }
        return digest.fingerprint().orElseThrow();
    }

    private static Fingerprint of(List<List<String>> rows) {
        return of(SECRET, rows);
    }

    /** Rows as text: {@code "a,b;c,d"} is two rows of two fields. */
    private static Fingerprint of(String rows) {
        return of(Arrays.stream(rows.split(";", -1))
                .map(row -> List.of(row.split(",", -1)))
                .toList());
    }

    @Test
    void seesNeitherTheOrderOfRowsNorThatOfFields() {
        Random random = new Random(1);
        for (int width : new int[] {1, 2, 3, 15, 16, 17, 200}) {
            List<List<String>> rows = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                rows.add(new ArrayList<>(random.ints(width, 0, 30)
                        .mapToObj(size -> "abcdefghi".repeat(20).substring(0, size * 6) + random.nextInt(3))
                        .toList()));
            }
            Fingerprint before = of(rows);
            Collections.shuffle(rows, random);
            rows.forEach(row -> Collections.shuffle(row, random));
            assertThat(of(rows)).isEqualTo(before);
        }
    }

    @Test
    void seesEverythingElse() {
        List<String> different = List.of(
                "1,2;3,4",
                "1,2;3,5",
                "1,2",
                "1,2;3,4;3,4",
                "1,2;3,4;",
                "1,3;2,4",
                "1,2,;3,4,",
                "12;34",
                "1,2,3,4",
                "1,2 ;3,4",
                "1.0,2;3,4",
                "a".repeat(7),
                "a".repeat(8),
                "a".repeat(127),
                "a".repeat(128),
                "a".repeat(129),
                "a".repeat(127) + "b",
                "abcdefghi",
                "abcdefghj");
        Set<Fingerprint> fingerprints = new HashSet<>();
        different.forEach(rows -> fingerprints.add(of(rows)));
        assertThat(fingerprints).hasSameSizeAs(different);
    }

    @Test
    void equalRowsDoNotCancel() {
        assertThat(of("a;a")).isNotEqualTo(of("b;b"));
        assertThat(of("a;a;b")).isNotEqualTo(of("b;c;c"));
        assertThat(of("a;a;b")).isNotEqualTo(of("a;b;b"));
    }

    @Test
    void dependsOnTheSecret() {
        List<List<String>> rows = List.of(List.of("1", "2"));
        byte[] other = SECRET.clone();
        other[0] ^= 1;
        assertThat(of(other, rows)).isNotEqualTo(of(SECRET, rows));
        assertThat(of(SECRET.clone(), rows)).isEqualTo(of(SECRET, rows));
    }

    /** Another implementation of the same definition, so that no change to the fast one makes known rows unknown. */
    @Test
    void isWhatItsDefinitionSays() throws Exception {
        for (int size = 0; size < 160; size++) {
            List<List<String>> rows = List.of(List.of("1", "x".repeat(size)), List.of("b" + "x".repeat(size), "a", ""));
            assertThat(of(rows).hex()).as("size %d", size).isEqualTo(Definition.of(SECRET, rows));
        }
    }

    /** Across the ends of what is encrypted together, and rows wider than that. */
    @Test
    void isWhatItsDefinitionSaysHoweverManyThereAre() throws Exception {
        Random random = new Random(2);
        List<List<String>> rows = new ArrayList<>();
        for (int width : new int[] {1, 2, 5000, 3, 1, 15, 2048, 4}) {
            for (int row = 0; row < 300; row += Math.max(1, width / 10)) {
                rows.add(random.ints(width, 0, 200).mapToObj("y"::repeat).toList());
            }
        }
        assertThat(of(rows).hex()).isEqualTo(Definition.of(SECRET, rows));
    }

    @Test
    void refusesARowWithoutFields() {
        FingerprintDigest digest = new FingerprintDigest(SECRET);
        assertThatIllegalStateException().isThrownBy(digest::endRow);
        digest.field(new byte[1], 0, 1);
        digest.endRow();
        assertThatIllegalStateException().isThrownBy(digest::endRow);
    }

    @Test
    void noRowsHaveNone() {
        assertThat(new FingerprintDigest(SECRET).fingerprint()).isEmpty();
    }

    private static final class Definition {
        private static final BigInteger MODULUS = BigInteger.TWO.pow(128);

        private static String of(byte[] secret, List<List<String>> rows) throws Exception {
            byte[] key = hmac(secret, ascii("purser dataset fingerprint"));
            BigInteger sum = BigInteger.ZERO;
            for (List<String> row : rows) {
                BigInteger fields = BigInteger.ZERO;
                for (String field : row) {
                    byte[] bytes = field.getBytes(StandardCharsets.UTF_8);
                    byte[] text = bytes.length <= 127
                            ? joined(new byte[] {(byte) bytes.length}, bytes)
                            : joined(new byte[] {-1}, hmac(hmac(key, ascii("long field")), bytes));
                    fields = fields.add(lastBlock(hmac(key, ascii("field")), text));
                }
                sum = sum.add(lastBlock(hmac(key, ascii("row")), bytes(fields.mod(MODULUS))));
            }
            byte[] number = {0, 0, 0, 0, 0, 0, (byte) (rows.size() >> 8), (byte) rows.size()};
            return HexFormat.of().formatHex(hmac(key, joined(bytes(sum.mod(MODULUS)), number)));
        }

        private static byte[] bytes(BigInteger number) {
            byte[] all = joined(new byte[16], number.toByteArray());
            return Arrays.copyOfRange(all, all.length - 16, all.length);
        }

        private static BigInteger lastBlock(byte[] key, byte[] text) throws Exception {
            Cipher cipher = Cipher.getInstance("AES/CBC/NoPadding");
            cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), new IvParameterSpec(new byte[16]));
            byte[] blocks = cipher.doFinal(Arrays.copyOf(text, Math.ceilDiv(text.length, 16) * 16));
            return new BigInteger(1, Arrays.copyOfRange(blocks, blocks.length - 16, blocks.length));
        }

        private static byte[] joined(byte[]... parts) {
            ByteArrayOutputStream joined = new ByteArrayOutputStream();
            for (byte[] part : parts) {
                joined.writeBytes(part);
            }
            return joined.toByteArray();
        }

        private static byte[] hmac(byte[] key, byte[] bytes) throws Exception {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(bytes);
        }

        private static byte[] ascii(String text) {
            return text.getBytes(StandardCharsets.US_ASCII);
        }
    }
}
