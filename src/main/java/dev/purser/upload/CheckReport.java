package dev.purser.upload;

import java.util.List;

/**
 * What an upload of a file would be told. Only the custodian who sent the file may see it.
 *
 * @param rowsRead the rows of the file, without its header, as far as the end of each can be found
 * @param clamped the columns with values outside their bounds
 * @param substituted the columns with values that would be stored as their substitute
 * @param errors the listed errors: rules that the file breaks
 * @param moreErrors how many errors are not listed
 */
public record CheckReport(
        long rowsRead,
        List<ClampedColumn> clamped,
        List<SubstitutedColumn> substituted,
        List<DataError> errors,
        long moreErrors) {
    @Override
    public String toString() {
        return "CheckReport[redacted]";
    }
}
