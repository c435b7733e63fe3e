package dev.purser.synopsis;

import dev.purser.dataset.Dataset;
import dev.purser.engine.GroupKey;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.ledger.attachment.Attachment;
import dev.purser.mechanism.NoisySynopsis;
import dev.purser.mechanism.NoisyTables;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.Grid;
import dev.purser.privacy.Rho;
import dev.purser.problem.ProblemException;
import dev.purser.problem.Violation;
import dev.purser.query.Accuracy;
import dev.purser.query.BucketPlan;
import dev.purser.query.Draft;
import dev.purser.query.IdFields;
import dev.purser.query.Question;
import dev.purser.query.QuestionKind;
import dev.purser.query.RefinedQuestions;
import dev.purser.query.ShownDecimals;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The purchase of a synopsis: noisy tables that answer every further question about their columns for nothing. The
 * tables are attached to the answer, which has their digest.
 */
public final class SynopsisQuery {
    /** Names the synopsis that a refinement belongs to. */
    static final Field<String> REFINES = Field.required(
            "refines", IdFields.of("a synopsis"), "The synopsis that is refined.", "01KAB0Y3E0R6W9ZJ8N4H2T5M7Q");

    /** The digest of the request for a refinement. It is kept with the whole question. */
    static final Field<String> SENT =
            Field.optional("sent", FieldType.text(Pattern.compile("[0-9a-f]{64}"), "a digest"), "");

    /** The first purchase. */
    public static final QuestionKind KIND = kind(
            "synopsis",
            "What are all counts of these columns, now and for ever?",
            "Buys noisy tables that answer every further count, sum, mean, quantile or table of these columns for"
                    + " nothing.",
            SynopsisCells.FIELDS);

    /** A further purchase of the same tables, which makes the estimates more precise. */
    public static final QuestionKind REFINEMENT = kind(
            RefinedQuestions.KIND,
            "What are all counts of a synopsis, once more?",
            "Buys the tables of a synopsis again, so that both together answer more precisely.",
            Field.all(SynopsisCells.FIELDS, List.of(REFINES)));

    /** The least nano-epsilons per table. Smaller shares would be less than a unit of the ledger. */
    private static final long LEAST_NANOS_OF_TABLE = 100;

    private SynopsisQuery() {}

    private static QuestionKind kind(String name, String summary, String description, List<Field<?>> fields) {
        return new QuestionKind(
                name,
                summary,
                description,
                fields,
                new QuestionKind.Example("visits", """
                        {"epsilon": "0.5", "columns": [{"column": "age"}], "reuse": true}"""),
                Value.class,
                false,
                fields.contains(REFINES) ? SynopsisQuery::readRefinement : SynopsisQuery::readFirst,
                Optional.empty());
    }

    /** The answer's value. */
    @Schema(
            name = "SynopsisAnswerValue",
            description = "A synopsis that was bought. Its tables are read by themselves.")
    public record Value(
            @Schema(description = "Names it in `/v1/synopses/…`.", example = "01KAB0Y3E0R6W9ZJ8N4H2T5M7Q")
            String synopsisId,

            @Schema(example = "[\"age\"]") List<String> columns,

            @Schema(description = "How many tables can be read.", example = "1")
            long tables,

            @Schema(description = "How many cells these have.", example = "111")
            long cells,

            Measured strategy,

            ErrorOfAll error,

            @Schema(
                    description = "The SHA-256 digest of the noisy numbers, in hexadecimal digits.",
                    example = "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9")
            String digest) {
        /** Which tables a stored answer holds. */
        public static RefinedQuestions.HeldTables tables(JsonNode answer) {
            return new RefinedQuestions.HeldTables(
                    answer.get("synopsisId").asString(),
                    HexFormat.of().parseHex(answer.get("digest").asString()));
        }
    }

    /** The strategy, and the tables that were measured. */
    @Schema(name = "SynopsisStrategy", description = "What was measured, and with how much of the charge.")
    public record Measured(
            @Schema(description = "`range-tree`, `tree-product`, `cells` or `marginals`.", example = "range-tree")
            String name,

            @Schema(
                    description = "For each column, how many cells a node of each level has. A last node can have cells"
                            + " beyond the last one, which hold nothing.",
                    example = "[[1, 16, 112]]")
            List<List<Integer>> levels,

            @Schema(description = "The measured tables.") List<Table> tables) {}

    /** One measured table. */
    @Schema(name = "SynopsisTable", description = "A measured table. Its numbers have noise of one scale.")
    public record Table(
            @Schema(description = "The columns that it divides.", example = "[\"age\"]")
            List<String> columns,

            @Schema(description = "How many cells of each of them a node has.", example = "[16]")
            List<Integer> widths,

            @Schema(description = "How many numbers it has.", example = "7")
            long cells,

            @Schema(
                    description = "Its part of epsilon, with Laplace noise; else null.",
                    types = "string",
                    example = "0.2045")
            @Nullable
            String epsilon,

            @Schema(description = "Its part of rho, with Gaussian noise; else null.", types = "string") @Nullable
            Rho rho,

            @Schema(
                    description = "The scale of Laplace noise, or the standard deviation of Gaussian noise.",
                    example = "4.89")
            BigDecimal scale) {}

