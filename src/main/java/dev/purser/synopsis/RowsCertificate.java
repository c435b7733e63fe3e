package dev.purser.synopsis;

import dev.purser.mechanism.CellWeights.Run;
import dev.purser.query.ShownDecimals;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How far invented rows are from the rows, in every bought table. The argument is in {@code Rows.md}.
 *
 * @param beta the probability with which a cell of any table may be further off than is stated
 */
@Schema(description = "How far the invented rows are from the rows, in every bought table.")
public record RowsCertificate(
        @Schema(example = "0.05") BigDecimal beta,

        @Schema(description = "All tables that were bought.")
        List<OfTable> tables,

        @Schema(description = "What no bought table holds together, in words.")
        String notModelled) {
    private static final BigDecimal BETA = new BigDecimal("0.05");

    /** The errors of a table. */
    @Schema(name = "InventedTable", description = "How far a table of the invented rows is from that of the rows.")
    public record OfTable(
            @Schema(example = "[\"age\"]") List<String> columns,

            @Schema(
                    description = "No cell is further off: the invented rows in it, scaled to the estimated number of"
                            + " rows, from the exact number.",
                    example = "41.5")
            BigDecimal largestError,

            @Schema(description = "The mean of that bound over the cells.", example = "12.25")
            BigDecimal meanError) {}

    /** The certificate in one line. */
    public String summary() {
        BigDecimal largest = tables.stream()
                .map(OfTable::largestError)
                .max(BigDecimal::compareTo)
                .orElseThrow();
        return "beta=" + beta + ", tables=" + tables.size() + ", largestError=" + largest.toPlainString();
    }

    static RowsCertificate of(InventedRows rows, Estimates estimates) {
        Synopsis synopsis = estimates.synopsis();
        double scale = rows.count() == 0 ? 0 : Math.max(0, estimates.rows()) / rows.count();
        // All cells of all tables are within their bounds together.
        double betaOfEach = BETA.doubleValue() / synopsis.cellsOfTables();
        int together = synopsis.columnsTogether();
        return new RowsCertificate(
                BETA,
                tables(synopsis.columns().size(), together).stream()
                        .map(table -> ofTable(table, rows, estimates, scale, betaOfEach))
                        .toList(),
                "No bought table holds " + (together + 1) + " columns together. What the rows show of so many at once"
                        + " follows from tables of two columns, and nothing is stated about it.");
    }

    private static OfTable ofTable(
            List<Integer> table, InventedRows rows, Estimates estimates, double scale, double beta) {
        SortedMap<Integer, List<Run>> first = new TreeMap<>();
        table.forEach(column -> first.put(column, List.of(new Run(0, 1))));
        // Cells are divided regularly, so all cells of a table have the same bound.
        double bound = estimates.of(Selection.of(first), beta).bound();
        double[] estimated = estimates.cells(table);
        int[] invented = rows.counted(table);
        double largest = 0;
        double sum = 0;
        for (int cell = 0; cell < invented.length; cell++) {
            double distance = Math.abs(scale * invented[cell] - estimated[cell]);
            largest = Math.max(largest, distance);
            sum += distance;
        }
        return new OfTable(
                table.stream().map(estimates.synopsis().names()::get).toList(),
                ShownDecimals.bound(new BigDecimal(largest + bound)),
                ShownDecimals.bound(new BigDecimal(sum / invented.length + bound)));
    }

    /** All sets of at most {@code together} of the columns, small sets first. */
    static List<List<Integer>> tables(int columns, int together) {
        List<List<Integer>> tables = new ArrayList<>();
        List<List<Integer>> last = List.of(List.of());
        for (int size = 1; size <= Math.min(together, columns); size++) {
            List<List<Integer>> larger = new ArrayList<>();
            for (List<Integer> smaller : last) {
                for (int next = smaller.isEmpty() ? 0 : smaller.getLast() + 1; next < columns; next++) {
                    List<Integer> table = new ArrayList<>(smaller);
                    table.add(next);
                    larger.add(List.copyOf(table));
                }
            }
            tables.addAll(larger);
            last = larger;
        }
        return tables;
    }
}
