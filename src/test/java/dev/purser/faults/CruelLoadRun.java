package dev.purser.faults;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;

/** Runs {@link CruelLoad} for a while; see docs/reliability.md. Ends with status 1 if anything is broken. */
final class CruelLoadRun {
    private CruelLoadRun() {}

    public static void main(String[] arguments) throws IOException, InterruptedException, SQLException {
        double minutes = Double.parseDouble(System.getProperty("faults.minutes", "5"));
        CruelLoad load = new CruelLoad(new CruelLoad.Settings(
                Path.of(System.getProperty("purser.jar", "target/purser.jar")).toAbsolutePath(),
                System.getProperty("faults.heap", "256m"),
                Integer.getInteger("faults.clients", 36),
                Boolean.getBoolean("faults.largest"),
                Duration.ofSeconds(Math.round(60 * minutes)),
                Long.getLong("faults.honest-millis", 3_000)));
        Findings findings = load.run();
        System.out.print(load.text());
        System.exit(findings.broken().isEmpty() ? 0 : 1);
    }
}
