package dev.purser.upload;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetsForTests;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** What a fingerprint depends on in rows, and what it does not depend on. */
class RowFingerprintTests {
    private static final byte[] OTHER_KEY = "another key of thirty-two bytes.".getBytes(US_ASCII);
    private static final byte[] KEY = "a key of thirty-two bytes, or so".getBytes(US_ASCII);

    /**
     * The fingerprint of rows. It must be the same for fields at the end of what was read and for fields amid others.
     */
    private static String of(byte[] key, List<List<String>> rows) {
        String atTheEnd = of(key, rows, "", "");
        assertThat(of(key, rows, "1#", "0ü")).isEqualTo(atTheEnd);
        return atTheEnd;
    }

    private static String of(byte[] key, List<List<String>> rows, String before, String after) {
        RowFingerprint fingerprint = new RowFingerprint(List.of(OTHER_KEY, key));
        FieldText field = new FieldText();
        for (List<String> row : rows) {
            for (String text : row) {
                byte[] bytes = (before + text + after).getBytes(UTF_8);
                int behind = after.getBytes(UTF_8).length;
                fingerprint.field(field.set(bytes, before.length(), bytes.length - behind));
                Arrays.fill(bytes, (byte) 'x');
            }
            fingerprint.endRow();
        }
        return fingerprint.fingerprints().get(1);
    }

    private static String of(List<List<String>> rows) {
        return of(KEY, rows);
    }

    /** Rows as text: {@code "a,b;c,d"} is two rows of two fields. */
    private static String of(String rows) {
        return of(Arrays.stream(rows.split(";", -1))
                .map(row -> List.of(row.split(",", -1)))
                .toList());
    }

    private static void assertAllDiffer(List<String> different) {
        Set<String> fingerprints = new HashSet<>();
        different.forEach(rows -> fingerprints.add(of(rows)));
        assertThat(fingerprints).hasSameSizeAs(different);
    }

