package dev.purser.upload;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.privacy.PrivacyUnit;
import dev.purser.rows.RowsFile;
import dev.purser.rows.RowsFileWriter;
import dev.purser.rows.StoredRows;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class UnitBoundTests {
    private static final byte[] SECRET = "a secret that a test may know".getBytes(UTF_8);

    private static final Dataset VALUES = DatasetsForTests.of(
            "values",
            new PrivacyUnit.Column("unit", 5, PrivacyUnit.IdType.TEXT),
            1_000_000,
            List.of(DatasetsForTests.integer("value", 0, 9999)));

    @TempDir
    private Path folder;

    private record Row(String unit, long value) {}

    @Test
    void choosesByTheUnitsOwnRowsAlone() throws Exception {
        Random random = new Random(7);
        List<Row> ann = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            ann.add(new Row("ann", i));
        }
        Set<Long> alone = keptOf("ann", ann, 5);
        assertThat(alone).hasSize(5);
        for (int trial = 0; trial < 5; trial++) {
            List<Row> mixed = new ArrayList<>(ann);
            for (int i = 0; i < 300; i++) {
                // The row goes anywhere between Ann's rows. The order of Ann's rows stays.
                mixed.add(random.nextInt(mixed.size() + 1), new Row("u" + random.nextInt(20), 1000 + i));
            }
            assertThat(keptOf("ann", mixed, 5)).isEqualTo(alone);
        }
    }

    @Test
    void keepsAllRowsOfAUnitWithinItsBound() throws Exception {
        assertThat(keptOf("ann", List.of(new Row("ann", 1), new Row("bob", 2), new Row("ann", 3)), 2))
                .containsExactly(1L, 3L);
    }

    /**
     * The oracle follows the description of units, numbers and ranks word for word: it keeps the lowest ranks of each
     * unit.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 7, 4096, Integer.MAX_VALUE})
    void keepsWhatAnOracleKeeps(int maxRowsPerUnit) throws Exception {
        assertKeepsWhatAnOracleKeeps(maxRowsPerUnit);
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(ints = {2, 100, 4095, 4097})
    void keepsWhatAnOracleKeepsUnderOtherBounds(int maxRowsPerUnit) throws Exception {
        assertKeepsWhatAnOracleKeeps(maxRowsPerUnit);
    }

    private void assertKeepsWhatAnOracleKeeps(int maxRowsPerUnit) throws Exception {
        Random random = new Random(maxRowsPerUnit);
        for (int units : new int[] {1, 3, 1000, 1_000_000}) {
            for (int count : new int[] {0, 1, 2, 5000, 12_000}) {
                List<Row> rows = skewed(count, units, random);
                assertThat(kept(rows, maxRowsPerUnit))
                        .as("%d rows of %d units", count, units)
                        .isEqualTo(oracle(rows, maxRowsPerUnit));
            }
        }
    }

    /** There are more rows than are sorted in memory, each of a unit of its own. */
    @Test
    void keepsWhatAnOracleKeepsOfManyRows() throws Exception {
        assertKeepsWhatAnOracleKeepsOfManyRows(200_000);
    }

    @Tag("full")
    @Test
    void keepsWhatAnOracleKeepsOfManyRowsOfOneUnit() throws Exception {
        assertKeepsWhatAnOracleKeepsOfManyRows(1);
    }

    private void assertKeepsWhatAnOracleKeepsOfManyRows(int units) throws Exception {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 200_000; i++) {
            rows.add(new Row("u" + i % units, i % 10_000));
        }
        assertThat(kept(rows, 5)).isEqualTo(oracle(rows, 5));
    }

    /**
     * Half of all rows are of the first unit, a quarter of the second unit and so on, or all units have about as many
     * rows.
     */
    private static List<Row> skewed(int count, int units, Random random) {
        boolean even = random.nextBoolean();
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int unit =
                    even ? random.nextInt(units) : Math.min(units - 1, Long.numberOfTrailingZeros(random.nextLong()));
            rows.add(new Row("u" + unit, random.nextInt(10_000)));
        }
        return rows;
    }

    private static List<Long> oracle(List<Row> rows, int maxRowsPerUnit) throws GeneralSecurityException {
        Map<String, List<Integer>> arrivals = new HashMap<>();
        for (int i = 0; i < rows.size(); i++) {
            arrivals.computeIfAbsent(rows.get(i).unit(), unit -> new ArrayList<>())
                    .add(i);
        }
        List<Integer> kept = new ArrayList<>();
        for (var unit : arrivals.entrySet()) {
            kept.addAll(lowest(unit.getKey(), unit.getValue(), maxRowsPerUnit));
        }
        return kept.stream().map(arrival -> rows.get(arrival).value()).sorted().toList();
    }

    private static List<Integer> lowest(String unit, List<Integer> arrivals, int most) throws GeneralSecurityException {
        Mac hmac = Mac.getInstance("HmacSHA256");
        hmac.init(new SecretKeySpec(SECRET, "HmacSHA256"));
        hmac.update((byte) 0);
        byte[] name = Arrays.copyOf(hmac.doFinal(unit.getBytes(UTF_8)), 16);
        Map<Integer, Long> ranks = new HashMap<>();
        for (int number = 0; number < arrivals.size(); number++) {
            byte[] message = ByteBuffer.allocate(25)
                    .put((byte) 1)
                    .put(name)
                    .putLong(number)
                    .array();
            ranks.put(
                    arrivals.get(number), ByteBuffer.wrap(hmac.doFinal(message)).getLong());
        }
        return arrivals.stream()
                .sorted(Comparator.comparing(ranks::get))
                .limit(most)
                .toList();
    }

    @Test
    void leavesNothingWhateverHappens() throws Exception {
        Path file = folder.resolve("rows.columns");
        try (UnitBound bound = new UnitBound(VALUES.shape(), 1, SECRET, file)) {
            for (int i = 0; i < 200_000; i++) {
                bound.add(SECRET, 1 + i % SECRET.length, new long[] {1});
            }
            assertThat(folder).isDirectoryContaining("glob:**.units.0");
        }
        assertThat(folder).isEmptyDirectory();
        Path missing = folder.resolve("missing/rows.columns");
        assertThatExceptionOfType(NoSuchFileException.class).isThrownBy(() -> {
            try (UnitBound bound = new UnitBound(VALUES.shape(), 1, SECRET, missing)) {
                for (int i = 0; i < 200_000; i++) {
                    bound.add(SECRET, 1, new long[] {1});
                }
            }
        });
    }

    /** Ann's values are below 1000, everyone else's above. */
    private Set<Long> keptOf(String unit, List<Row> rows, int maxRowsPerUnit) throws Exception {
        return kept(rows, maxRowsPerUnit).stream()
                .filter(value -> rows.contains(new Row(unit, value)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * The rows of a unit follow one another, and the unit's first row has the mark, whatever the order of arrival and
     * whether the unit is crowded.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5000})
    void marksTheFirstRowOfEachUnit(int maxRowsPerUnit) throws Exception {
        Random random = new Random(maxRowsPerUnit);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            int unit = i % 2 == 0 ? 0 : random.nextInt(3000);
            rows.add(new Row("u" + unit, unit));
        }
        Path file = store(rows, maxRowsPerUnit);
        List<Long> units =
                StoredRows.in(file, VALUES.shape()).stream().map(List::getFirst).toList();
        List<Long> first = new ArrayList<>();
        try (RowsFile stored = new RowsFile(file, VALUES.shape())) {
            long[] marks = new long[units.size()];
            stored.unitMarks().reader().read(0, marks, marks.length);
            for (int i = 0; i < marks.length; i++) {
                boolean isFirst = i == 0 || !units.get(i).equals(units.get(i - 1));
                assertThat(marks[i]).isEqualTo(isFirst ? 1 : 0);
                if (isFirst) {
                    first.add(units.get(i));
                }
            }
        }
        assertThat(first).doesNotHaveDuplicates();
        assertThat(Set.copyOf(first)).isEqualTo(rows.stream().map(Row::value).collect(Collectors.toSet()));
    }

    @Test
    void refusesAValueOutsideItsBounds() throws Exception {
        try (UnitBound bound = new UnitBound(VALUES.shape(), 1, SECRET, folder.resolve("rows.columns"))) {
            for (long outside : new long[] {-1, 10_000}) {
                assertThatExceptionOfType(IOException.class)
                        .isThrownBy(() -> bound.add(SECRET, 1, new long[] {outside}));
            }
        }
    }

    private List<Long> kept(List<Row> rows, int maxRowsPerUnit) throws Exception {
        Path file = store(rows, maxRowsPerUnit);
        return StoredRows.in(file, VALUES.shape()).stream()
                .map(List::getFirst)
                .sorted()
                .toList();
    }

    private Path store(List<Row> rows, int maxRowsPerUnit) throws Exception {
        Path file = Files.createTempDirectory(folder, "bound").resolve("rows.columns");
        try (UnitBound bound = new UnitBound(VALUES.shape(), maxRowsPerUnit, SECRET, file);
                RowsFileWriter writer = new RowsFileWriter(VALUES.shape(), file)) {
            for (Row row : rows) {
                byte[] name = row.unit().getBytes(UTF_8);
                bound.add(name, name.length, new long[] {row.value()});
            }
            bound.storeRows(writer);
            writer.finish();
        }
        return file;
    }
}
