package dev.purser.dataset.web;

import io.swagger.v3.oas.annotations.media.Schema;

/** The body that sets a limit, as the API describes it; {@code LimitReader} reads it. */
@Schema(name = "Limit")
record LimitRequest(
        @Schema(
                description = "0.000001 to 1000000, at most 9 fraction digits; under zcdp converted to rho.",
                requiredMode = Schema.RequiredMode.REQUIRED,
                example = "3")
        String epsilon,

        @Schema(
                description = "0 under pure; above 0 and at most 0.01 under zcdp; 0 to 0.01 under approximate. By"
                        + " default 0.",
                requiredMode = Schema.RequiredMode.NOT_REQUIRED,
                example = "0")
        String delta) {
    static final String HIGHER = """
            {"epsilon": "6", "delta": "0"}""";

    static final String PART = """
            {"epsilon": "1"}""";
}
