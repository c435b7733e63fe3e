package dev.purser.dataset.ingest;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What a fingerprint sees of rows, and what it does not. */
class FingerprintDigestTests {
    private static final byte[] SECRET = "a secret".getBytes(StandardCharsets.US_ASCII);

    private static Fingerprint of(byte[] secret, List<List<String>> rows) {
        FingerprintDigest digest = new FingerprintDigest(secret);
        for (List<String> row : rows) {
            for (String field : row) {
                byte[] bytes = ("##" + field + "#").getBytes(StandardCharsets.UTF_8);
                digest.field(bytes, 2, bytes.length - 1);
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
        assertThat(of("1,2;b" + "x".repeat(200) + ",a,").hex())
                .isEqualTo(Definition.of(SECRET, List.of(List.of("1", "2"), List.of("b" + "x".repeat(200), "a", ""))));
        List<List<String>> many = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            many.add(List.of(String.valueOf(i * i), "same"));
        }
        assertThat(of(many).hex()).isEqualTo(Definition.of(SECRET, many));
    }

    @Test
    void noRowsHaveNone() {
        assertThat(new FingerprintDigest(SECRET).fingerprint()).isEmpty();
    }

    private static final class Definition {
        private static String of(byte[] secret, List<List<String>> rows) throws Exception {
            byte[] key = hmac(secret, "purser dataset fingerprint".getBytes(StandardCharsets.US_ASCII));
            byte[] rowKey = Arrays.copyOf(hmac(key, "row".getBytes(StandardCharsets.US_ASCII)), 16);
            byte[] fieldKey = Arrays.copyOf(hmac(key, "field".getBytes(StandardCharsets.US_ASCII)), 16);
            BigInteger sum = BigInteger.ZERO;
            for (List<String> row : rows) {
                List<byte[]> fields = new ArrayList<>();
                for (String field : row) {
                    byte[] bytes = field.getBytes(StandardCharsets.UTF_8);
                    fields.add(
                            bytes.length <= 127
                                    ? joined(new byte[] {(byte) bytes.length}, bytes)
                                    : joined(new byte[] {-1}, sha256(joined(fieldKey, bytes))));
                }
                fields.sort(Arrays::compare);
                byte[] sorted = joined(fields.toArray(byte[][]::new));
                sum = sum.add(new BigInteger(1, sha256(joined(rowKey, sorted))));
            }
            byte[] total = new byte[40];
            byte[] low = sum.mod(BigInteger.TWO.pow(256)).toByteArray();
            for (int i = 1; i <= Math.min(32, low.length); i++) {
                total[32 - i] = low[low.length - i];
            }
            total[39] = (byte) rows.size();
            return HexFormat.of().formatHex(hmac(key, total));
        }

        private static byte[] joined(byte[]... parts) {
            ByteArrayOutputStream joined = new ByteArrayOutputStream();
            for (byte[] part : parts) {
                joined.writeBytes(part);
            }
            return joined.toByteArray();
        }

        private static byte[] sha256(byte[] bytes) throws Exception {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        }

        private static byte[] hmac(byte[] key, byte[] bytes) throws Exception {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(bytes);
        }
    }
}
