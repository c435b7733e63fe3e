package dev.purser.dataset.ingest;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What became of an upload. For the custodian who sent it and nobody else: every number here depends on private rows.
 *
 * @param rowsRead the rows of the file, without its header
 * @param rowsStored the rows that stay after bounding each privacy unit's contribution
 * @param valuesClamped the values read that lay outside their column's bounds
 * @param sha256 the digest of the file's bytes
 * @param fingerprint what the rows are recognized by, for the service alone; none if there are no rows
 */
public record IngestReport(
        long rowsRead, long rowsStored, long valuesClamped, byte[] sha256, Optional<Fingerprint> fingerprint) {
    public IngestReport {
        sha256 = sha256.clone();
    }

    @Override
    public byte[] sha256() {
        return sha256.clone();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof IngestReport that
                && rowsRead == that.rowsRead
                && rowsStored == that.rowsStored
                && valuesClamped == that.valuesClamped
                && Arrays.equals(sha256, that.sha256)
                && fingerprint.equals(that.fingerprint);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(sha256);
    }

    @Override
    public String toString() {
        return "IngestReport[redacted]";
    }
}
