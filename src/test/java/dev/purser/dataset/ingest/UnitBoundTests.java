package dev.purser.dataset.ingest;

import dev.purser.dataset.RowsDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class UnitBoundTests {
    private static final byte[] SECRET = "a secret that a test may know".getBytes(UTF_8);

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
        Path file = Files.createTempDirectory(folder, "bound").resolve("rows.duckdb");
        Path spill = file.resolveSibling("spill");
        try (Connection connection =
                RowsDatabase.create(file, file.resolveSibling("staged"), spill, 1, new RowsDatabase.Limits(128, 1))) {
            UnitBound bound = new UnitBound(connection, 1, maxRowsPerUnit, SECRET);
            try (UnitBound.Arrivals arrivals = bound.arrivals()) {
                for (Row row : rows) {
                    byte[] name = row.unit().getBytes(UTF_8);
                    arrivals.add(name, 0, name.length, new long[] {row.value()});
                }
            }
            bound.storeRows();
            return values(connection, rows, unit);
        }
    }

    private static Set<Long> values(Connection connection, List<Row> rows, String unit) throws Exception {
        Set<Long> kept = new TreeSet<>();
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT c0 FROM rows")) {
            while (result.next()) {
                long value = result.getLong(1);
                if (rows.contains(new Row(unit, value))) {
                    kept.add(value);
                }
            }
        }
        return kept;
    }
}
