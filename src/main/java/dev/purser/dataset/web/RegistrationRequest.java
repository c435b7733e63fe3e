package dev.purser.dataset.web;

import dev.purser.dataset.ColumnValue;
import dev.purser.dataset.web.DatasetView.PrivacyUnitView;
import dev.purser.dataset.web.DatasetView.SourceView;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.util.List;

/** The body of a registration as the API describes it; {@code RegistrationReader} reads it. */
@Schema(
        name = "DatasetRegistration",
        requiredProperties = {"id", "columns", "privacyUnit", "neighboringRelation", "maxRows", "budget"})
record RegistrationRequest(
        @Schema(pattern = "[a-z][a-z0-9-]{0,62}", example = "adult")
        String id,

        @Schema(description = "At most 200 characters.", example = "Census income, 1994")
        String title,

        List<ColumnRequest> columns,
        PrivacyUnitView privacyUnit,

        @Schema(
                description =
                        "Which datasets count as neighbours: one unit more or less (its number stays private), or one"
                                + " unit replaced (its number is public).",
                allowableValues = {"add-or-remove-one", "replace-one"})
        String neighboringRelation,

        @Schema(description = "The most rows the dataset may hold; public.", example = "1000000")
        long maxRows,

        BudgetRequest budget,

        @Schema(
                description = "How losses add up: `pure` (epsilons), `approximate` (epsilons and deltas), `zcdp` (rhos:"
                        + " epsilon e is charged e·tanh(e/2), up to the rho that the budget's epsilon and delta"
                        + " allow). By default pure.",
                allowableValues = {"pure", "approximate", "zcdp"})
        String accountant,

        SourceView source,

        @Schema(
                description =
                        "The rows are public or synthetic; every answer's guarantee says so. Such rows may be uploaded"
                                + " again under another account. By default false.")
        boolean declaredPublic,

        @Schema(
                description =
                        "A dataset of yours, deleted or not, that holds the same rows: both debit one account. Repeat"
                                + " its budget, accountant, neighboringRelation and privacyUnit here.",
                example = "adult-2")
        String sharesAccountWith) {
    /** The dataset of the README. */
    static final String VISITS = """
            {
              "id": "visits",
              "title": "Visits to a clinic (invented)",
              "columns": [
                {"name": "age", "type": "integer", "lower": 0, "upper": 110},
                {"name": "minutes", "type": "decimal", "lower": 0, "upper": 120, "resolution": 0.5},
                {"name": "ward", "type": "category", "categories": ["emergency", "maternity", "outpatient", "surgery"]}
              ],
              "privacyUnit": {"type": "row"},
              "neighboringRelation": "add-or-remove-one",
              "maxRows": 10000,
              "budget": {"epsilon": "5", "delta": "0"},
              "accountant": "pure",
              "source": {"type": "upload"}
            }""";

    /** For kinds of questions that need a public number of rows. */
    static final String VISITS_PUBLIC = """
            {
              "id": "visits-public",
              "title": "Visits to a clinic (invented), their number public",
              "columns": [{"name": "age", "type": "integer", "lower": 0, "upper": 110}],
              "privacyUnit": {"type": "row"},
              "neighboringRelation": "replace-one",
              "maxRows": 10000,
              "budget": {"epsilon": "5"},
              "declaredPublic": true
            }""";

    @Schema(
            name = "BudgetRegistration",
            description = "The most that all answers together may spend, for ever.",
            requiredProperties = "epsilon")
    record BudgetRequest(
            @Schema(description = "0.000001 to 1 000 000, at most 9 fraction digits.", example = "3")
            Epsilon epsilon,

            @Schema(
                    description = "0 under the accountant `pure`, above 0 under `zcdp`, at most 0.01. By default 0.",
                    example = "0")
            Delta delta) {}

    @Schema(
            name = "ColumnRegistration",
            description = "Bounds are public, chosen by the custodian and never derived from the data; values outside"
                    + " are clamped. Every bound is a multiple of the resolution.",
            requiredProperties = {"name", "type"})
    record ColumnRequest(
            @Schema(description = "The data's own header, 1 to 128 characters.", example = "age")
            String name,

            @Schema(allowableValues = {"integer", "decimal", "boolean", "date", "timestamp", "category"})
            String type,

            @Schema(
                    description = "The lower bound: of numbers a number, of dates \"1990-01-01\", of timestamps"
                            + " \"2020-01-01T00:00:00Z\" or with an offset.",
                    example = "0")
            ColumnValue lower,

            @Schema(description = "The upper bound, written as the lower one.", example = "125")
            ColumnValue upper,

            @Schema(
                    description =
                            "The grid of numbers, or of timestamps in seconds counted from 1970-01-01T00:00:00Z; 1 by"
                                    + " default, required for decimals. Dates have a grid of one day.",
                    example = "1")
            BigDecimal resolution,

            @Schema(description = "Categories: all of them.", example = "[\"Female\", \"Male\"]")
            List<String> categories,

            @Schema(
                    description =
                            "\"reject\", the default (an upload with a missing, unreadable or unlisted value fails), or"
                                    + " the value that stands for it, written as a bound; true or false with type"
                                    + " boolean.",
                    implementation = MissingValue.class,
                    example = "reject")
            Object missing) {}
}
