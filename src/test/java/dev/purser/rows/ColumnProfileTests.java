package dev.purser.rows;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Both forms, asked the same, against counts and sums of all values one by one. */
class ColumnProfileTests {
    private static final long HUGE = 1L << 40;
    private static final int BLOCK = CountedProfile.BLOCK;

    @TempDir
    private Path folder;

    private int files;

    /** So many rows are permitted that no column is counted, or so few that all of these are. */
    private static long maxRows(ProfileForm form) {
        return form == ProfileForm.COUNTED ? Integer.MAX_VALUE : 1L << 31;
    }

    private void check(ProfileForm form, StoredRange range, long... values) throws IOException {
        RowsShape shape = new RowsShape(List.of(range), maxRows(form));
        Path file = folder.resolve("rows" + files++);
        try (RowsFileWriter writer = new RowsFileWriter(shape, file)) {
            for (long value : values) {
                writer.add(new long[] {value});
            }
            writer.finish();
        }
        try (RowsFile rows = new RowsFile(file, shape)) {
            ColumnProfile profile = rows.profile(0);
            assertThat(profile).isInstanceOf(form == ProfileForm.COUNTED ? CountedProfile.class : SortedProfile.class);
            check(profile, edges(range), values);
        }
    }

    /** All edges of a range that is not large; at its ends else, and around the borders of blocks; some outside. */
    private static long[] edges(StoredRange range) {
        List<Long> edges = new ArrayList<>(List.of(Long.MIN_VALUE, range.lower() - 1));
        for (long offset = 0; offset <= range.size(); offset++) {
            if (offset == 3 * BLOCK && range.size() > 6 * BLOCK) {
                offset = range.size() - 3 * BLOCK;
            }
            edges.add(range.lower() + offset);
        }
        edges.addAll(List.of(range.upper() + 2, Long.MAX_VALUE));
        return edges.stream().mapToLong(Long::longValue).toArray();
    }

    private static void check(ColumnProfile profile, long[] edges, long[] values) throws IOException {
        Prefixes below = profile.below(edges);
        BigInteger[] sums = StoredRows.sums(below);
        assertThat(below.counts()).hasSize(edges.length + 1);
        assertThat(sums).hasSize(edges.length + 1);
        for (int i = 0; i <= edges.length; i++) {
            boolean all = i == edges.length;
            long edge = all ? 0 : edges[i];
            long[] expected =
                    LongStream.of(values).filter(value -> all || value < edge).toArray();
            BigInteger sum =
                    LongStream.of(expected).mapToObj(BigInteger::valueOf).reduce(BigInteger.ZERO, BigInteger::add);
            assertThat(below.counts()[i]).as("count below %d", edge).isEqualTo(expected.length);
            assertThat(sums[i]).as("sum below %d", edge).isEqualTo(sum);
        }
    }

