package dev.purser.upload;

import dev.purser.dataset.Fingerprint;
import java.util.List;

/**
 * What became of an upload. Only the custodian who sent it may see this, because every number depends on private rows.
 *
 * @param rowsRead the rows of the file, without its header
 * @param rowsStored the rows that stay after bounding each privacy unit's contribution
 * @param clamped the columns with values outside their bounds
 * @param substituted the columns with values that are stored as their substitute
 * @param digest the SHA-256 digest of the file's bytes, as in RFC 9530
 * @param rowsDigest the digest of the file of stored rows, for the service alone
 * @param fingerprints the fingerprints of the rows under every known secret, for the service alone; empty if there are
 *     no rows
 */
public record UploadReport(
        long rowsRead,
        long rowsStored,
        List<ClampedColumn> clamped,
        List<SubstitutedColumn> substituted,
        String digest,
        byte[] rowsDigest,
        List<Fingerprint> fingerprints) {
    /** How many values lay outside their column's bounds. */
    public long valuesClamped() {
        return clamped.stream().mapToLong(ClampedColumn::values).sum();
    }

    @Override
    public String toString() {
        return "UploadReport[redacted]";
    }
}
