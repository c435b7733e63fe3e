package dev.purser.collection.web;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Describes a batch of reports; {@code Reports} reads it. */
@Schema(name = "ReportBatch", requiredProperties = "reports")
record ReportsRequest(@Schema(description = "1 to 100,000.") List<Report> reports) {
    static final String MINUTES = """
            {"reports": [{"reportId": "b7e2d1", "sign": -1}, {"reportId": "c40a9f", "sign": 1}]}""";

    static final String BY = """
            {"reports": [{"reportId": "b7e2d1", "category": "bus"}, {"reportId": "c40a9f", "category": "foot"}]}""";

    static final String LINES = """
            {"reportId": "d91c35", "sign": 1}
            {"reportId": "e6f208", "sign": -1}
            """;

    /** All fields that a report can have. Which of them it has, the protocol decides. */
    @Schema(name = "Report", description = "The fields depend on the protocol.", requiredProperties = "reportId")
    record Report(
            @Schema(description = "1 to 128 characters. A report counts once.", example = "b7e2d1")
            String reportId,

            @Schema(description = "-1 or 1. Of `harmony`, `hybrid`, `hiera`, `lhp`, `hadamard`.", example = "-1")
            @Nullable
            Integer sign,

            @Schema(description = "Of `piecewise` and `hybrid`: 0 to 65535.") @Nullable
            Integer point,

            @Schema(description = "Of `harmony` with several dimensions: from 0.") @Nullable
            Integer coordinate,

            @Schema(description = "Of `piecewise` and `hybrid` with several dimensions, ascending.", example = "[]")
            @Nullable
            List<CoordinateReport> coordinates,

            @Schema(description = "Of `laplace` and `multilevel-laplace`: grid steps above the lower end.") @Nullable
            Long noisy,

            @Schema(description = "Of protocols with levels: from 1.") @Nullable
            Integer level,

            @Schema(description = "Of `grr`.") @Nullable String category,

            @Schema(description = "Of `oue`: hexadecimal digits; the first bit is that of the first category.")
            @Nullable
            String bits,

            @Schema(description = "Of `olh`: the hash function's.") @Nullable
            Integer multiplier,

            @Schema(description = "Of `olh`: the hash function's.") @Nullable
            Integer shift,

            @Schema(description = "Of `olh`: the hashed category.") @Nullable
            Integer value,

            @Schema(description = "Of `hadamard`: from 0.") @Nullable
            Integer row) {}

    /** One of several coordinates. */
    @Schema(name = "CoordinateReport", requiredProperties = "coordinate")
    record CoordinateReport(
            @Schema(description = "From 0.", example = "3") int coordinate,

            @Schema(description = "-1 or 1.") @Nullable Integer sign,

            @Schema(description = "0 to 65535.") @Nullable Integer point) {}
}
