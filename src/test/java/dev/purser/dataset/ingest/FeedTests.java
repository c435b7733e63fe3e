package dev.purser.dataset.ingest;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class FeedTests {
    private static final int CHUNK = 1 << 16;

    private final byte[] upload = new byte[3 * CHUNK + 5];
    private final MessageDigest digest = MessageDigest.getInstance("SHA-256");

    FeedTests() throws Exception {
        for (int i = 0; i < upload.length; i++) {
            upload[i] = (byte) (31 * i);
        }
    }

    @Test
    void piecesArePassedOnInFullChunksAndDigested() throws Exception {
        Listener parser = new Listener(Integer.MAX_VALUE);
        Feed feed = new Feed(inPiecesOfOneByte(), digest, parser);
        assertThat(feed.call()).hasValueSatisfying(all -> assertThat(all).isEqualTo(sha256(upload)));
        assertThat(parser.heard.toByteArray()).isEqualTo(upload);
        assertThat(parser.lengths).containsExactly(CHUNK, CHUNK, CHUNK, 5);
        assertThat(feed.sent()).hasValue(upload.length);
        assertThat(parser.inputClosed).isTrue();
        assertThat(parser.ended).isFalse();
    }

    @Test
    void anEmptyUploadIsOneThatEnds() throws Exception {
        Listener parser = new Listener(Integer.MAX_VALUE);
        assertThat(new Feed(InputStream.nullInputStream(), digest, parser).call())
                .hasValueSatisfying(all -> assertThat(all).isEqualTo(sha256(new byte[0])));
        assertThat(parser.lengths).isEmpty();
        assertThat(parser.inputClosed).isTrue();
    }

    @Test
    void aTornUploadEndsTheParserBeforeItsInput() {
        InputStream torn = new SequenceInputStream(new ByteArrayInputStream(upload, 0, CHUNK + 7), new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("torn");
            }
        });
        Listener parser = new Listener(Integer.MAX_VALUE);
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> new Feed(torn, digest, parser).call())
                .withMessage("torn");
        assertThat(parser.lengths).as("of what was not torn").containsExactly(CHUNK);
        assertThat(parser.ended).isTrue();
        assertThat(parser.wasOpenWhenEnded).isTrue();
    }

    @Test
    void aParserThatStopsListeningIsGivenNoMore() throws Exception {
        Listener parser = new Listener(1);
        assertThat(new Feed(inPiecesOfOneByte(), digest, parser).call()).isEmpty();
        assertThat(parser.lengths).containsExactly(CHUNK);
    }

    private InputStream inPiecesOfOneByte() {
        return new ByteArrayInputStream(upload) {
            @Override
            public synchronized int read(byte[] into, int offset, int length) {
                return super.read(into, offset, Math.min(length, 1));
            }

            @Override
            public int readNBytes(byte[] into, int offset, int length) {
                int done = 0;
                for (int read = 0; done < length && read >= 0; done += Math.max(read, 0)) {
                    read = read(into, offset + done, length - done);
                }
                return done;
            }
        };
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What a parser is given, until it stops listening. */
    private static final class Listener implements UploadParser.Parsing {
        private final int most;
        private final ByteArrayOutputStream heard = new ByteArrayOutputStream();
        private final List<Integer> lengths = new ArrayList<>();
        private boolean inputClosed;
        private boolean ended;
        private boolean wasOpenWhenEnded;

        private Listener(int most) {
            this.most = most;
        }

        @Override
        public OutputStream input() {
            return new OutputStream() {
                @Override
                public void write(int single) {
                    throw new UnsupportedOperationException("byte by byte");
                }

                @Override
                public void write(byte[] bytes, int offset, int length) throws IOException {
                    if (lengths.size() == most) {
                        throw new IOException("not listening");
                    }
                    lengths.add(length);
                    heard.write(bytes, offset, length);
                }

                @Override
                public void close() {
                    inputClosed = true;
                }
            };
        }

        @Override
        public InputStream frames() {
            return InputStream.nullInputStream();
        }

        @Override
        public void close() {
            ended = true;
            wasOpenWhenEnded = !inputClosed;
        }
    }
}
