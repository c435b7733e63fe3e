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

    /** The fields that reports of several protocols can have. {@code ProtocolNames} adds those of one protocol. */
    @Schema(name = "Report", description = "The fields depend on the protocol.", requiredProperties = "reportId")
    record Report(
            @Schema(description = "1 to 128 characters. A report counts once.", example = "b7e2d1")
            String reportId,

            @Schema(description = "-1 or 1. Of {sign}.", example = "-1") @Nullable
            Integer sign,

            @Schema(description = "Of {point}: 0 to 65535.") @Nullable
            Integer point,

            @Schema(description = "Of {coordinate} with several dimensions: from 0.") @Nullable
            Integer coordinate,

            @Schema(description = "Of {coordinates} with several dimensions, ascending.", example = "[]") @Nullable
            List<CoordinateReport> coordinates,

            @Schema(description = "Of {noisy}: grid steps above the lower end.") @Nullable
            Long noisy,

            @Schema(description = "Of protocols with levels: from 1.") @Nullable
            Integer level) {}

    /** One of several coordinates. */
    @Schema(name = "CoordinateReport", requiredProperties = "coordinate")
    record CoordinateReport(
            @Schema(description = "From 0.", example = "3") int coordinate,

            @Schema(description = "-1 or 1.") @Nullable Integer sign,

            @Schema(description = "0 to 65535.") @Nullable Integer point) {}
}