    private static List<List<String>> random(Random random, int rows, int width) {
        List<List<String>> all = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            all.add(new ArrayList<>(random.ints(width, 0, 30)
                    .mapToObj(size -> "abcdefghi".repeat(20).substring(0, size * 6) + random.nextInt(3))
                    .toList()));
        }
        return all;
    }

    @Test
    void doesNotSeeTheOrderOfRows() {
        Random random = new Random(1);
        for (int width : new int[] {1, 2, 3, 200}) {
            List<List<String>> rows = random(random, 20, width);
            String before = of(rows);
            Collections.shuffle(rows, random);
            assertThat(of(rows)).isEqualTo(before);
        }
    }

    @Test
    void seesTheOrderOfFields() {
        Random random = new Random(2);
        for (int width : new int[] {2, 3, 200}) {
            List<List<String>> rows = random(random, 20, width);
            String before = of(rows);
            rows.forEach(row -> Collections.rotate(row, 1));
            assertThat(of(rows)).isNotEqualTo(before);
        }
    }

    @Test
    void seesEverythingElse() {
        assertAllDiffer(List.of(
                "1,2;3,4",
                "2,1;4,3",
                "1,2;3,5",
                "1,2",
                "1,2;3,4;3,4",
                "1,2;3,4;",
                "1,3;2,4",
                "1,2,;3,4,",
                ",1,2;,3,4",
                "12;34",
                "1,2,3,4",
                "1,2 ;3,4",
                " 1,2;3,4",
                "1.5,2;3,4",
                "1x,2;3,4",
                "-1,2;3,4",
                "ab,c",
                "a,bc",
                "abc",
                ",abc",
                "abc,",
                "a".repeat(7),
                "a".repeat(8),
                "a".repeat(9),
                "a".repeat(128),
                "a".repeat(127) + "b",
                "abcdefghi",
                "abcdefghj",
                "nan",
                "NaN",
                "1e",
                "0x1",
                "\0",
                "\0\0",
                ""));
    }

    /** A field cannot be taken for two fields, and a text cannot be taken for a number. */
    @Test
    void noFormIsTheBeginningOfAnother() {
        assertAllDiffer(List.of(
                "1,2",
                "1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\2",
                "\0\0\0\0\0\0\0\0\1,2",
                "x,\0\0\0\0\0\0\0\0\0",
                "x\0\0\0\0\0\0\0\0\0,",
                "1234567890123456789",
                "1234567890123456789,",
                "1234567890123456789,1"));
    }

    @Test
    void equalRowsDoNotCancel() {
        assertThat(of("a;a")).isNotEqualTo(of("b;b"));
        assertThat(of("a;a;b")).isNotEqualTo(of("b;c;c"));
        assertThat(of("a;a;b")).isNotEqualTo(of("a;b;b"));
    }

    @Test
    void dependsOnTheKey() {
        List<List<String>> rows = List.of(List.of("1", "2"));
        byte[] other = KEY.clone();
        other[31] ^= 1;
        assertThat(of(other, rows)).isNotEqualTo(of(KEY, rows));
        assertThat(of(KEY.clone(), rows)).isEqualTo(of(KEY, rows));
    }

    @Test
    void noRowsHaveNone() {
        assertThat(new RowFingerprint(List.of(KEY, OTHER_KEY)).fingerprints()).isEmpty();
    }

    /** All texts of a line are one number. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "1 1.0 1. +1 01 10e-1 1e0 1E+0 0.1e1 .1e1 1000000000000000000e-18 1.000000000000000000000",
                "0 -0 +0 0.0 -0.0 0e5 0e-5 -0e1000000000 00000000000000000000 0.00000000000000000000e7 .0 0.",
                "-0.25 -.25 -25E-2 -00.2500 -2500000000000000000000e-22 -0.000025e4",
                "100000000000000000000 1e20 +1.0E20 10e19 0.1e21 0100000000000000000000.00",
                "123456789012345678 123456789012345678.0 1.23456789012345678e17 0123456789012345678"
                        + " 1234567890123456780e-1",
                "1234567890123456789 1234567890123456789.000 1.234567890123456789e18 001234567890123456789"
                        + " 12345678901234567890e-1",
                "-1234567890123456789e-40 -.0000000000000000000001234567890123456789 -12345678901234567890.0e-41",
                "1e1000000000 10e999999999 0.01e1000000002",
            })
    void numbersAreWhatTheyAre(String same) {
        List<String> texts = List.of(same.split(" "));
        for (String text : texts) {
            assertThat(of("x," + text + ",y")).as(text).isEqualTo(of("x," + texts.getFirst() + ",y"));
        }
    }

    @Test
    void numbersThatAreNotTheSameAreNotMixedUp() {
        assertAllDiffer(List.of(
                "9007199254740992",
                "9007199254740993",
                "0.3",
                "0.30000000000000001",
                "0.30000000000000004",
                "0.300000000000000016653345369377348106354475021362304687500",
                "1e308",
                "1e309",
                "1e-400",
                "-1e-400",
                "0",
                "1e1000000000",
                "1e1000000001",
                "-1e1000000000",
                "1e-1000000000",
                "999999999999999999",
                "9999999999999999999",
                "-9999999999999999999",
                "99999999999999999990",
                "9.999999999999999999",
                "9".repeat(50),
                "9".repeat(51),
                "9".repeat(50) + "8"));
    }

    /** The fingerprint does not depend on names, quotes, line ends or a byte order mark. */
    @Test
    void doesNotSeeHowAFileIsWritten() throws IOException {
        String expected = ofCsv("n,who\n1,ann\n2,\"b\"\"o,b\"\n");
        assertThat(ofCsv("\uFEFFn,\"who\"\r\n\"1\",\"ann\"\r\n2.0,\"b\"\"o,b\""))
                .isEqualTo(expected);
        assertThat(ofCsv("n,name\n2,\"b\"\"o,b\"\n1,ann\n")).isEqualTo(expected);
        assertThat(ofCsv("who,n\nann,1\n\"b\"\"o,b\",2\n")).isNotEqualTo(expected);
        assertThat(ofCsv("n,who,x\n1,ann,\n2,\"b\"\"o,b\",\n")).isNotEqualTo(expected);
    }

    private static String ofCsv(String csv) throws IOException {
        Dataset dataset = DatasetsForTests.rows("rows", DatasetsForTests.decimal("n", "1", 0, 9, null));
        RowFingerprint fingerprint = new RowFingerprint(List.of(KEY, OTHER_KEY));
        InputStream bytes = new ByteArrayInputStream(csv.getBytes(UTF_8));
        CsvRows rows =
                new CsvRows(dataset, OptionalInt.empty(), UploadFormat.CSV, bytes, fingerprint, new InvalidData());
        while (rows.next()) {
            continue;
        }
        return fingerprint.fingerprints().getFirst();
    }

    /**
     * Compares with another implementation of the same definition, so that no change to the fast implementation makes
     * known rows unknown.
     */
    @Test
    void isWhatItsDefinitionSays() throws Exception {
        Random random = new Random(3);
        for (int size = 0; size < 160; size++) {
            String digits = "7".repeat(size);
            List<List<String>> rows = List.of(
                    List.of("1", "x".repeat(size), "-0.50"),
                    List.of("ü" + "x".repeat(size), "", digits, "-" + digits + "e-" + size),
                    List.of(String.valueOf(random.nextLong()), random.nextLong() + "." + random.nextInt(1000)));
            assertThat(of(rows)).as("size %d", size).isEqualTo(Definition.of(KEY, rows));
        }
    }

    /** The rows are so many that their sum has more than 128 bits. */
    @Test
    void isWhatItsDefinitionSaysHoweverManyThereAre() throws Exception {
        Random random = new Random(4);
        List<List<String>> rows = new ArrayList<>();
        for (int width : new int[] {1, 2, 5000, 3}) {
            for (int row = 0; row < 300; row += Math.max(1, width / 10)) {
                rows.add(random.ints(width, 0, 200)
                        .mapToObj(size -> size % 3 == 0 ? "" + size : "y".repeat(size))
                        .toList());
            }
        }
        assertThat(of(rows)).isEqualTo(Definition.of(KEY, rows));
    }

    /**
     * Values of the reference implementation, https://github.com/veorq/SipHash, for its key and for no byte or one
     * byte.
     */
    @Test
    void theDefinitionHashesAsSipHashDoes() {
        byte[] counting = new byte[16];
        for (int i = 0; i < 16; i++) {
            counting[i] = (byte) i;
        }
        assertThat(HexFormat.of().formatHex(Definition.sipHash(counting, new byte[0])))
                .isEqualTo("a3817f04ba25a8e66df67214c7550293");
        assertThat(HexFormat.of().formatHex(Definition.sipHash(counting, new byte[1])))
                .isEqualTo("da87c1d86b99af44347659119b22fc45");
    }

    private static final class Definition {
        private static String of(byte[] key, List<List<String>> rows) throws Exception {
            byte[] ofRows = Arrays.copyOf(hmac(key, "row".getBytes(US_ASCII)), 16);
            BigInteger sum = BigInteger.ZERO;
            for (List<String> row : rows) {
                ByteArrayOutputStream fields = new ByteArrayOutputStream();
                row.forEach(field -> fields.writeBytes(form(field)));
                sum = sum.add(new BigInteger(1, sipHash(ofRows, fields.toByteArray())));
            }
            byte[] long17 = sum.mod(BigInteger.TWO.pow(128))
                    .add(BigInteger.TWO.pow(128))
                    .toByteArray();
            byte[] sum16 = Arrays.copyOfRange(long17, long17.length - 16, long17.length);
            return HexFormat.of()
                    .formatHex(hmac(
                            key,
                            ByteBuffer.allocate(24)
                                    .put(sum16)
                                    .putLong(rows.size())
                                    .array()));
        }

        private static byte[] form(String field) {
            if (!field.matches("[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?")) {
                byte[] text = field.getBytes(UTF_8);
                return ByteBuffer.allocate(9 + text.length)
                        .put((byte) 0)
                        .putLong(text.length)
                        .put(text)
                        .array();
            }
            BigDecimal number = new BigDecimal(field).stripTrailingZeros();
            byte[] digits = number.unscaledValue().abs().toString().getBytes(US_ASCII);
            int sign = number.signum() < 0 ? 4 : 0;
            boolean isLong = digits.length > 18;
            ByteBuffer form = ByteBuffer.allocate(17 + digits.length)
                    .put((byte) (sign + (isLong ? 2 : 1)))
                    .putLong(-number.scale());
            if (isLong) {
                form.putLong(digits.length).put(digits);
            } else {
                form.putLong(number.unscaledValue().abs().longValueExact());
            }
            return Arrays.copyOf(form.array(), form.position());
        }

        private static byte[] hmac(byte[] key, byte[] message) throws Exception {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(message);
        }

        /** SipHash-2-4 with 128 bits, from the paper. */
        private static byte[] sipHash(byte[] key, byte[] message) {
            ByteBuffer words = ByteBuffer.wrap(key).order(ByteOrder.LITTLE_ENDIAN);
            long k0 = words.getLong();
            long k1 = words.getLong();
            long[] v = {
                k0 ^ 0x736f6d6570736575L,
                k1 ^ 0x646f72616e646f6dL ^ 0xee,
                k0 ^ 0x6c7967656e657261L,
                k1 ^ 0x7465646279746573L
            };
            byte[] padded = Arrays.copyOf(message, (message.length / 8 + 1) * 8);
            padded[padded.length - 1] = (byte) message.length;
            ByteBuffer blocks = ByteBuffer.wrap(padded).order(ByteOrder.LITTLE_ENDIAN);
            while (blocks.hasRemaining()) {
                long block = blocks.getLong();
                v[3] ^= block;
                rounds(2, v);
                v[0] ^= block;
            }
            ByteBuffer hash = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
            v[2] ^= 0xee;
            rounds(4, v);
            hash.putLong(v[0] ^ v[1] ^ v[2] ^ v[3]);
            v[1] ^= 0xdd;
            rounds(4, v);
            return hash.putLong(v[0] ^ v[1] ^ v[2] ^ v[3]).array();
        }

        private static void rounds(int count, long[] v) {
            for (int i = 0; i < count; i++) {
                v[0] += v[1];
                v[1] = Long.rotateLeft(v[1], 13) ^ v[0];
                v[0] = Long.rotateLeft(v[0], 32);
                v[2] += v[3];
                v[3] = Long.rotateLeft(v[3], 16) ^ v[2];
                v[0] += v[3];
                v[3] = Long.rotateLeft(v[3], 21) ^ v[0];
                v[2] += v[1];
                v[1] = Long.rotateLeft(v[1], 17) ^ v[2];
                v[2] = Long.rotateLeft(v[2], 32);
            }
        }
    }
}
