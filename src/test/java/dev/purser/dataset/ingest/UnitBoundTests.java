package dev.purser.dataset.ingest;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.rows.RowsFileWriter;
import dev.purser.rows.StoredRows;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class UnitBoundTests {
    private static final byte[] SECRET = "a secret that a test may know".getBytes(UTF_8);

    private static final Dataset VALUES = DatasetsForTests.rows("values", DatasetsForTests.integer("value", 0, 9999));

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
                // Anywhere between Ann's rows, whose own order stays.
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

    /** Ann's values are below 1000, everyone else's above. */
    private Set<Long> keptOf(String unit, List<Row> rows, int maxRowsPerUnit) throws Exception {
        Path home = Files.createTempDirectory(folder, "bound");
        Path file = home.resolve("rows.columns");
        try (StagingDatabase staged =
                        new StagingDatabase(home.resolve("staged"), 2, new StagingDatabase.Limits(128, 1));
                RowsFileWriter writer = new RowsFileWriter(VALUES.shape(), file)) {
            UnitBound bound = new UnitBound(staged, 1, maxRowsPerUnit, SECRET);
            try (UnitBound.Arrivals arrivals = bound.arrivals()) {
                for (Row row : rows) {
                    byte[] name = row.unit().getBytes(UTF_8);
                    arrivals.add(name, 0, name.length, new long[] {row.value()});
                }
            }
            bound.storeRows(writer);
            writer.finish();
        }
        return StoredRows.in(file, VALUES.shape()).stream()
                .map(List::getFirst)
                .filter(value -> rows.contains(new Row(unit, value)))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
