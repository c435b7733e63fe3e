package dev.purser.dataset.ingest;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
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
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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
        TextField field = new TextField();
        int behind = after.getBytes(StandardCharsets.UTF_8).length;
        int together = 1;
        for (int from = 0; from < rows.size(); from += together) {
            together = alike(rows.subList(from, rows.size()));
            int fields = rows.get(from).size();
            digest.begin(fields, together);
            for (int row = 0; row < together; row++) {
                for (int i = 0; i < fields; i++) {
                    byte[] bytes = ("##" + rows.get(from + row).get(i) + after).getBytes(StandardCharsets.UTF_8);
                    digest.field(row, i, field.set(bytes, 2, bytes.length - behind));
                }
            }
            digest.addRows(together);
        }
        return digest.fingerprint().orElseThrow();
    }

    /** How many of the first rows have as many fields as the first, up to some. */
    private static int alike(List<List<String>> rows) {
        int alike = 0;
        while (alike < Math.min(50, rows.size())
                && rows.get(alike).size() == rows.getFirst().size()) {
            alike++;
        }
        return alike;
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
                "1.5,2;3,4",
                "1x,2;3,4",
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
                rows.add(random.ints(width, 0, 200)
                        .mapToObj(size -> size % 3 == 0 ? "" + size : "y".repeat(size))
                        .toList());
            }
        }
        assertThat(of(rows).hex()).isEqualTo(Definition.of(SECRET, rows));
    }

    @Test
    void refusesARowWithoutFields() {
        assertThatIllegalArgumentException().isThrownBy(() -> new FingerprintDigest(SECRET).begin(0, 1));
    }

    /** However they are written, in a CSV file or as doubles in another. */
    @Test
    void numbersAreWhatTheyAre() {
        Fingerprint one = of("1,x;-0.25,x;0,x");
        assertThat(of("1.0,x;-.25,x;-0,x")).isEqualTo(one);
        assertThat(of("+1e0,x;-25E-2,x;0e-5,x")).isEqualTo(one);
        assertThat(of("000000000001.000000000000,x;-2500000000000000000000e-22,x;0.0000000000000000000000000,x"))
                .isEqualTo(one);
        assertThat(of("1,x;-0.25,x;-0e1000000,x")).isEqualTo(one);
        assertThat(of("1,x;-0.25,x;0." + "0".repeat(100) + ",x")).isEqualTo(one);
        assertThat(ofDoubles(1, -0.25, -0.0)).isEqualTo(one);
        assertThat(ofDoubles(1, -0.25, 0.0)).isEqualTo(one);
        assertThat(ofDoubles(1, -0.25, Double.MIN_VALUE)).isNotEqualTo(one);
        assertThat(ofDoubles(1, 0.25, 0)).isNotEqualTo(one);
        assertThat(of("0.30000000000000004,x")).isEqualTo(ofDoubles(0.1 + 0.2)).isNotEqualTo(of("0.3,x"));
        assertThat(of("1.7976931348623157e308,x")).isEqualTo(ofDoubles(Double.MAX_VALUE));
        assertThat(of("5e-324,x")).isEqualTo(ofDoubles(Double.MIN_VALUE));
    }

    private static Fingerprint ofDoubles(double... numbers) {
        FingerprintDigest digest = new FingerprintDigest(SECRET);
        digest.begin(2, numbers.length);
        TextField text = new TextField().set(new byte[] {'x'}, 0, 1);
        for (int row = 0; row < numbers.length; row++) {
            digest.number(row, 0, numbers[row]);
            digest.field(row, 1, text);
        }
        digest.addRows(numbers.length);
        return digest.fingerprint().orElseThrow();
    }

    /** Neighbours that one double cannot tell apart are told apart by their text. */
    @Test
    void numbersOfMoreDigitsThanADoubleHasAreNotMixedUp() {
        List<String> different = List.of(
                "9007199254740992",
                "9007199254740993",
                "9007199254740994",
                "0.3",
                "0.30000000000000001",
                "0.300000000000000016653345369377348106354475021362304687500",
                "1e308",
                "1e309",
                "1e-400",
                "0",
                "1e1000000000",
                "1e1000000001",
                "9".repeat(50),
                "9".repeat(51));
        Set<Fingerprint> fingerprints = new HashSet<>();
        different.forEach(rows -> fingerprints.add(of(rows)));
        assertThat(fingerprints).hasSameSizeAs(different);
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
                    if (field.matches("[0-9]+")) {
                        byte[] bits = ByteBuffer.allocate(Double.BYTES)
                                .putDouble(Double.parseDouble(field))
                                .array();
                        text = joined(new byte[] {-2, 0, 0, 0, 0, 0, 0, 0}, bits);
                    }
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
