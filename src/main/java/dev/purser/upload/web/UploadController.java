package dev.purser.upload.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.purser.access.KeyRegister;
import dev.purser.access.PermittedTo;
import dev.purser.access.Principal;
import dev.purser.access.Role;
import dev.purser.dataset.BlockLabels;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetFor;
import dev.purser.dataset.DatasetFor.Use;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.problem.Refuses;
import dev.purser.problem.Violation;
import dev.purser.upload.CheckReport;
import dev.purser.upload.ClampedColumn;
import dev.purser.upload.DataError;
import dev.purser.upload.SentFile;
import dev.purser.upload.SubstitutedColumn;
import dev.purser.upload.UploadFormat;
import dev.purser.upload.UploadReport;
import dev.purser.upload.Uploads;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@Tag(name = "Datasets")
class UploadController {
    private final Uploads uploads;
    private final KeyRegister register;

    UploadController(Uploads uploads, KeyRegister register) {
        this.register = register;
        this.uploads = uploads;
    }

    @PutMapping(
            path = "/v1/datasets/{id}/data",
            consumes = {UploadForm.CSV, UploadForm.PARQUET},
            produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.CUSTODIAN})
    @Refuses({ProblemType.ALREADY_EXISTS, ProblemType.INVALID_DATA})
    @Operation(
            operationId = "uploadData",
            summary = "Puts a dataset's rows, all or nothing",
            description = """
                    CSV as in RFC 4180: UTF-8, commas, a header line. Or Parquet, which counts as the CSV that it \
                    becomes: flat columns of numbers, truth values, dates, timestamps, text or UUIDs. A timestamp \
                    without a zone is in UTC. Data is put \
                    once. A refused upload leaves nothing and may be sent again. Reading goes on after an error as \
                    far as rows can be told apart, so that `invalid-data` lists errors all over the file, at most 100: \
                    the first of each column and rule before repetitions. With `?check=true` a file is only read: \
                    nothing of it is kept, no `state` changes, and the reply lists the same errors. A check does not \
                    find that the rows are those of another account. A blank last line is no row, and a file without \
                    rows is refused unless `?allowEmpty=true` is sent. The same rows, in any order and \
                    whatever their columns are called, are refused with `already-exists` if they were ever put under \
                    another account. The reply tells the custodian what was read. Others see whether the \
                    dataset is ready, and nothing else of an upload.""",
            requestBody =
                    @RequestBody(
                            required = true,
                            content = {
                                @Content(
                                        mediaType = UploadForm.CSV,
                                        schema = @Schema(type = "string", format = "binary")),
                                @Content(
                                        mediaType = UploadForm.PARQUET,
                                        schema = @Schema(type = "string", format = "binary"))
                            }))
    UploadView put(
            Principal principal,
            @DatasetFor(Use.CHANGING) Dataset dataset,
            @RequestHeader(name = "Content-Digest", required = false) @Nullable String contentDigest,
            @Parameter(
                            description = "`true` only checks: all is read and nothing is kept. If not sent, `false`.",
                            schema = @Schema(type = "boolean"))
                    @RequestParam(required = false)
                    @Nullable
                    String check,
            @Parameter(
                            description = "`true` takes a file without rows, which is refused otherwise. If not sent,"
                                    + " `false`.",
                            schema = @Schema(type = "boolean"))
                    @RequestParam(required = false)
                    @Nullable
                    String allowEmpty,
            HttpServletRequest request)
            throws IOException {
        UploadFormat format = UploadForm.of(request);
        boolean onlyCheck = UploadForm.flag("check", check);
        return read(
                principal,
                dataset,
                onlyCheck,
                new SentFile(
                        OptionalInt.empty(),
                        format,
                        request.getInputStream(),
                        request.getContentLengthLong(),
                        ContentDigest.sha256(contentDigest).orElse(null),
                        UploadForm.flag("allowEmpty", allowEmpty)));
    }

    @PutMapping(
            path = "/v1/datasets/{id}/blocks/{label}/data",
            consumes = {UploadForm.CSV, UploadForm.PARQUET},
            produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.CUSTODIAN})
    @Refuses({ProblemType.ALREADY_EXISTS, ProblemType.INVALID_DATA})
    @Operation(
            operationId = "uploadBlock",
            summary = "Puts the rows of one block of a dataset, all or nothing",
            description = """
                    As `PUT /v1/datasets/{id}/data`, for a dataset with blocks: each block is put once, in any order. \
                    All rows must be of the block, by what is stored of them; a value outside the bounds of the column \
                    of blocks is refused and not clamped. A file without rows is a block that is empty and ready. \
                    `maxRows`, and the most rows of a privacy unit, hold for each block. The rows of a block are \
                    refused with `already-exists` if they were ever put, as a whole, under another account.""",
            requestBody =
                    @RequestBody(
                            required = true,
                            content = {
                                @Content(
                                        mediaType = UploadForm.CSV,
                                        schema = @Schema(type = "string", format = "binary"),
                                        examples =
                                                @ExampleObject(
                                                        name = "visits-daily",
                                                        summary = "A day without visits",
                                                        value = UploadForm.VISITS_OF_A_DAY)),
                                @Content(
                                        mediaType = UploadForm.PARQUET,
                                        schema = @Schema(type = "string", format = "binary"))
                            }))
    UploadView putBlock(
            Principal principal,
            @DatasetFor(Use.CHANGING) Dataset dataset,
            @Parameter(
                            description =
                                    "Of dates the first day (`2026-03-02`) or the month (`2026-03`); of integers the"
                                            + " first.",
                            example = UploadForm.A_DAY)
                    @PathVariable
                    String label,
            @RequestHeader(name = "Content-Digest", required = false) @Nullable String contentDigest,
            @Parameter(
                            description = "`true` only checks: all is read and nothing is kept. If not sent, `false`.",
                            schema = @Schema(type = "boolean"))
                    @RequestParam(required = false)
                    @Nullable
                    String check,
            HttpServletRequest request)
            throws IOException {
        OptionalInt block = dataset.blocks()
                .map(blocks -> OptionalInt.of(BlockLabels.block(blocks, "label", label)))
                .orElseThrow(() -> ProblemException.validation(Violation.ofParameter(
                        "id",
                        "the dataset has no blocks: put all its rows to /v1/datasets/" + dataset.id() + "/data")));
        SentFile sent = new SentFile(
                block,
                UploadForm.of(request),
                request.getInputStream(),
                request.getContentLengthLong(),
                ContentDigest.sha256(contentDigest).orElse(null),
                true);
        return read(principal, dataset, UploadForm.flag("check", check), sent).ofBlock(label);
    }

    private UploadView read(Principal principal, Dataset dataset, boolean onlyCheck, SentFile sent) throws IOException {
        Runnable stillPermitted = () -> register.stillOpen(principal);
        return onlyCheck
                ? UploadView.of(uploads.check(dataset, sent, stillPermitted))
                : UploadView.of(uploads.take(dataset, sent, stillPermitted));
    }

    @Schema(
            name = "UploadReport",
            description = "What became of an upload: `state`, `rowsRead`, `rowsStored`, `valuesClamped`, `clamped`,"
                    + " `substituted` and `digest`. Or, of a check, what would: `wouldLoad`, `rowsRead`, `clamped`,"
                    + " `substituted`, `errors` and `moreErrors`.")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record UploadView(
            @Schema(description = "With blocks, the label of the one that was put.", example = UploadForm.A_DAY)
            @Nullable
            String block,

            @Schema(allowableValues = "ready") @Nullable String state,

            @Schema(description = "Whether an upload of the file would break no rule of the data.") @Nullable
            Boolean wouldLoad,

            @Schema(description = "Rows in the file, without the header.")
            long rowsRead,

            @Schema(description = "Rows kept: fewer than read where a privacy unit had more rows than permitted.")
            @Nullable
            Long rowsStored,

            @Schema(description = "Values that lay outside their column's bounds and became a bound.") @Nullable
            Long valuesClamped,

            @Schema(
                    description = "The columns with such values, in the order of the registration. Of a check, in rows"
                            + " that have as many fields as the header.")
            List<ClampedColumn> clamped,

            @Schema(
                    description = "The columns with values that are stored as the column's substitute, counted as"
                            + " `clamped`.")
            List<SubstitutedColumn> substituted,

            @Schema(
                    description = "SHA-256 of the bytes received, as in RFC 9530.",
                    example = "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:")
            @Nullable
            String digest,

            @Schema(
                    description = "The rules that the data breaks, at most 100: the first of each column and rule, then"
                            + " repetitions.")
            @Nullable
            List<DataError> errors,

            @Schema(description = "How many errors are not listed.") @Nullable
            Long moreErrors) {
        UploadView ofBlock(String label) {
            return new UploadView(
                    label,
                    state,
                    wouldLoad,
                    rowsRead,
                    rowsStored,
                    valuesClamped,
                    clamped,
                    substituted,
                    digest,
                    errors,
                    moreErrors);
        }

        static UploadView of(UploadReport report) {
            return new UploadView(
                    null,
                    "ready",
                    null,
                    report.rowsRead(),
                    report.rowsStored(),
                    report.valuesClamped(),
                    report.clamped(),
                    report.substituted(),
                    report.digest(),
                    null,
                    null);
        }

        static UploadView of(CheckReport report) {
            return new UploadView(
                    null,
                    null,
                    report.errors().isEmpty(),
                    report.rowsRead(),
                    null,
                    null,
                    report.clamped(),
                    report.substituted(),
                    null,
                    report.errors(),
                    report.moreErrors());
        }
    }
}
