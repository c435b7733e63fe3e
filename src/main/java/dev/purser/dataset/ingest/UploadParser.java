package dev.purser.dataset.ingest;

import dev.purser.dataset.parser.BatchSlots;
import dev.purser.problem.ProblemException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;

/** Turns uploads into fields, each in a process of its own that is trusted with nothing but the upload. */
public interface UploadParser {
    /** @throws ProblemException {@code temporarily-unavailable} if uploads cannot be parsed safely on this host */
    void requireAvailable();

    /**
     * Starts to parse a CSV that is written to {@link Parsing#input()}.
     *
     * @throws ProblemException {@code temporarily-unavailable} if no parser can be started, or none that is jailed
     */
    Parsing csv();

    /**
     * Gets ready to parse a Parquet file.
     *
     * @param file is there, but complete only once {@link Parsing#input()}, which takes nothing, is closed
     * @throws ProblemException as {@link #csv()}
     */
    ParquetParsing parquet(Path file);

    /** One upload that is being parsed. Closing ends it at once, whatever it does. */
    interface Parsing extends AutoCloseable {
        /** Where the upload goes, if it is not a file; closed at its end. */
        OutputStream input();

        /** The fields, as {@link dev.purser.dataset.parser.FieldFrames}. */
        InputStream frames();

        @Override
        void close();
    }

    /** A Parquet file that is being parsed. */
    interface ParquetParsing extends Parsing {
        /** Where batches are that do not go through {@link #frames()}; until this is closed. */
        BatchSlots slots();
    }
}
