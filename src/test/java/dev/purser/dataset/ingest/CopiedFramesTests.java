package dev.purser.dataset.ingest;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What is between a parser's answer and those who read it. */
class CopiedFramesTests {
    private static final byte[] BYTES = new byte[3_000_000];

    static {
        new Random(1).nextBytes(BYTES);
    }

    /** In pieces of another size than what is passed on; not beyond the last byte, where a reader of frames does not look. */
    private static byte[] all(InputStream frames) throws IOException {
        byte[] piece = new byte[50_000];
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        while (read.size() < BYTES.length) {
            int length = frames.read(piece, 0, piece.length);
            if (length < 0) {
                break;
            }
            read.write(piece, 0, length);
        }
        return read.toByteArray();
    }

    private static CompletableFuture<byte[]> inBackground(InputStream frames) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return all(frames);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    void bothReadTheSame() throws Exception {
        CopiedFrames frames = new CopiedFrames(new ByteArrayInputStream(BYTES));
        CompletableFuture<byte[]> copy = inBackground(frames.copy());
        assertThat(all(frames)).isEqualTo(BYTES);
        assertThat(copy.get(10, TimeUnit.SECONDS)).isEqualTo(BYTES);
    }

    @Test
    void aCopyThatStopsHoldsNobodyUp() throws Exception {
        CopiedFrames frames = new CopiedFrames(new ByteArrayInputStream(BYTES));
        frames.copy().close();
        assertThat(inBackground(frames).get(10, TimeUnit.SECONDS)).isEqualTo(BYTES);
    }

    @Test
    void aReaderThatStopsEndsTheCopy() throws Exception {
        CopiedFrames frames = new CopiedFrames(new ByteArrayInputStream(BYTES));
        byte[] some = new byte[1000];
        assertThat(frames.read(some, 0, 1000)).isEqualTo(1000);
        CompletableFuture<byte[]> copy = inBackground(frames.copy());
        frames.close();
        assertThat(copy.get(10, TimeUnit.SECONDS)).isEqualTo(some);
    }

    @Test
    void moreThanIsInProportionIsAFailureOfTheParser() throws Exception {
        InputStream enough = new BoundedFrames(new ByteArrayInputStream(BYTES), () -> BYTES.length);
        assertThat(all(enough)).isEqualTo(BYTES);
        InputStream tooMuch = new BoundedFrames(new ByteArrayInputStream(BYTES), () -> BYTES.length - 1);
        assertThatThrownBy(() -> all(tooMuch)).isInstanceOf(ParserFailure.class);
    }
}
