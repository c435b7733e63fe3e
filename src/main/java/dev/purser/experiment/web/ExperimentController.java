package dev.purser.experiment.web;

import dev.purser.access.KeyRegister;
import dev.purser.access.PermittedTo;
import dev.purser.access.Principal;
import dev.purser.access.Role;
import dev.purser.experiment.Experiment;
import dev.purser.experiment.Job;
import dev.purser.experiment.JobView;
import dev.purser.experiment.Jobs;
import dev.purser.experiment.MeanExperiment;
import dev.purser.experiment.RegressionExperiment;
import dev.purser.http.Body;
import dev.purser.http.BodyForm;
import dev.purser.http.CsvTable;
import dev.purser.http.EventStream;
import dev.purser.http.LongReply;
import dev.purser.http.PostJson;
import dev.purser.http.ServiceStop;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.headers.Header;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.atomic.AtomicReference;
import org.springframework.context.annotation.Bean;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/** Experiments and their jobs over HTTP. A job is its owner's: to anybody else but administrators it does not exist. */
@RestController
@Tag(
        name = "Experiments",
        description = "Comparisons of local randomizers on generated data, or on rows that the request brings. They"
                + " reach no dataset and spend nothing.")
class ExperimentController {
    private static final String JOB = "/v1/jobs/{jobId}";
    private static final String MEMORY = "One experiment runs at a time; others wait. A job is kept in memory, for an"
            + " hour after its end at most; after a restart of the service it is not found.";

    private final Jobs jobs;
    private final KeyRegister register;
    private final ServiceStop stop;
    private final JsonMapper json;

    ExperimentController(Jobs jobs, KeyRegister register, ServiceStop stop, JsonMapper json) {
        this.stop = stop;
        this.jobs = jobs;
        this.register = register;
        this.json = json;
    }

    @Bean
    static BodyForm<MeanExperiment> meanExperimentBody() {
        return BodyForm.of(MeanExperiment.class, MeanExperiment::read)
                .described(
                        MeanExperiment.FORM,
                        new BodyForm.Example("normal", "Two protocols on generated values", MeanExperiment.NORMAL));
    }

    @Bean
    static BodyForm<RegressionExperiment> regressionExperimentBody() {
        return BodyForm.of(RegressionExperiment.class, RegressionExperiment::read)
                .described(
                        RegressionExperiment.FORM,
                        new BodyForm.Example(
                                "linear", "A linear model on generated records", RegressionExperiment.LINEAR));
    }

    @PostJson("/v1/experiments/mean")
    @PermittedTo({Role.ANALYST})
    @Operation(
            operationId = "runMeanExperiment",
            summary = "Compares how well local randomizers estimate a mean",
            description = MEMORY)
    @ApiResponse(
            responseCode = "202",
            description = "The experiment waits or runs.",
            headers =
                    @Header(
                            name = "Location",
                            description = "The address of the job.",
                            schema = @Schema(types = "string")))
    ResponseEntity<JobAccepted> mean(Principal principal, @Body MeanExperiment experiment) {
        return submitted(principal, experiment);
    }

    @PostJson("/v1/experiments/regression")
    @PermittedTo({Role.ANALYST})
    @Operation(
            operationId = "runRegressionExperiment",
            summary = "Compares how well models are trained on local reports of gradients",
            description = MEMORY)
    @ApiResponse(
            responseCode = "202",
            description = "The experiment waits or runs.",
            headers =
                    @Header(
                            name = "Location",
                            description = "The address of the job.",
                            schema = @Schema(types = "string")))
    ResponseEntity<JobAccepted> regression(Principal principal, @Body RegressionExperiment experiment) {
        return submitted(principal, experiment);
    }

    private ResponseEntity<JobAccepted> submitted(Principal principal, Experiment experiment) {
        Job job = jobs.submit(principal.name(), experiment);
        return ResponseEntity.accepted()
                .location(URI.create("/v1/jobs/" + job.id()))
                .body(new JobAccepted(job.id()));
    }

    @GetMapping(
            path = JOB,
            produces = {MediaType.APPLICATION_JSON_VALUE, CsvTable.TYPE})
    @LongReply
    @PermittedTo({Role.ANALYST})
    @Operation(
            operationId = "getJob",
            summary = "Shows a job, and its result once it is done",
            description = MEMORY + " As CSV it is the rows of the result; before the end, the header row alone.")
    JobView get(@PathVariable String jobId, Principal principal) {
        return visible(principal, jobId).view();
    }

    @DeleteMapping(JOB)
    @PermittedTo({Role.ANALYST})
    @Operation(
            operationId = "cancelJob",
            summary = "Cancels a job",
            description = "A job that waits is cancelled at once, one that runs within moments. A job that has ended"
                    + " stays as it is.")
    @ApiResponse(responseCode = "204", description = "Cancelled, or ended before")
    ResponseEntity<Void> cancel(@PathVariable String jobId, Principal principal) {
        visible(principal, jobId).cancel();
        return ResponseEntity.noContent().build();
    }

    @GetMapping(path = JOB + "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    @PermittedTo({Role.ANALYST})
    @Operation(
            operationId = "watchJob",
            summary = "Streams the progress of a job as server-sent events",
            description = "An event `progress` whenever state or progress have changed, looked at once a second, and at"
                    + " the end an event `ended`. The data of each is the job without its result. A stream is ended"
                    + " after ten minutes.")
    @ApiResponse(responseCode = "200", content = @Content(mediaType = MediaType.TEXT_EVENT_STREAM_VALUE))
    void events(@PathVariable String jobId, HttpServletResponse response, Principal principal) throws IOException {
        Job job = visible(principal, jobId);
        AtomicReference<String> last = new AtomicReference<>("");
        EventStream.send(response, stop, () -> register.requireStillOpen(principal), events -> {
            boolean hasEnded = job.hasEnded();
            String now = json.writeValueAsString(job.view().withoutResult());
            if (hasEnded) {
                events.event("ended", now);
            } else if (!now.equals(last.getAndSet(now))) {
                events.event("progress", now);
            }
            return hasEnded ? EventStream.Left.NONE : EventStream.Left.NONE_YET;
        });
    }

    private Job visible(Principal principal, String id) {
        return jobs.named(id)
                .filter(job -> principal.isAdministrator() || job.owner().equals(principal.name()))
                .orElseThrow(() -> ProblemException.of(ProblemType.NOT_FOUND, "there is no such job"));
    }

    /** The reply to an experiment that was taken. */
    @Schema(name = "JobAccepted", description = "An experiment was taken.")
    record JobAccepted(
            @Schema(description = "For `getJob`.", example = "0c1e5f7a90b34d2280e7c4a1d95b63")
            String jobId) {}
}
