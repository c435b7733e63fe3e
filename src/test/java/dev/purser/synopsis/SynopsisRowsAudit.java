package dev.purser.synopsis;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.engine.BucketRequest;
import dev.purser.engine.Filter;
import dev.purser.json.JsonDocument;
import dev.purser.query.QuestionRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The rows that the tables of a synopsis hold, of the hundred rows of two columns with ten values each. */
public final class SynopsisRowsAudit {
    private static final Dataset DATASET =
            DatasetsForTests.rows("square", DatasetsForTests.integer("a", 0, 9), DatasetsForTests.integer("b", 0, 9));

    private SynopsisRowsAudit() {}

    /** How many rows each measured table holds. Tables of the same rows hold the same number of rows. */
    static long[] rowsOfTables(String body) {
        QuestionRequest asked = JsonDocument.parse(body.getBytes(StandardCharsets.UTF_8))
                .read(in -> SynopsisQuery.KIND.readAsked(in, DATASET));
        return asked.question().requests().stream()
                .mapToLong(table -> rows().filter(row -> isIn(table, row)).count())
                .toArray();
    }

    private static Stream<long[]> rows() {
        return IntStream.range(0, 100).mapToObj(row -> new long[] {row / 10, row % 10});
    }

    private static boolean isIn(BucketRequest table, long[] row) {
        return table.filter().conditions().stream()
                        .map(Filter.Between.class::cast)
                        .allMatch(between -> isWithin(
                                between.from(),
                                between.to(),
                                row,
                                between.column().name()))
                && table.keys().stream()
                        .allMatch(key -> isWithin(
                                key.edges()[0],
                                key.edges()[key.groups()],
                                row,
                                key.column().name()));
    }

    private static boolean isWithin(long from, long to, long[] row, String column) {
        long value = row[List.of("a", "b").indexOf(column)];
        return value >= from && value < to;
    }
}
