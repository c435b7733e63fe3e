package dev.purser.upload.web;

import dev.purser.access.KeyRegister;
import dev.purser.access.PermittedTo;
import dev.purser.access.Principal;
import dev.purser.access.Role;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.VisibleDatasets;
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
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

@RestController
@Tag(name = "Datasets")
class UploadController {
    private final VisibleDatasets datasets;
    private final Uploads uploads;
    private final KeyRegister register;

    UploadController(VisibleDatasets datasets, Uploads uploads, KeyRegister register) {
        this.register = register;
        this.datasets = datasets;
        this.uploads = uploads;
    }

    @PutMapping(
            path = "/v1/datasets/{id}/data",
            consumes = {UploadForm.CSV, UploadForm.PARQUET},
            produces = MediaType.APPLICATION_JSON_VALUE)
    @PermittedTo({Role.CUSTODIAN})
    @Operation(
            operationId = "uploadData",
            summary = "Puts a dataset's rows, all or nothing",
            description = """
                    CSV as in RFC 4180: UTF-8, commas, a header line. Or Parquet, which counts as the CSV that it \
                    becomes: flat columns of numbers, truth values, dates, timestamps, text or UUIDs. A timestamp \
                    without a zone is in UTC. Data is put \
                    once. A refused upload leaves nothing and may be sent again. The same rows, in any order and \
                    whatever their columns are called, are refused with `already-exists` if they were ever put under \
                    another account. The reply tells the custodian what was read. Others see whether the \
                    dataset is ready, and nothing else of an upload.""",
            requestBody =
                    @RequestBody(
                            required = true,
                            content = {
                                @Content(
                                        mediaType = UploadForm.CSV,
                                        schema = @Schema(type = "string", format = "binary"),
                                        examples = {
                                            @ExampleObject(
                                                    name = "visits",
                                                    summary = "The first rows of the README's file",
                                                    value = UploadForm.VISITS),
                                            @ExampleObject(
                                                    name = "visits-public",
                                                    summary = "The same rows",
                                                    value = UploadForm.VISITS)
                                        }),
                                @Content(
                                        mediaType = UploadForm.PARQUET,
                                        schema = @Schema(type = "string", format = "binary"))
                            }))
    UploadView put(
            @PathVariable String id,
            @RequestHeader(name = "Content-Digest", required = false) @Nullable String contentDigest,
            HttpServletRequest request,
            @AuthenticationPrincipal @Parameter(hidden = true) Principal principal)
            throws IOException {
        UploadFormat format = UploadForm.of(request);
        Dataset dataset = datasets.requireOwn(principal, id);
        byte[] expected = ContentDigest.sha256(contentDigest).orElse(null);
        return UploadView.of(uploads.take(
                dataset,
                format,
                request.getInputStream(),
                request.getContentLengthLong(),
                expected,
                () -> register.requireStillOpen(principal)));
    }

    @Schema(name = "UploadReport")
    record UploadView(
            @Schema(allowableValues = "ready") String state,

            @Schema(description = "Rows in the upload, without the header.")
            long rowsRead,

            @Schema(description = "Rows kept: fewer than read where a privacy unit had more rows than permitted.")
            long rowsStored,

            @Schema(description = "Values that lay outside their column's bounds.")
            long valuesClamped,

            @Schema(
                    description = "SHA-256 of the bytes received, as in RFC 9530.",
                    example = "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:")
            String digest) {
        static UploadView of(UploadReport report) {
            return new UploadView(
                    "ready", report.rowsRead(), report.rowsStored(), report.valuesClamped(), report.digest());
        }
    }
}
