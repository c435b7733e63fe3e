package dev.purser.dataset;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Makes a {@link RowsFile} of the complete rows of an upload. Values are streamed once in the order of the rows, and counted on
 * the way where a column has few possible values. Each of the other columns is streamed once more, sorted by the database, which
 * sorts on disk: memory depends on the number of columns only.
 */
public final class RowsFileWriter {
    /** Of one column, and of all together: 8 MB. */
    private static final int MAX_COUNTERS_OF_COLUMN = 1 << 17;

    private static final int MAX_COUNTERS = 1 << 20;

    private final RowsDatabase.Limits limits;

    /** @param limits of the database while the rows are read from it */
    public RowsFileWriter(RowsDatabase.Limits limits) {
        this.limits = limits;
    }

    /**
     * Writes {@code target}. The caller makes it durable.
     *
     * @param database the rows of an upload, complete and closed; its folder takes what sorting spills
     * @param target a file that does not exist; if this throws, part of it may
     * @throws SQLException if the rows cannot be read
     * @throws IOException if the file cannot be written, or the rows break the dataset's bounds
     */
    public void write(Dataset dataset, Path database, Path target) throws IOException, SQLException {
        Path spill = database.resolveSibling(database.getFileName() + ".spill");
        DatasetFiles.createFolder(spill);
        try (Connection connection = RowsDatabase.openReadOnly(database, spill, limits);
                FileChannel channel =
                        FileChannel.open(target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            DatasetFiles.restrict(target);
            new Writing(dataset, connection, channel).write();
        }
    }

    /** One file on its way. */
    private static final class Writing {
        private final List<StoredRange> ranges;
        private final Connection connection;
        private final FileChannel channel;
        /** Per column how often each value was there, from the lower bound on; nothing of a column that is sorted. */
        private final long[][] counts;

        private Writing(Dataset dataset, Connection connection, FileChannel channel) {
            ranges = dataset.columns().stream().map(StoredRange::of).toList();
            this.connection = connection;
            this.channel = channel;
            counts = counters(ranges);
        }

        private static long[][] counters(List<StoredRange> ranges) {
            long[][] counters = new long[ranges.size()][0];
            long left = MAX_COUNTERS;
            for (int i = 0; i < counters.length; i++) {
                long size = ranges.get(i).size();
                if (size <= Math.min(MAX_COUNTERS_OF_COLUMN, left)) {
                    counters[i] = new long[(int) size];
                    left -= size;
                }
            }
            return counters;
        }

        private void write() throws IOException, SQLException {
            long rows = count();
            List<SectionWriter> values = new ArrayList<>();
            long at = RowsFileHeader.bytes(ranges.size());
            for (StoredRange range : ranges) {
                values.add(new SectionWriter(channel, at));
                at += RowsFileHeader.valuesBytes(rows, range);
            }
            writeValues(rows, values);
            List<RowsFileHeader.Sections> sections = new ArrayList<>();
            for (int i = 0; i < ranges.size(); i++) {
                SectionWriter profile = new SectionWriter(channel, at);
                long records = writeProfile(i, profile);
                at += records * RowsFileHeader.PROFILE_RECORD_BYTES;
                sections.add(new RowsFileHeader.Sections(
                        ranges.get(i), records, values.get(i).finish(), profile.finish()));
            }
            channel.write(new RowsFileHeader(rows, sections).encode(), 0);
        }

        private long count() throws SQLException {
            try (Statement statement = connection.createStatement();
                    ResultSet result = statement.executeQuery("SELECT count(*) FROM " + RowsDatabase.TABLE)) {
                result.next();
                return result.getLong(1);
            }
        }

        /** All columns in one statement, so that the values of a row get the same place in each of them. */
        private void writeValues(long rows, List<SectionWriter> into) throws IOException, SQLException {
            String columns = IntStream.range(0, ranges.size())
                    .mapToObj(RowsDatabase::columnName)
                    .collect(Collectors.joining(", "));
            try (Statement statement = connection.createStatement();
                    ResultSet result = statement.executeQuery("SELECT " + columns + " FROM " + RowsDatabase.TABLE)) {
                long written = 0;
                while (result.next()) {
                    for (int i = 0; i < into.size(); i++) {
                        StoredRange range = ranges.get(i);
                        long offset = offset(range, result.getLong(i + 1));
                        into.get(i).put(offset, range.offsetBytes());
                        if (counts[i].length > 0) {
                            counts[i][(int) offset]++;
                        }
                    }
                    written++;
                }
                if (written != rows) {
                    throw new IOException("rows were lost");
                }
            }
        }

        private static long offset(StoredRange range, long value) throws IOException {
            long offset = value - range.lower();
            if (offset < 0 || offset >= range.size()) {
                throw new IOException("a value outside its column's bounds");
            }
            return offset;
        }

        private long writeProfile(int position, SectionWriter into) throws IOException, SQLException {
            return counts[position].length > 0 ? writeCounted(position, into) : writeSorted(position, into);
        }

        private long writeCounted(int position, SectionWriter into) throws IOException {
            ProfileSums profile = new ProfileSums(into);
            long value = ranges.get(position).lower();
            for (long count : counts[position]) {
                profile.add(value++, count);
            }
            return profile.finish();
        }

        /** Sorting in the database and counting here takes half the time of grouping there, and less memory. */
        private long writeSorted(int position, SectionWriter into) throws IOException, SQLException {
            String column = RowsDatabase.columnName(position);
            ProfileSums profile = new ProfileSums(into);
            try (Statement statement = connection.createStatement();
                    ResultSet result = statement.executeQuery(
                            "SELECT " + column + " FROM " + RowsDatabase.TABLE + " ORDER BY " + column)) {
                while (result.next()) {
                    profile.add(result.getLong(1));
                }
            }
            return profile.finish();
        }
    }

    /** Turns ascending values into the records of a profile: one of nothing, then one for each distinct value. */
    private static final class ProfileSums {
        private final SectionWriter into;
        private long value = Long.MIN_VALUE;
        private long count;
        private long sumLow;
        private long sumHigh;
        private long records;

        private ProfileSums(SectionWriter into) {
            this.into = into;
        }

        private void add(long next) throws IOException {
            if (next != value) {
                writeRecord();
                value = next;
            }
            count++;
            // 128-bit addition: nothing wraps, whatever maxRows and the bounds.
            long sum = sumLow + next;
            long carry = Long.compareUnsigned(sum, next) < 0 ? 1 : 0;
            sumLow = sum;
            sumHigh += (next >> 63) + carry;
        }

        /** A value that comes so many times. */
        private void add(long next, long times) throws IOException {
            if (times > 0) {
                writeRecord();
                value = next;
                count += times;
                long low = next * times;
                long sum = sumLow + low;
                long carry = Long.compareUnsigned(sum, low) < 0 ? 1 : 0;
                sumLow = sum;
                sumHigh += Math.multiplyHigh(next, times) + carry;
            }
        }

        private void writeRecord() throws IOException {
            into.put(value, Long.BYTES);
            into.put(count, Long.BYTES);
            into.put(sumLow, Long.BYTES);
            into.put(sumHigh, Long.BYTES);
            records++;
        }

        private long finish() throws IOException {
            writeRecord();
            return records;
        }
    }
}
