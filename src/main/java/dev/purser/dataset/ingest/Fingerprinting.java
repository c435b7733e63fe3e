package dev.purser.dataset.ingest;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * Computes the fingerprint of an upload's rows, with all their fields, listed or not: beside the thread that reads their values,
 * because it takes as long.
 */
final class Fingerprinting implements Callable<Optional<Fingerprint>> {
    private final InputStream frames;
    private final FingerprintDigest digest;

    Fingerprinting(InputStream frames, FingerprintDigest digest) {
        this.frames = frames;
        this.digest = digest;
    }

    /**
     * The fingerprint, once all was read; none if there are no rows.
     *
     * @throws IOException if the upload ends early or breaks its form, which whoever reads the values sees as well and judges
     */
    @Override
    public Optional<Fingerprint> call() throws IOException {
        try (frames) {
            Fields fields = new Fields(frames);
            int columns = readHeader(fields);
            int field = 0;
            while (fields.next()) {
                // A row with more would take more memory than any has to.
                if (field++ == columns) {
                    throw new ParserFailure();
                }
                digest.field(fields.bytes(), fields.from(), fields.to());
                if (fields.endsRecord()) {
                    digest.endRow();
                    field = 0;
                }
            }
            return digest.fingerprint();
        }
    }

    private static int readHeader(Fields fields) throws IOException {
        int columns = 0;
        while (columns < CsvIngest.MAX_COLUMNS && fields.next()) {
            columns++;
            if (fields.endsRecord()) {
                break;
            }
        }
        return columns;
    }
}
