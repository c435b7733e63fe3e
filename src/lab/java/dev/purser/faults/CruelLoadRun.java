package dev.purser.faults;

import dev.purser.lab.Options;
import java.io.IOException;
import java.sql.SQLException;

/** Runs {@link CruelLoad} for a while; see docs/reliability.md. Ends with status 1 if anything is broken. */
final class CruelLoadRun {
    private CruelLoadRun() {}

    public static void main(String[] arguments) throws IOException, InterruptedException, SQLException {
        Options options = new Options(arguments, "minutes", "heap", "clients", "largest", "honest-millis", "port");
        CruelLoad load = new CruelLoad(new CruelLoad.Settings(
                FaultSettings.packagedJar(),
                options.count("port", FaultSettings.PORT),
                options.text("heap", "256m"),
                options.count("clients", 36),
                Boolean.parseBoolean(options.text("largest", "false")),
                FaultSettings.minutes(options),
                options.number("honest-millis", 3_000)));
        Findings findings = load.run();
        System.out.print(load.text());
        System.exit(findings.broken().isEmpty() ? 0 : 1);
    }
}
