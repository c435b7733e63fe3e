package dev.purser.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;
import picocli.CommandLine.UnmatchedArgumentException;

/** Accepts a ledger that is older than its anchor. What it may have lost is closed and counted as spent. */
@Command(
        name = "accept-restored-ledger",
        mixinStandardHelpOptions = true,
        customSynopsis = Commands.JAR + " accept-restored-ledger [SETTING...]",
        description = {
            "Accepts a ledger that was restored from a copy.",
            "Every account that lost entries is charged all that remains, and its open sessions are closed."
                    + " Stop the service first, and use its settings."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:the ledger is accepted", "1:it is not; the log says why", "2:wrong usage"})
final class AcceptRestoredLedger implements Callable<Integer> {
    private final Consumer<String[]> accept;

    @Spec
    private @Nullable CommandSpec spec;

    @Unmatched
    private List<String> settings = new ArrayList<>();

    AcceptRestoredLedger(Consumer<String[]> accept) {
        this.accept = accept;
    }

    @Override
    public Integer call() {
        List<String> others = settings.stream()
                .filter(argument -> !Commands.isSetting(argument))
                .toList();
        if (!others.isEmpty() && spec != null) {
            throw new UnmatchedArgumentException(spec.commandLine(), others);
        }
        try {
            accept.accept(settings.toArray(String[]::new));
            return 0;
        } catch (RuntimeException logged) {
            return 1;
        }
    }
}
