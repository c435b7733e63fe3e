package dev.purser.synopsis;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Rows of small tables that are written out by hand. */
class InventedRowsTests {
    private static final int[] SIZES = {2, 3, 2};

    /** Column 1 follows column 0, and column 2 follows column 1; some cells are below zero. */
    private static final Map<List<Integer>, double[]> TABLES = Map.of(
            List.of(0), new double[] {60, 40},
            List.of(1), new double[] {50, 30, 20},
            List.of(2), new double[] {40, 60},
            List.of(0, 1), new double[] {48, 12, -3, 2, 18, 20},
            List.of(1, 2), new double[] {40, 10, -1, 31, 0, 20},
            List.of(0, 2), new double[] {30, 30, 10, 30});

    private static InventedRows.Tables of(Map<List<Integer>, double[]> tables) {
        return columns -> Objects.requireNonNull(tables.get(columns));
    }

    private static InventedRows rows(int count, long seed) {
        return new InventedRows(SIZES, of(TABLES), count, seed);
    }

    @Test
    void columnsAreJoinedToTheTreeOfTheLargestMutualInformation() {
        assertThat(InventedRows.tree(SIZES, of(TABLES)))
                .containsExactly(new InventedRows.Edge(0, 1), new InventedRows.Edge(1, 2));
    }

    @Test
    void tablesOfTheTreeAreKeptToARow() {
        InventedRows rows = rows(100, 1);
        assertThat(rows.counted(List.of(0))).containsExactly(60, 40);
        assertThat(rows.counted(List.of(0, 1))).containsExactly(48, 12, 0, 2, 18, 20);
        int[] pair = rows.counted(List.of(1, 2));
        assertThat(pair).hasSize(6);
        assertThat(pair[2]).as("a cell below zero").isZero();
        assertThat(pair[0]).isBetween(39, 41);
    }

    /** Columns that depend on one another through a third column are independent where the third is fixed. */
    @Test
    void childrenAreInARandomOrderWithinTheirParent() {
        Map<List<Integer>, double[]> fork = Map.of(
                List.of(0), new double[] {1, 1},
                List.of(1), new double[] {1, 1},
                List.of(2), new double[] {1, 1},
                List.of(0, 1), new double[] {0.4, 0.1, 0.1, 0.4},
                List.of(0, 2), new double[] {0.4, 0.1, 0.1, 0.4},
                List.of(1, 2), new double[] {0.3, 0.2, 0.2, 0.3});
        InventedRows rows = new InventedRows(new int[] {2, 2, 2}, of(fork), 10_000, 3);
        int[] all = rows.counted(List.of(0, 1, 2));
        // Given the parent, .8 · .8 of 5,000 rows; the standard deviation of a shuffle is 11.
        assertThat(all[0]).isBetween(3_100, 3_300);
        assertThat(all[7]).isBetween(3_100, 3_300);
    }

    @Test
    void aSeedMakesTheSameRowsAgain() {
        assertThat(shown(rows(50, 7))).isEqualTo(shown(rows(50, 7))).isNotEqualTo(shown(rows(50, 8)));
    }

    private static List<String> shown(InventedRows rows) {
        return IntStream.range(0, rows.count())
                .mapToObj(row -> "" + rows.cell(0, row) + rows.cell(1, row) + rows.cell(2, row))
                .toList();
    }

    @Test
    void manySmallGroupsDoNotAllGetTheMostFrequentCell() {
        double[] owed = new double[2];
        int[] given = new int[2];
        for (int i = 0; i < 100; i++) {
            int[] one = InventedRows.apportioned(1, new double[] {7, 3}, owed);
            assertThat(Arrays.stream(one).sum()).isEqualTo(1);
            given[0] += one[0];
            given[1] += one[1];
        }
        assertThat(given).containsExactly(70, 30);
    }

    @Test
    void withoutAnythingAboveZeroAllCellsAreAlike() {
        InventedRows rows = new InventedRows(new int[] {4}, columns -> new double[] {-1, -2, 0, -4}, 8, 0);
        assertThat(rows.counted(List.of(0))).containsExactly(2, 2, 2, 2);
        InventedRows unknown = new InventedRows(
                new int[] {2, 2},
                columns -> columns.size() == 1 ? new double[] {3, 1} : new double[] {4, 0, -1, -1},
                8,
                0);
        assertThat(unknown.counted(List.of(0, 1))).as("the marginal stands in").containsExactly(6, 0, 2, 0);
    }

    @Test
    void codesKeepEveryCell() {
        for (int cells : new int[] {2, 256, 257, 65_536, 65_537, 1_000_000}) {
            Codes codes = new Codes(cells, 3);
            codes.set(1, cells - 1);
            assertThat(codes.get(0)).isZero();
            assertThat(codes.get(1)).isEqualTo(cells - 1);
        }
    }

    @Test
    void tablesOfTheCertificateAreAllThatWereBought() {
        assertThat(RowsCertificate.tables(3, 2))
                .containsExactly(List.of(0), List.of(1), List.of(2), List.of(0, 1), List.of(0, 2), List.of(1, 2));
        assertThat(RowsCertificate.tables(40, 3)).hasSize(40 + 780 + 9_880);
    }
}
