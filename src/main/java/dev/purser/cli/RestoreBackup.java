package dev.purser.cli;

import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Restores a backup into an empty home. Budget that may have been spent since is counted as spent. */
@Command(
        name = "restore",
        mixinStandardHelpOptions = true,
        customSynopsis = Commands.JAR + " restore DIR [--nothing-lost | --last-block ACCOUNT=BLOCK...] [SETTING...]",
        description = {
            "Restores a backup into the home that the settings name, which must be empty.",
            "Every account is charged all that remains, because it may have been spent after the backup. Open"
                    + " sessions and questions without an answer are closed. A PostgreSQL database is restored by its"
                    + " own tools, before this."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:the home is complete", "1:nothing is restored; a sentence says why", "2:wrong usage"})
final class RestoreBackup extends HomeCommand {
    @Parameters(paramLabel = "DIR", description = "The folder of the backup.")
    private @Nullable Path from;

    @Option(
            names = "--nothing-lost",
            description = "States that the database has everything that was ever answered: the service did not run"
                    + " after the backup, or its PostgreSQL was not restored. Nothing is closed or charged then.")
    private boolean nothingLost;

    @Mixin
    private final LastBlock lastBlock = new LastBlock();

    RestoreBackup(HomeCommands home) {
        super(home);
    }

    @Override
    void run(String... settings) {
        home.restore(Objects.requireNonNull(from), nothingLost, lastBlock.names, settings);
    }
}
