package dev.purser.faults;

import dev.purser.ExtractedJar;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Three of the cycles that {@link FaultRun} can run for any time, with SQLite only. */
@Tag("full")
class FaultSliceIntegrationTests {
    /** A build machine may be busy with other things. */
    private static final long RESTART_MILLIS = 60_000;

    @Test
    void noInvariantBreaksUnderFaults() throws IOException, InterruptedException, SQLException {
        FaultSettings settings = new FaultSettings(
                ExtractedJar.path(),
                FaultSettings.PORT,
                System.nanoTime(),
                Duration.ofMinutes(5),
                3,
                300,
                Set.of(),
                List.of("sqlite-small"),
                RESTART_MILLIS,
                true);

        Report report = new Campaign(settings).run();

        System.out.print(report.text());
        assertThat(report.isPassed()).as(report.text()).isTrue();
        assertThat(report.findings().counted("kills delivered")).isPositive();
    }
}
