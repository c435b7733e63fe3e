package dev.purser.synopsis;

import dev.purser.dataset.Column;
import dev.purser.mechanism.OnDemand;
import dev.purser.query.AggregateKey;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/** Invented rows with their certificate. The values of a row are made when it is read. */
@Schema(name = "InventedRows", description = "Invented rows that follow the tables of a synopsis.")
public record RowsView(
        @Schema(example = "01KAB0Y3E0R6W9ZJ8N4H2T5M7Q") String synopsisId,
        @Schema(example = "[\"age\", \"sex\"]") List<String> columns,

        @Schema(description = "What made these rows: the same seed makes them again.", example = "0")
        long seed,

        RowsCertificate certificate,

        @Schema(
                description = "Values in the order of the columns: numbers, or text in the notation of the column.",
                example = "[[38, \"Female\"]]")
        List<List<Object>> rows) {
    /** The bits of the number of a row. */
    private static final int ROW_BITS = 20;

    static RowsView of(InventedRows rows, RowsRequest request, RowsCertificate certificate) {
        List<AggregateKey> keys = request.synopsis().cells().keys();
        return new RowsView(
                request.synopsis().id(),
                request.synopsis().names(),
                request.seed(),
                certificate,
                new OnDemand<>(
                        rows.count(),
                        row -> IntStream.range(0, keys.size())
                                .mapToObj(column -> value(
                                        keys.get(column),
                                        rows.cell(column, row),
                                        new PublicSequence(request.seed() ^ ((long) (column + 1) << ROW_BITS) ^ row)))
                                .toList()));
    }

    /** A category, or a number of the cell, each with the same probability. */
    private static Object value(AggregateKey key, int cell, PublicSequence sequence) {
        return switch (key.column()) {
            case Column.Category _ -> Objects.requireNonNull(key.value(cell).category());
            case Column.Numeric numeric -> {
                long least = Estimates.leastStep(key, cell);
                long values = Estimates.greatestStep(key, cell) - least + 1;
                yield numeric.notation().shown(least + sequence.below(values)).json();
            }
        };
    }
}
