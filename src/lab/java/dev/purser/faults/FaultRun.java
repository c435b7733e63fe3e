package dev.purser.faults;

import dev.purser.lab.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;

/**
 * Runs the packaged service under faults for a while; see docs/reliability.md. Ends with status 1 if anything is
 * broken.
 */
final class FaultRun {
    private FaultRun() {}

    public static void main(String[] arguments) throws IOException, InterruptedException, SQLException {
        Options options = new Options(
                arguments,
                "minutes",
                "seed",
                "cycles",
                "topologies",
                "only",
                "questions",
                "restart-millis",
                "port",
                "report");
        FaultSettings settings = FaultSettings.of(options);
        System.out.println("fault run with seed " + settings.seed());
        Report report = new Campaign(settings).run();
        System.out.print(report.text());
        String file = options.text("report", "");
        if (!file.isEmpty()) {
            Files.writeString(Path.of(file), report.text());
        }
        System.exit(report.isPassed() ? 0 : 1);
    }
}
