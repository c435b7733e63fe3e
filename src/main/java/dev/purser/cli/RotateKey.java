package dev.purser.cli;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Draws a new key into the home of a service, which may run. */
@Command(
        name = "rotate",
        mixinStandardHelpOptions = true,
        customSynopsis = Commands.JAR + " rotate signing|fingerprint|sealing [SETTING...]",
        description = {
            "Draws a new key into the home. The service takes it within a few seconds, while it runs.",
            "Earlier keys stay known. Use the settings of the service. Keys that are configured are rotated in the"
                    + " configuration: docs/operating.md says how."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:there is a new key", "1:there is none; a sentence says why", "2:wrong usage"})
final class RotateKey extends HomeCommand {
    @Parameters(paramLabel = "KEY", description = "One of: ${COMPLETION-CANDIDATES}.")
    private @Nullable RotatedKey key;

    RotateKey(HomeCommands home) {
        super(home);
    }

    @Override
    void run(String... settings) {
        home.rotate(Objects.requireNonNull(key), settings);
    }
}
