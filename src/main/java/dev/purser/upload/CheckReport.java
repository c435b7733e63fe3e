package dev.purser.upload;

import java.util.List;

/**
 * What an upload of a file would be told. It is for the custodian who sent it alone.
 *
 * @param rowsRead the rows of the file, without its header, as far as they can be told apart
 * @param clamped the columns with values outside their bounds
 * @param substituted the columns with values that would be stored as their substitute
 * @param errors the rules that the file breaks, as far as they are listed
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
