package dev.purser.engine;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.rows.ColumnValues;
import dev.purser.rows.RowsFile;
import dev.purser.rows.StoredRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Computes which rows pass a filter: all ones or all zeros for each row. It does not branch on a value and evaluates
 * every condition for every row. Not thread-safe.
 */
final class RowMask {
    private final List<Test> tests = new ArrayList<>();
    private final long[] offsets = new long[RowScan.BLOCK_ROWS];

    /** @throws IOException if the values of a column in the filter are damaged */
    RowMask(RowsFile rows, Dataset dataset, Filter filter) throws IOException {
        for (Filter.Condition condition : filter.conditions()) {
            Column column = condition.column();
            ColumnValues.Reader values =
                    rows.values(dataset.columns().indexOf(column)).reader();
            tests.add(
                    switch (condition) {
                        case Filter.Between between -> InRange.of(values, between);
                        case Filter.OneOf oneOf -> InList.of(values, oneOf);
                    });
        }
    }

    /** Writes the masks of {@code count} rows, from row {@code from} on, to the start of {@code into}. */
    void read(long from, long[] into, int count) throws IOException {
        Arrays.fill(into, 0, count, -1);
        for (Test test : tests) {
            test.values().read(from, offsets, count);
            test.clearFailed(offsets, into, count);
        }
    }

    private sealed interface Test {
        ColumnValues.Reader values();

        void clearFailed(long[] offsets, long[] masks, int count);
    }

    /** {@code from <= x < to}, as offsets; no value passes an empty range. */
    private record InRange(ColumnValues.Reader values, long from, long to) implements Test {
        private static InRange of(ColumnValues.Reader values, Filter.Between between) {
            StoredRange range = between.column().range();
            return new InRange(values, range.offset(between.from()), range.offset(between.to()));
        }

        @Override
        public void clearFailed(long[] offsets, long[] masks, int count) {
            for (int i = 0; i < count; i++) {
                masks[i] &= ~((offsets[i] - from) >> 63) & ((offsets[i] - to) >> 63);
            }
        }
    }

    /** A table of all categories. */
    private record InList(ColumnValues.Reader values, long[] maskOf) implements Test {
        private static InList of(ColumnValues.Reader values, Filter.OneOf oneOf) {
            long[] maskOf = new long[oneOf.column().categories().size()];
            Arrays.setAll(maskOf, index -> oneOf.categories().contains(index) ? -1 : 0);
            return new InList(values, maskOf);
        }

        @Override
        public void clearFailed(long[] offsets, long[] masks, int count) {
            for (int i = 0; i < count; i++) {
                masks[i] &= maskOf[(int) offsets[i]];
            }
        }
    }
}
