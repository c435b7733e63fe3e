package dev.purser.synopsis;

import dev.purser.problem.ProblemException;
import dev.purser.problem.Violation;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A request for invented rows.
 *
 * @param sent the number of rows; null for the estimated number
 * @param maxBytes the most memory beside the tables of the synopsis, from the making of the rows until they are sent
 */
public record RowsRequest(Synopsis synopsis, @Nullable Integer sent, long seed, int maxBytes) {
    /** The header with the certificate in one line. */
    public static final String CERTIFICATE = "Certificate";

    private static final String COUNT = "count";
    private static final int MAX_ROWS = 1_000_000;

    /** The most looks at rows. Each table of the certificate looks at every row. */
    private static final long MAX_LOOKS = 1_000_000_000;

    /** The bytes of an estimate and a counter. */
    private static final int CELL_BYTES = Double.BYTES + Integer.BYTES;

    /**
     * Reads the parameters of a request.
     *
     * @throws ProblemException {@code validation-failed}
     */
    public static RowsRequest of(Synopsis synopsis, @Nullable Long count, long seed, int maxBytes) {
        Integer together = synopsis.cells().together();
        if (together == null || together < 2) {
            throw ProblemException.validation(Violation.ofParameter(
                    "synopsisId",
                    "rows need the tables of all pairs of columns: buy a synopsis with \"marginals\": 2 or 3"));
        }
        if (count != null && (count < 1 || count > MAX_ROWS)) {
            throw refused("count must be from 1 to " + MAX_ROWS + ", was " + count);
        }
        Integer sent = count == null ? null : Math.toIntExact(count);
        RowsRequest request = new RowsRequest(synopsis, sent, seed, maxBytes);
        if (sent != null) {
            request.requirePossible(sent);
        }
        return request;
    }

    /** The memory of the rows until they are sent; if their number is not known yet, the most that they may take. */
    public int bytes() {
        return Math.toIntExact(bytesOfRow() * (sent == null ? Math.clamp(most(), 0, MAX_ROWS) : sent));
    }

    /**
     * How many rows there will be.
     *
     * @param estimated the estimated number of rows
     * @throws ProblemException {@code validation-failed} if they would take too much memory or time
     */
    int count(double estimated) {
        int count = sent == null ? (int) Math.clamp(Math.round(estimated), 0, MAX_ROWS) : sent;
        requirePossible(count);
        return count;
    }

    private void requirePossible(int count) {
        if (count > most()) {
            throw refused("count must be at most " + Math.max(0, most()) + " for this synopsis, was " + count
                    + ": its rows take at most " + (maxBytes >> 20) + " MB beside its tables, and each table of the"
                    + " certificate looks at every row");
        }
    }

    private long most() {
        return Math.min(
                MAX_LOOKS
                        / RowsCertificate.tables(synopsis.columns().size(), synopsis.columnsTogether())
                                .size(),
                (maxBytes - largestTable() * CELL_BYTES) / bytesOfRow());
    }

    /** A column is in memory twice while it is drawn. */
    private long bytesOfRow() {
        return synopsis.columns().stream()
                        .mapToInt(column -> Codes.width(column.cells()))
                        .sum()
                + Integer.BYTES;
    }

    private long largestTable() {
        return IntStream.range(0, synopsis.columns().size())
                .map(column -> -synopsis.columns().get(column).cells())
                .sorted()
                .limit(synopsis.columnsTogether())
                .mapToLong(cells -> -cells)
                .reduce(1, Math::multiplyExact);
    }

    private static ProblemException refused(String detail) {
        return ProblemException.validation(Violation.ofParameter(COUNT, detail));
    }
}
