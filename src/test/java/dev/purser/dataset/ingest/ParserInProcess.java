package dev.purser.dataset.ingest;

import dev.purser.dataset.parser.ParseUpload;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.file.Path;

/** Parses CSV on a thread of the test, for tests of what becomes of the fields. */
public final class ParserInProcess implements UploadParser {
    @Override
    public void requireAvailable() {}

    @Override
    public Parsing csv() {
        try {
            PipedOutputStream input = new PipedOutputStream();
            PipedInputStream csv = new PipedInputStream(input, 1 << 16);
            PipedOutputStream answer = new PipedOutputStream();
            PipedInputStream frames = new PipedInputStream(answer, 1 << 16);
            Thread.ofPlatform().daemon().start(() -> {
                try (csv;
                        answer) {
                    ParseUpload.csv(csv, answer);
                } catch (IOException e) {
                    // Whoever waits finds the frames ended.
                }
            });
            return new Piped(input, frames);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public ParquetParsing parquet(Path file) {
        throw new UnsupportedOperationException("Parquet is parsed in a process of its own only");
    }

    private record Piped(OutputStream input, InputStream frames) implements Parsing {
        @Override
        public void close() {
            try {
                frames.close();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
