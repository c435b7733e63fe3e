package dev.purser.upload;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class CsvScannerTests {
    private static final String REFUSED = "refused";

    /**
     * Every field as {@code line:text}, with a semicolon at the end of a record. The last is {@link #REFUSED} if the
     * file is refused.
     */
    private static List<String> scan(InputStream in) throws IOException {
        List<String> read = new ArrayList<>();
        CsvScanner fields = new CsvScanner(in);
        boolean more = fields.next();
        while (more && fields.damage() == null) {
            read.add(fields.recordLine() + ":" + fields.text() + (fields.endsRecord() ? ";" : ""));
            more = fields.next();
        }
        if (fields.damage() != null) {
            read.add(REFUSED + " in " + fields.recordLine());
        }
        return read;
    }

    /** Every record, as its line and its fields or its damage. */
    private static List<String> records(String file) throws IOException {
        List<String> records = new ArrayList<>();
        CsvScanner fields = new CsvScanner(new ByteArrayInputStream(file.getBytes(ISO_8859_1)));
        List<String> record = new ArrayList<>();
        while (fields.next()) {
            record.add(fields.damage() == null ? fields.text() : "?");
            if (fields.endsRecord()) {
                String damage = fields.damage();
                records.add(fields.recordLine() + ":" + (damage == null ? record : damage.replaceAll(":.*", "")));
                record.clear();
            }
        }
        return records;
    }

    static Stream<Arguments> damaged() {
        String closing = "text follows a closing quote, where only a comma or a line end may";
        String alone = "a carriage return is not followed by a line feed";
        return Stream.of(
                Arguments.of("\0,x", 1, "the text has a NUL character"),
                Arguments.of("\"\0\n\",x", 2, "the text has a NUL character"),
                Arguments.of("x\u00ff,\"y\n\"", 2, "the text is not UTF-8"),
                Arguments.of("\"\u00ff\",\"\n\"", 2, "the text is not UTF-8"),
                Arguments.of("x\"y,z", 1, "a quote stands inside an unquoted field"),
                Arguments.of("\"x\"y,z", 1, closing),
                Arguments.of("\"x\" ,\"z\"", 1, closing),
                Arguments.of("x\ry,z", 1, alone),
                Arguments.of("\"x\"\ry", 1, alone));
    }

    @ParameterizedTest
    @MethodSource("damaged")
    void goesOnWithTheRecordAfterDamage(String record, int lines, String damage) throws IOException {
        int next = 3 + lines;
        assertThat(records("a\nc,d\n" + record + "\n5,\"6\"\n" + record))
                .containsExactly("1:[a]", "2:[c, d]", "3:" + damage, next + ":[5, 6]", (next + 1) + ":" + damage);
    }

    private static List<String> scan(byte[] bytes) throws IOException {
        return scan(new ByteArrayInputStream(bytes));
    }

    /** The bytes in pieces of at most this length. */
    private static InputStream inPieces(byte[] bytes, int length) {
        return new ByteArrayInputStream(bytes) {
            @Override
            public synchronized int read(byte[] into, int offset, int most) {
                return super.read(into, offset, Math.min(most, length));
            }
        };
    }

    /** Every file of up to five characters, each from those that a rule is about. */
    @Test
    void readsEveryShortFileAsItsDefinitionSays() throws IOException {
        String[] alphabet = {"a", ",", "\"", "\n", "\r", "ü", "\0"};
        List<String> files = List.of("");
        for (int length = 0; length <= 5; length++) {
            List<String> longer = new ArrayList<>();
            for (String file : files) {
                byte[] bytes = file.getBytes(UTF_8);
                if (!scan(bytes).equals(Definition.read(bytes))
                        || !scan(inPieces(bytes, 1)).equals(scan(bytes))) {
                    assertThat(scan(inPieces(bytes, 1))).as(file).isEqualTo(scan(bytes));
                    assertThat(scan(bytes)).as(file).isEqualTo(Definition.read(bytes));
                }
                for (int i = 0; length < 5 && i < alphabet.length; i++) {
                    longer.add(file + alphabet[i]);
                }
            }
            files = longer;
        }
    }

    @Test
    void readsLongFilesHoweverTheyArrive() throws IOException {
        Random random = new Random(12);
        for (int seed = 0; seed < 200; seed++) {
            StringBuilder file = new StringBuilder(seed % 2 == 0 ? "" : "\uFEFF");
            for (int i = random.nextInt(400); i > 0; i--) {
                boolean quoted = random.nextInt(3) == 0;
                String text = (quoted ? "x,\"\"ü\r\n漢" : "x 1漢ü").repeat(random.nextInt(60));
                file.append(quoted ? '"' + text + '"' : text)
                        .append(List.of(",", "\n", "\r\n").get(random.nextInt(3)));
            }
            byte[] bytes = file.toString().getBytes(UTF_8);
            if (random.nextInt(4) == 0 && bytes.length > 0) {
                bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            }
            List<String> expected = Definition.read(bytes);
            assertThat(scan(bytes)).isEqualTo(expected);
            assertThat(scan(inPieces(bytes, 1 + random.nextInt(100)))).isEqualTo(expected);
        }
    }

    static List<byte[]> notUtf8() {
        return List.of(
                new byte[] {(byte) 0xFF},
                new byte[] {(byte) 0xC3},
                new byte[] {(byte) 0xC0, (byte) 0x80},
                new byte[] {(byte) 0xED, (byte) 0xA0, (byte) 0x80},
                new byte[] {(byte) 0xF4, (byte) 0x90, (byte) 0x80, (byte) 0x80},
                new byte[] {'a', (byte) 0xE2, (byte) 0x82, 'b'});
    }

    @ParameterizedTest
    @MethodSource("notUtf8")
    void refusesBytesThatAreNotUtf8(byte[] bytes) throws IOException {
        for (String quote : List.of("", "\"")) {
            InputStream file = new SequenceInputStream(Collections.enumeration(List.of(
                    new ByteArrayInputStream(("ü\n" + quote).getBytes(UTF_8)),
                    new ByteArrayInputStream(bytes),
                    new ByteArrayInputStream((quote + ",b\n").getBytes(UTF_8)))));
            assertThat(scan(file)).containsExactly("1:ü;", "refused in 2");
        }
    }

    /** This holds also where the file arrives in pieces, so that the buffer moves and grows between them. */
    @ParameterizedTest
    @CsvSource({"1048576, true", "1048577, false"})
    void takesAFieldUpToAMebibyte(int length, boolean taken) throws IOException {
        String text = "x".repeat(length);
        for (String field : List.of(text, '"' + text + '"')) {
            byte[] file = ("a\n" + field + ",b\nc\n").getBytes(UTF_8);
            for (int piece : new int[] {5000, Integer.MAX_VALUE}) {
                List<String> expected =
                        taken ? List.of("1:a;", "2:" + text, "2:b;", "3:c;") : List.of("1:a;", "refused in 2");
                assertThat(scan(inPieces(file, piece)).equals(expected)).isTrue();
            }
        }
    }

    @Test
    void readsNoFurtherThanAFieldThatIsTooLong() throws IOException {
        for (String first : List.of("a\n\"", "a\nx")) {
            RepeatedText endless = new RepeatedText(first, "x");
            CsvScanner fields = new CsvScanner(endless);
            while (fields.next()) {
                continue;
            }
            assertThat(fields.recordLine()).isEqualTo(2);
            assertThat(fields.damage()).contains(" 1048576 bytes");
            assertThat(fields.isLost()).isTrue();
            assertThat(endless.delivered()).isLessThan(4L << 20);
            assertThat(fields.bytes().length).isLessThanOrEqualTo(2 << 20);
        }
    }

    @Test
    void looksNoFurtherForTheEndOfALine() throws IOException {
        RepeatedText endless = new RepeatedText("a\n\"\"x", "x");
        CsvScanner fields = new CsvScanner(endless);
        while (fields.next()) {
            continue;
        }
        assertThat(fields.damage()).startsWith("text follows a closing quote");
        assertThat(fields.isLost()).isTrue();
        assertThat(endless.delivered()).isLessThan(2L << 20);
    }

    /** RFC 4180 and the further refusals, defined on the whole file, with a character for each byte. */
    private static final class Definition {
        private final String text;
        private final List<String> read = new ArrayList<>();
        private int at;
        private long line = 1;
        private long record = 1;

        private Definition(String text) {
            this.text = text;
        }

        static List<String> read(byte[] bytes) {
            String text = new String(bytes, ISO_8859_1);
            Definition definition = new Definition(text.startsWith("\u00EF\u00BB\u00BF") ? text.substring(3) : text);
            definition.read();
            return definition.read;
        }

        private void read() {
            boolean more = !text.isEmpty();
            while (more) {
                record = line;
                boolean afterComma = true;
                while (afterComma) {
                    String field = decoded(next() == '"' ? quoted() : plain());
                    if (field == null) {
                        read.add(REFUSED + " in " + record);
                        return;
                    }
                    afterComma = next() == ',';
                    boolean lineEnd = text.startsWith("\r\n", at) || next() == '\n';
                    if (!afterComma && !lineEnd && at < text.length()) {
                        read.add(REFUSED + " in " + record);
                        return;
                    }
                    read.add(record + ":" + field + (afterComma ? "" : ";"));
                    at += afterComma ? 1 : text.startsWith("\r\n", at) ? 2 : lineEnd ? 1 : 0;
                    line += lineEnd ? 1 : 0;
                }
                more = at < text.length();
            }
        }

        /** The field as text, from UTF-8; null if it is malformed. */
        private static @Nullable String decoded(@Nullable String latin1) {
            try {
                return latin1 == null
                        ? null
                        : UTF_8.newDecoder()
                                .decode(ByteBuffer.wrap(latin1.getBytes(ISO_8859_1)))
                                .toString();
            } catch (CharacterCodingException malformed) {
                return null;
            }
        }

        private int next() {
            return at < text.length() ? text.charAt(at) : -1;
        }

        private @Nullable String plain() {
            int from = at;
            while (next() >= 0 && ",\n\r".indexOf(next()) < 0) {
                if (next() == '"' || next() == 0) {
                    return null;
                }
                at++;
            }
            return text.substring(from, at);
        }

        private @Nullable String quoted() {
            StringBuilder field = new StringBuilder();
            for (at++; next() >= 0; at++) {
                if (next() == 0) {
                    return null;
                }
                if (next() == '"') {
                    at++;
                    if (next() != '"') {
                        return field.toString();
                    }
                }
                line += next() == '\n' ? 1 : 0;
                field.append((char) next());
            }
            return null;
        }
    }
}