    /** The error of the answers that the synopsis was bought for. */
    @Schema(
            name = "SynopsisError",
            description = "Standard errors of the counts, or sums, that it was bought for: of all ranges of one or two"
                    + " columns, else of all cells.")
    public record ErrorOfAll(
            @Schema(description = "The root of the mean of their squares.", example = "7.3")
            BigDecimal rms,

            @Schema(description = "None is larger than this.", example = "13.1")
            BigDecimal worst) {}

    private static Optional<Draft> readFirst(ObjectReader in, Dataset dataset) {
        Optional<SynopsisCells> cells = SynopsisCells.read(in, dataset);
        return in.complete(() -> draft(cells.orElseThrow(), dataset));
    }

    private static Optional<Draft> readRefinement(ObjectReader in, Dataset dataset) {
        Optional<SynopsisCells> cells = SynopsisCells.read(in, dataset);
        Optional<String> refined = in.read(REFINES);
        in.read(SENT);
        return in.complete(() -> draft(REFINEMENT, cells.orElseThrow(), dataset, refined.orElseThrow()));
    }

    /**
     * A first purchase.
     *
     * @param dataset the part of the dataset that is asked about
     */
    static Draft draft(SynopsisCells cells, Dataset dataset) {
        return draft(KIND, cells, dataset, null);
    }

    private static Draft draft(QuestionKind kind, SynopsisCells cells, Dataset dataset, @Nullable String refined) {
        NoisySynopsis.Plan strategies = cells.plan();
        Grid grid = cells.grid();
        return allowance -> {
            requireEnough(allowance.epsilon(), strategies.tables());
            NoisySynopsis mechanism =
                    new NoisySynopsis(allowance, strategies, cells.contents(), dataset.neighborhood());
            Accuracy accuracy = accuracy(mechanism, cells, grid);
            return new Question<>(
                    kind,
                    allowance,
                    mechanism,
                    grid,
                    plan(mechanism, cells),
                    anyNumberOfRows -> accuracy,
                    (answer, first) -> {
                        // At most 6.3 million numbers of 10 bytes, for two columns of 769 and 1,025 cells: it fits.
                        Attachment attachment =
                                new Attachment(refined == null ? first : refined, NoisyTables.written(answer.tables()));
                        return new Question.Presented(value(mechanism, cells, grid, attachment), accuracy, attachment);
                    },
                    null);
        };
    }

    private static void requireEnough(Epsilon epsilon, int tables) {
        Epsilon least = new Epsilon(Math.multiplyExact(tables, LEAST_NANOS_OF_TABLE));
        if (epsilon.compareTo(least) < 0) {
            throw ProblemException.validation(Violation.atPointer(
                    "/epsilon",
                    "epsilon must be at least " + least + " for the " + tables + " tables that are measured, was "
                            + epsilon));
        }
    }

    private static BucketPlan plan(NoisySynopsis mechanism, SynopsisCells cells) {
        BucketPlan plan = new BucketPlan();
        for (List<Integer> divided : mechanism.collected()) {
            List<GroupKey> keys = divided.stream()
                    .map(column -> cells.keys().get(column).ofEngine())
                    .toList();
            plan.table(cells.measure(), cells.rows(divided), keys, false);
        }
        return plan;
    }

    private static Accuracy accuracy(NoisySynopsis mechanism, SynopsisCells cells, Grid grid) {
        BigDecimal alpha = inData(mechanism.bound(cells.beta().doubleValue()), grid);
        String what = cells.measure() == null
                ? "count"
                : "sum of \"" + cells.measure().name() + "\"";
        String of = mechanism.isForRanges() ? "any range of cells" : "any cell of a measured table";
        return Accuracy.ofValue(
                alpha,
                cells.beta(),
                "The exact " + what + " of " + of + " is within " + alpha.toPlainString()
                        + " of its estimate, except with probability at most "
                        + cells.beta().toPlainString() + "; most are much nearer. Every answer of the synopsis has an"
                        + " interval of its own.");
    }

    private static BigDecimal inData(double steps, Grid grid) {
        return ShownDecimals.bound(BigDecimal.valueOf(steps).multiply(grid.resolution()));
    }

    private static Value value(NoisySynopsis mechanism, SynopsisCells cells, Grid grid, Attachment attachment) {
        List<String> names =
                cells.keys().stream().map(key -> key.column().name()).toList();
        return new Value(
                attachment.series(),
                names,
                cells.tables(),
                cells.cells(),
                new Measured(
                        mechanism.strategy(),
                        mechanism.columns().stream()
                                .map(column -> List.copyOf(column.widths()))
                                .toList(),
                        mechanism.tables().stream()
                                .map(table -> new Table(
                                        table.divided().stream().map(names::get).toList(),
                                        table.widths(),
                                        table.nodes(),
                                        table.epsilon(),
                                        table.rho(),
                                        ShownDecimals.plain(table.spread().multiply(grid.resolution()))))
                                .toList()),
                new ErrorOfAll(inData(mechanism.rms(), grid), inData(mechanism.worst(), grid)),
                HexFormat.of().formatHex(attachment.digest()));
    }
}
