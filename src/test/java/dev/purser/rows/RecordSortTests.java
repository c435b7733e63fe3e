package dev.purser.rows;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RecordSortTests {
    private static final long[] CORNERS = {Long.MIN_VALUE, -1, 0, 1, Long.MAX_VALUE};

    @TempDir
    private Path folder;

    /** A sort with runs of four records. */
    private RecordSort small(int runsOfMerge) {
        return new RecordSort(folder.resolve("sort"), 3, 2, 2, runsOfMerge);
    }

    @AfterEach
    void leavesNothing() {
        assertThat(folder).isEmptyDirectory();
    }

    /** Half of the records have words that come often, so many records are alike or differ only in their last word. */
    private static List<long[]> records(int count, int words, Random random) {
        return Stream.generate(() -> random.nextBoolean()
                        ? random.longs(words).toArray()
                        : random.ints(words, 0, CORNERS.length)
                                .mapToLong(corner -> CORNERS[corner])
                                .toArray())
                .limit(count)
                .toList();
    }

    private static void checkSorts(RecordSort sort, List<long[]> records) throws IOException {
        for (long[] record : records) {
            sort.add(record);
        }
        List<long[]> expected = new ArrayList<>(records);
        expected.sort(Arrays::compare);
        SortedRecords sorted = sort.sorted();
        long[] record = new long[records.isEmpty() ? 1 : records.getFirst().length];
        for (long[] next : expected) {
            if (!sorted.next(record) || !Arrays.equals(record, next)) {
                throw new AssertionError(Arrays.toString(record) + " in place of " + Arrays.toString(next));
            }
        }
        assertThat(sorted.next(record)).isFalse();
        assertThat(sorted.next(record)).isFalse();
    }

    /** Small counts are sorted in memory, larger counts in several runs, with up to nine passes. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 8, 1000})
    void sortsAsAListDoes(int runsOfMerge) throws IOException {
        Random random = new Random(runsOfMerge);
        for (int words : new int[] {1, 3}) {
            for (int count : new int[] {0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 16, 17, 31, 32, 33, 100, 1000, 2049}) {
                try (RecordSort sort = new RecordSort(folder.resolve("sort"), words, 2, 2, runsOfMerge)) {
                    checkSorts(sort, records(count, words, random));
                }
                leavesNothing();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void sortsWithTheSizesThatItIsServedWith(int words) throws IOException {
        List<long[]> records = records(600_000 / words, words, new Random(6));
        List<long[]> descending = new ArrayList<>(records);
        descending.sort((one, other) -> Arrays.compare(other, one));
        for (List<long[]> order : List.of(records, descending, descending.reversed())) {
            try (RecordSort sort = new RecordSort(folder.resolve("sort"), words)) {
                checkSorts(sort, order);
                assertThat(folder).isNotEmptyDirectory();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void needsNoFileForAFewRecords(int words) throws IOException {
        try (RecordSort sort = new RecordSort(folder.resolve("missing/sort"), words)) {
            checkSorts(sort, records(261_120 / words, words, new Random(7)));
        }
    }

    /** Measures all that the sort ever allocates, as if nothing were ever freed. At any one time it has less. */
    @Test
    void takesLittleMemoryHoweverManyThereAre() throws IOException {
        int count = 1_000_000;
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        try (RecordSort sort = new RecordSort(folder.resolve("sort"), 3)) {
            Random random = new Random(8);
            long[] record = new long[3];
            for (int i = 0; i < count; i++) {
                record[0] = random.nextLong();
                sort.add(record);
            }
            SortedRecords sorted = sort.sorted();
            long last = Long.MIN_VALUE;
            boolean inOrder = true;
            while (sorted.next(record)) {
                inOrder &= record[0] >= last;
                last = record[0];
            }
            assertThat(inOrder).isTrue();
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(10 << 20);
    }

    @Test
    void hasAtMostTwoFilesThatAreNobodyElses() throws IOException {
        try (RecordSort sort = small(2)) {
            for (long[] record : records(100, 3, new Random(9))) {
                sort.add(record);
            }
            assertThat(files()).hasSize(1);
            sort.sorted();
            assertThat(files()).hasSize(1);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(files().getFirst())))
                    .isEqualTo("rw-------");
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    @Test
    void tellsThatNoFileCanBeMade() throws IOException {
        try (RecordSort sort = new RecordSort(folder.resolve("missing/sort"), 3, 1, 1, 2)) {
            sort.add(1, 2, 3);
            assertThatExceptionOfType(IOException.class).isThrownBy(() -> sort.add(1, 2, 3));
        }
        Path foreign = Files.createFile(folder.resolve("sort.0"));
        try (RecordSort sort = small(2)) {
            addDescending(sort, 4);
            assertThatExceptionOfType(IOException.class).isThrownBy(() -> sort.add(1, 2, 3));
        }
        Files.delete(foreign);
    }

    private static void addDescending(RecordSort sort, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            sort.add(-i, i, i);
        }
    }

    @Test
    void tellsThatNoFileCanBeMadeForLongerRuns() throws IOException {
        Path foreign = Files.createFile(folder.resolve("sort.1"));
        try (RecordSort sort = small(2)) {
            addDescending(sort, 20);
            assertThatExceptionOfType(IOException.class).isThrownBy(sort::sorted);
        }
        Files.delete(foreign);
    }

    /** Java closes the channel of an interrupted thread. To the user of the channel, the disk is broken. */
    @Test
    void tellsThatTheDiskIsBroken() throws IOException {
        try (RecordSort sort = small(2)) {
            addDescending(sort, 20);
            tellsWhenInterrupted(() -> sort.add(1, 2, 3));
        }
        leavesNothing();
        try (RecordSort sort = small(2)) {
            addDescending(sort, 20);
            tellsWhenInterrupted(sort::sorted);
        }
        leavesNothing();
        try (RecordSort sort = small(5)) {
            addDescending(sort, 20);
            SortedRecords sorted = sort.sorted();
            long[] record = new long[3];
            assertThat(sorted.next(record)).isTrue();
            tellsWhenInterrupted(() -> sorted.next(record));
        }
    }

    private static void tellsWhenInterrupted(ThrowingCallable use) {
        Thread.currentThread().interrupt();
        try {
            assertThatExceptionOfType(IOException.class).isThrownBy(use);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }
}
