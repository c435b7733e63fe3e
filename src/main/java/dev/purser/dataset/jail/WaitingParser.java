package dev.purser.dataset.jail;

import dev.purser.dataset.ingest.UploadParser;
import dev.purser.dataset.parser.FieldFrames;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A parser that has not seen anything yet. It takes one order and is gone afterwards. */
final class WaitingParser implements AutoCloseable {
    /** From its start, on a busy machine, to the end of its preparations. */
    private static final Duration MAX_PREPARATION = Duration.ofSeconds(30);

    private final Process process;

    private WaitingParser(Process process) {
        this.process = process;
    }

    static WaitingParser start(Jail jail, Path folder) throws IOException {
        return new WaitingParser(jail.start(folder));
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /**
     * Tells it what to do, and waits until it has shut itself in.
     *
     * @throws IOException if it died before, or takes too long
     */
    UploadParser.Parsing give(String order) throws IOException {
        CompletableFuture<Void> tooLate = CompletableFuture.runAsync(
                process::destroyForcibly,
                CompletableFuture.delayedExecutor(MAX_PREPARATION.toMillis(), TimeUnit.MILLISECONDS));
        OutputStream input = process.getOutputStream();
        input.write((order + "\n").getBytes(StandardCharsets.UTF_8));
        input.flush();
        InputStream frames = process.getInputStream();
        int first = frames.read();
        if (!tooLate.cancel(false) || first != FieldFrames.READY) {
            close();
            throw new IOException("the parser was not ready");
        }
        return new WatchedParsing(process, input, frames);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
