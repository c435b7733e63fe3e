package dev.purser.upload;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class CsvScannerTests {
    private static final String REFUSED = "refused";

    /**
     * Every field as {@code line:text}, with a semicolon at the end of a record; the last is {@link #REFUSED} if the
     * file is.
     */
    private static List<String> scan(InputStream in) throws IOException {
        List<String> read = new ArrayList<>();
        try {
            CsvScanner fields = new CsvScanner(in);
            while (fields.next()) {
                read.add(fields.recordLine() + ":" + fields.text() + (fields.endsRecord() ? ";" : ""));
            }
        } catch (ProblemException refusal) {
            assertThat(refusal.type()).isEqualTo(ProblemType.INVALID_DATA);
            assertThat(refusal.members()).containsOnlyKeys("line");
            read.add(REFUSED + " in " + refusal.members().get("line"));
        }
        return read;
    }

    private static List<String> scan(byte[] bytes) throws IOException {
        return scan(new ByteArrayInputStream(bytes));
    }

    /** In pieces of so many bytes. */
    private static InputStream inPieces(byte[] bytes, int length) {
        return new ByteArrayInputStream(bytes) {
            @Override
            public synchronized int read(byte[] into, int offset, int most) {
                return super.read(into, offset, Math.min(most, length));
            }
        };
    }

    /** Every file of up to five of the characters that a rule is about. */
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

    /** Also where the file arrives in pieces, so that the buffer moves and grows between them. */
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
    void readsNoFurtherThanAFieldThatIsTooLong() {
        for (String first : List.of("a\n\"", "a\nx")) {
            RepeatedText endless = new RepeatedText(first, "x");
            CsvScanner[] fields = new CsvScanner[1];
            ProblemException refusal = catchThrowableOfType(ProblemException.class, () -> {
                fields[0] = new CsvScanner(endless);
                while (fields[0].next()) {
                    continue;
                }
            });
            assertThat(refusal.members()).containsEntry("line", 2L);
            assertThat(endless.delivered()).isLessThan(4L << 20);
            assertThat(fields[0].bytes().length).isLessThanOrEqualTo(2 << 20);
        }
    }

    /** RFC 4180 and what is refused beside it, on the whole file, a character for each byte. */
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

        /** Null if it is malformed. */
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
