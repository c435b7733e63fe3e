package dev.purser.dataset.ingest;

import dev.purser.task.Task;
import java.io.IOException;
import java.util.concurrent.Callable;

/** A parser that gets ready while its file arrives. Closing ends it, also if nobody came to ask for it. */
final class StartingParser implements AutoCloseable {
    private final Task<UploadParser.ParquetParsing> start;

    StartingParser(String id, Callable<UploadParser.ParquetParsing> start) {
        this.start = Task.start("parser-" + id, start);
    }

    /** Once it is ready; with what went wrong otherwise. */
    UploadParser.ParquetParsing started() throws IOException {
        return start.join();
    }

    @Override
    public void close() {
        try {
            started().close();
        } catch (IOException | RuntimeException notStarted) {
            // Whoever needed it was told.
        }
    }
}
