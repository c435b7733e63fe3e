package dev.purser.dataset.jail;

import dev.purser.dataset.ingest.UploadParser;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * An upload at its parser, which is ended when it hangs: when for {@link #MAX_SILENCE} it neither took a byte that was there
 * for it nor gave one that was waited for. A sender may take its time.
 */
final class WatchedParsing implements UploadParser.Parsing {
    static final Duration MAX_SILENCE = Duration.ofSeconds(20);

    private static final ScheduledExecutorService WATCH = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("parser-watch").factory());

    private final Process process;
    private final OutputStream input;
    private final InputStream frames;
    private final ScheduledFuture<?> watch;
    private final Silence untaken = new Silence();
    private final Silence ungiven = new Silence();

    WatchedParsing(Process process, OutputStream input, InputStream frames) {
        this.process = process;
        this.input = new Offered(input);
        this.frames = new Awaited(frames);
        watch = WATCH.scheduleWithFixedDelay(this::endIfSilent, 1, 1, TimeUnit.SECONDS);
    }

    @Override
    public OutputStream input() {
        return input;
    }

    @Override
    public InputStream frames() {
        return frames;
    }

    @Override
    public void close() {
        watch.cancel(false);
        process.destroyForcibly();
    }

    private void endIfSilent() {
        if (untaken.isTooLong() && ungiven.isTooLong()) {
            process.destroyForcibly();
        }
    }

    /** Since when the parser owes something. */
    private static final class Silence {
        private volatile boolean owed;
        private volatile long since;

        void begin() {
            since = System.nanoTime();
            owed = true;
        }

        void end() {
            owed = false;
        }

        boolean isTooLong() {
            return owed && System.nanoTime() - since > MAX_SILENCE.toNanos();
        }
    }

    /** What is offered to the parser; once it is closed there is nothing more that the parser could wait for. */
    private final class Offered extends FilterOutputStream {
        private Offered(OutputStream input) {
            super(input);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            untaken.begin();
            out.write(bytes, offset, length);
            untaken.end();
        }

        @Override
        public void close() throws IOException {
            untaken.begin();
            super.close();
        }
    }

    /** What is awaited from the parser. */
    private final class Awaited extends FilterInputStream {
        private Awaited(InputStream frames) {
            super(frames);
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            ungiven.begin();
            int read = in.read(bytes, offset, length);
            ungiven.end();
            return read;
        }
    }
}
