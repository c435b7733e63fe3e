package dev.purser.dataset.ingest;

import dev.purser.dataset.parser.FieldFrames;
import dev.purser.dataset.parser.FormRule;
import dev.purser.dataset.parser.ParseUpload;
import dev.purser.problem.ProblemException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

/** What a parser that turned against the service can do with its answer: nothing but end its own upload. */
class FieldsTests {
    private static List<String> read(Fields fields) throws IOException {
        List<String> read = new ArrayList<>();
        while (fields.next()) {
            read.add(fields.recordLine()
                    + (fields.untyped() ? "?" : ":")
                    + fields.text()
                    + (fields.endsRecord() ? ";" : ","));
        }
        return read;
    }

    private static Fields fields(InputStream frames) {
        return new Fields(new FrameBuffer(frames));
    }

    private static Fields fields(String frames) {
        return fields(new ByteArrayInputStream(frames.getBytes(ISO_8859_1)));
    }

    @Test
    void readsWhatTheParserWrites() throws Exception {
        String longer = "ü".repeat(100_000);
        String csv = "a,b\n\"x\ny\"," + longer + "\n,\n" + "z".repeat(FieldFrames.LONG_FIELD) + ",1";
        ByteArrayOutputStream frames = new ByteArrayOutputStream();
        ParseUpload.csv(new ByteArrayInputStream(csv.getBytes(UTF_8)), frames);
        assertThat(read(fields(new ByteArrayInputStream(frames.toByteArray()))))
                .containsExactly(
                        "1:a,",
                        "1:b;",
                        "2:x\ny,",
                        "2:" + longer + ";",
                        "4:,",
                        "4:;",
                        "5:" + "z".repeat(126) + ",",
                        "5:1;");
    }

    @Test
    void takesARefusalByItsNumberOnly() {
        String line = "\0\0\0\0\0\0\0\7";
        for (FormRule rule : FormRule.values()) {
            assertThatThrownBy(() -> read(fields("\u007fR" + (char) rule.ordinal() + line)))
                    .isInstanceOf(ProblemException.class)
                    .hasMessage("line 7: " + rule.text());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\u0081", // a field that does not come
                "\u0002a",
                "\u0081a", // no end
                "\u0001a\u007fE", // an end inside a record
                "\u007f", // half a control
                "\u007fX",
                "\u007fU\u007fU\u007fU\u007fU\u0081a\u007fE", // controls without end
                "\u007fN\u0013\4\0\0\0\0\0\0\0\1\u0081a\u007fE", // more decimals than there can be
                "\u007fN\1\3\0\0\0\0\0\0\0\1\u0081a\u007fE", // integers of three bytes
                "\u007fN\1\u0010\0\0\0\0\0\0\0\1\u0081a\u007fE",
                "\u007fN\1\4\u00ff\0\0\0\0\0\0\0\u0081a\u007fE", // below less than nothing
                "\u0081a\u007fB\0\0\0\1", // a batch where a record should be
                "\u007e\u0000\u0010\u0000\u0001", // one byte longer than permitted
                "\u007e\u00ff\u00ff\u00ff\u00ff",
                "\u0081a\u007fL\0\0\0\0\0\0\0\1\u0081b\u007fE", // a line again
                "\u0001a\u007fL\0\0\0\0\0\0\0\5\u0081b\u007fE", // a line inside a record
                "\u007fL\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u0081b\u007fE",
                "\u007fR\u0008\0\0\0\0\0\0\0\1", // no such rule
                "\u007fR\u0001\0\0\0\0\0\0\0\0",
                "\u007fR\u0001"
            })
    void whatIsNotTheFormIsAFailureOfTheParser(String frames) {
        assertThatThrownBy(() -> read(fields(frames))).isInstanceOf(ParserFailure.class);
    }

    @Test
    void noiseEndsInAFailureAndInLittleMemory() {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            InputStream noise = new InputStream() {
                private int left = 1 << 16;

                @Override
                public int read() {
                    // Without what begins a control, of which the table above has examples: an end is a valid stream.
                    int next = random.nextInt(256);
                    return left-- > 0 ? (next & 0x7F) == FieldFrames.CONTROL ? 0 : next : -1;
                }
            };
            Fields fields = fields(noise);
            assertThat(catchThrowable(() -> read(fields)))
                    .as("seed %d", seed)
                    .isInstanceOfAny(ParserFailure.class, ProblemException.class);
            assertThat(fields.bytes().length).isLessThanOrEqualTo(2 * FieldFrames.MAX_FIELD_BYTES);
        }
    }

    @Test
    void aBrokenPipeIsAFailureOfTheParser() {
        InputStream broken = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("Stream closed");
            }
        };
        assertThatThrownBy(() -> read(fields(broken))).isInstanceOf(ParserFailure.class);
    }
}
