package dev.purser.experiment.web;

import dev.purser.experiment.ErrorRow;
import dev.purser.experiment.ExperimentResult;
import dev.purser.experiment.JobView;
import dev.purser.http.CsvSender;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Sends the rows of a job as CSV. Of a job that is not done it sends the header row alone. */
@Component
class JobCsvWriter extends CsvSender<JobView> {
    JobCsvWriter(JsonMapper json) {
        super(JobView.class, ErrorRow.TABLE, json);
    }

    @Override
    protected Object document(JobView job) {
        return job.result() == null ? ExperimentResult.NONE : job.result();
    }
}