    @ParameterizedTest
    @EnumSource
    void areExactBelowEveryEdge(ProfileForm form) throws IOException {
        Random random = new Random(6);
        for (int size : new int[] {1, 2, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 5 * BLOCK - 1, 1 << 17}) {
            for (long lower : new long[] {0, -size / 2, 1000, -HUGE, HUGE - size + 1}) {
                StoredRange range = new StoredRange(lower, lower + size - 1);
                check(
                        form,
                        range,
                        random.longs(300, range.lower(), range.upper() + 1).toArray());
                check(form, range, range.lower(), range.upper(), range.upper());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void haveNothingBelowAnyEdgeWhereThereIsNoRow(ProfileForm form) throws IOException {
        check(form, new StoredRange(0, 0));
        check(form, new StoredRange(-HUGE, -HUGE + BLOCK - 1));
        check(form, new StoredRange(-70, 1000));
    }

    /** Each row in a block of its own, so that most blocks hold none. */
    @ParameterizedTest
    @EnumSource
    void areExactWhereMostValuesAreMissing(ProfileForm form) throws IOException {
        long[] values = LongStream.range(0, 40).map(i -> i * 2 * BLOCK - BLOCK).toArray();
        check(form, new StoredRange(-BLOCK, 100 * BLOCK), values);
    }

    /** As many rows as a counted column can have, at both ends of what can be stored: their sums are near 2^71. */
    @Test
    void countedSumsDoNotWrap() throws IOException {
        int most = Integer.MAX_VALUE;
        for (long lower : new long[] {-HUGE, HUGE - 2 * BLOCK + 1}) {
            StoredRange range = new StoredRange(lower, lower + 2 * BLOCK - 1);
            int[] counters = new int[3 * BLOCK];
            counters[0] = most - 3;
            counters[2 * BLOCK - 1] = 3;
            Prefixes below = counted(range, counters).below(lower, lower + 1, range.upper(), range.upper() + 1);
            BigInteger many = BigInteger.valueOf(lower).multiply(BigInteger.valueOf(most - 3));
            BigInteger all = many.add(BigInteger.valueOf(3 * range.upper()));
            assertThat(below.counts()).containsExactly(0, most - 3, most - 3, most, most);
            assertThat(StoredRows.sums(below)).containsExactly(BigInteger.ZERO, many, many, all, all);
        }
    }

    /** More than are ever counted: the file could hold them. */
    @Test
    void countsHaveNoSign() throws IOException {
        StoredRange range = new StoredRange(-3, 60);
        int[] counters = new int[2 * BLOCK];
        Arrays.fill(counters, 0, 2, Integer.MAX_VALUE);
        counters[2] = 1;
        Prefixes below = counted(range, counters).below(-1, 0, 50);
        long two = 2L * Integer.MAX_VALUE;
        BigInteger sum = BigInteger.valueOf(-5L * Integer.MAX_VALUE);
        BigInteger all = sum.subtract(BigInteger.ONE);
        assertThat(below.counts()).containsExactly(two, two + 1, two + 1, two + 1);
        assertThat(StoredRows.sums(below)).containsExactly(sum, all, all, all);
    }

    /** The greatest distance and the most rows: sums of counts and of distances are near 2^55. */
    @Test
    void theWidestCountedColumnDoesNotWrap() throws IOException {
        int size = (int) CountedProfile.MAX_SIZE - 1;
        int most = Integer.MAX_VALUE;
        StoredRange range = new StoredRange(-HUGE, -HUGE + size - 1);
        int[] counters = new int[size + 1];
        counters[0] = 1;
        counters[size - 1] = most - 1;
        Prefixes below = counted(range, counters).below(range.upper(), range.upper() + 1);
        BigInteger sum = BigInteger.valueOf(range.upper()).multiply(BigInteger.valueOf(most - 1));
        assertThat(below.counts()).containsExactly(1, most, most);
        assertThat(StoredRows.sums(below)[0]).isEqualTo(BigInteger.valueOf(-HUGE));
        assertThat(StoredRows.sums(below)[1]).isEqualTo(sum.subtract(BigInteger.valueOf(HUGE)));

        counters[0] = most;
        counters[size - 1] = 0;
        BigInteger least = BigInteger.valueOf(-HUGE).multiply(BigInteger.valueOf(most));
        assertThat(StoredRows.sums(counted(range, counters).below(range.upper())))
                .containsExactly(least, least);
    }

    /** The profile of values that were there so often. */
    private CountedProfile counted(StoredRange range, int[] counters) throws IOException {
        Path file = folder.resolve("profile" + files++);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            SectionWriter section = new SectionWriter(channel, 0);
            CountedProfileWriter writer = new CountedProfileWriter(section);
            int[] piece = new int[CountedProfileWriter.PIECE];
            for (int from = 0; from < counters.length; from += piece.length) {
                int length = Math.min(piece.length, counters.length - from);
                System.arraycopy(counters, from, piece, 0, length);
                writer.add(piece, length);
            }
            int checksum = section.finish();
            assertThat(section.at()).isEqualTo(CountedProfile.bytes(range));
            try (FileChannel written = FileChannel.open(file)) {
                return new CountedProfile(
                        new CheckedSection(
                                written.map(
                                        FileChannel.MapMode.READ_ONLY,
                                        0,
                                        written.size(),
                                        java.lang.foreign.Arena.ofAuto()),
                                checksum),
                        range);
            }
        }
    }

    @Test
    void aHeaderIsRefusedWhoseProfileCannotBe() throws IOException {
        StoredRange range = new StoredRange(1, 200);
        long bytes = CountedProfile.bytes(range);
        decode(range, 10, ProfileForm.COUNTED, bytes);
        decode(range, 10, ProfileForm.SORTED, 64);
        assertRefused(range, 10, ProfileForm.COUNTED, bytes - 8);
        assertRefused(range, 10, ProfileForm.COUNTED, bytes + CountedProfile.BLOCK_BYTES);
        assertRefused(range, 1L << 32, ProfileForm.COUNTED, bytes);
        StoredRange wide = new StoredRange(0, CountedProfile.MAX_SIZE);
        assertRefused(wide, 10, ProfileForm.COUNTED, CountedProfile.bytes(wide));
        assertRefused(range, 10, ProfileForm.SORTED, 0);
        assertRefused(range, 10, ProfileForm.SORTED, 40);
        assertRefused(range, 10, ProfileForm.SORTED, -32);
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> ProfileForm.of(0));
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> ProfileForm.of(3));
    }

    private static void assertRefused(StoredRange range, long rows, ProfileForm form, long bytes) {
        assertThatExceptionOfType(IOException.class)
                .as("%d bytes, %s", bytes, form)
                .isThrownBy(() -> decode(range, rows, form, bytes));
    }

    private static void decode(StoredRange range, long rows, ProfileForm form, long bytes) throws IOException {
        RowsFileHeader.Sections column = new RowsFileHeader.Sections(range, form, bytes, 1, 2);
        ByteBuffer encoded = new RowsFileHeader(rows, List.of(column)).encode();
        assertThat(RowsFileHeader.decode(encoded, List.of(range))).isEqualTo(new RowsFileHeader(rows, List.of(column)));
    }
}
