package dev.purser.experiment.web;

import dev.purser.experiment.ErrorRow;
import dev.purser.experiment.ExperimentResult;
import dev.purser.experiment.JobView;
import dev.purser.json.CsvTable;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.AbstractHttpMessageConverter;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Sends the rows of a job as CSV. Of a job that is not done it sends the header row alone. */
@Component
class JobCsvWriter extends AbstractHttpMessageConverter<JobView> {
    private final JsonMapper json;

    JobCsvWriter(JsonMapper json) {
        super(CsvTable.MEDIA_TYPE);
        this.json = json;
    }

    @Override
    protected boolean supports(Class<?> type) {
        return type == JobView.class;
    }

    @Override
    public boolean canRead(Class<?> type, @Nullable MediaType mediaType) {
        return false;
    }

    @Override
    public boolean canWrite(Class<?> type, @Nullable MediaType mediaType) {
        return mediaType != null && super.canWrite(type, mediaType);
    }

    @Override
    protected JobView readInternal(Class<? extends JobView> type, HttpInputMessage message) {
        throw new UnsupportedOperationException("jobs are only sent");
    }

    @Override
    protected void writeInternal(JobView job, HttpOutputMessage message) throws IOException {
        message.getHeaders().setContentType(CsvTable.MEDIA_TYPE);
        ExperimentResult result = job.result() == null ? ExperimentResult.NONE : job.result();
        ErrorRow.TABLE.render(new ByteArrayInputStream(json.writeValueAsBytes(result)), message.getBody());
    }
}
