package dev.purser.faults;

import dev.purser.ExtractedJar;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Ten seconds of the load that {@link CruelLoadRun} can run for any time. */
@Tag("full")
class CruelLoadIntegrationTests {
    /** Not the port of the fault tests, which may run at the same time. */
    private static final int PORT = FaultSettings.PORT + 100;

    /** A build machine may be busy with other things. */
    private static final long HONEST_MILLIS = 20_000;

    @Test
    void nothingLegalBringsItDown() throws IOException, InterruptedException, SQLException {
        CruelLoad load = new CruelLoad(new CruelLoad.Settings(
                ExtractedJar.path(), PORT, "256m", 6, false, Duration.ofSeconds(10), HONEST_MILLIS));

        Findings findings = load.run();

        System.out.print(load.text());
        assertThat(findings.broken()).as(load.text()).isEmpty();
        assertThat(findings.counted("answers witnessed")).isPositive();
        assertThat(findings.counted("slow headers that were ended")).isPositive();
    }
}
