package dev.purser.cli;

import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Copies the home while the service runs. */
@Command(
        name = "backup",
        mixinStandardHelpOptions = true,
        customSynopsis = Commands.JAR + " backup DIR [SETTING...]",
        description = {
            "Copies the home of a service, which may run, into a new or empty folder, and verifies the copy.",
            "Use the settings of the service. A PostgreSQL database is copied by its own tools, after this."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:the backup is complete and verified", "1:it is not; a sentence says why", "2:wrong usage"})
final class MakeBackup extends HomeCommand {
    @Parameters(paramLabel = "DIR", description = "The folder of the backup, empty or not there yet.")
    private @Nullable Path into;

    MakeBackup(HomeCommands home) {
        super(home);
    }

    @Override
    void run(String... settings) {
        home.backup(Objects.requireNonNull(into), settings);
    }
}
