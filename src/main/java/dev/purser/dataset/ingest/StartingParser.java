package dev.purser.dataset.ingest;

import dev.purser.problem.ProblemException;
import dev.purser.task.Task;
import java.io.IOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A parser that gets ready while its file arrives. Closing ends it, also if nobody came to ask for it. */
final class StartingParser implements AutoCloseable {
    private final Supplier<UploadParser.ParquetParsing> start;
    private final Task<UploadParser.ParquetParsing> early;
    private UploadParser.@Nullable ParquetParsing late;

    StartingParser(String id, Supplier<UploadParser.ParquetParsing> start) {
        this.start = start;
        early = Task.start("parser-" + id, start::get);
    }

    /**
     * Once it is ready. If it could not be started while the file arrived, which may have taken long, it is tried once more.
     *
     * @throws ProblemException if it cannot be started now
     */
    UploadParser.ParquetParsing started() throws IOException {
        try {
            return early.join();
        } catch (ProblemException unavailable) {
            late = start.get();
            return late;
        }
    }

    @Override
    public void close() {
        if (late != null) {
            late.close();
            return;
        }
        try {
            early.join().close();
        } catch (IOException | RuntimeException notStarted) {
            // Whoever needed it was told.
        }
    }
}
