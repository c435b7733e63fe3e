package dev.purser.query;

import dev.purser.web.RunningService;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/** Missing rows are the trouble of their dataset only. A meter counts this trouble. */
class UnreadableRowsTests extends RunningService {
    private static final String COUNT = quoted("{'epsilon':'0.25'}");

    @Autowired
    private MeterRegistry meters;

    private double counted() {
        return meters.counter("purser.rows.unreadable").count();
    }

    @Test
    void aDatasetWithoutItsFileIsUnavailableAndCounted() throws Exception {
        String id = dataset("10", "age,hours,sex\n30,40,Male\n");
        String other = dataset("10", "age,hours,sex\n31,40,Male\n");
        double before = counted();
        Files.delete(folder(id).resolve("rows.columns"));

        assertProblem(503, "temporarily-unavailable", ask(id, "count", COUNT));

        assertThat(counted()).isEqualTo(before + 1);
        assertStatus(200, ask(other, "count", COUNT));
        assertStatus(200, get("/actuator/health/readiness"));
    }

    @Test
    void aDatasetWhoseFileIsDamagedIsUnavailableAndCounted() throws Exception {
        String id = dataset("10", "age,hours,sex\n30,40,Male\n");
        double before = counted();
        Path rows = folder(id).resolve("rows.columns");
        try (FileChannel file = FileChannel.open(rows, StandardOpenOption.WRITE)) {
            file.truncate(10);
        }

        assertThat(json(get("/v1/datasets/" + id + "/ledger/verification"))
                        .get("fault")
                        .asString())
                .isEqualTo("the rows of dataset " + id + " are not those that it was loaded with");
        assertProblem(503, "temporarily-unavailable", ask(id, "count", COUNT));

        assertThat(counted()).isEqualTo(before + 1);
    }
}
