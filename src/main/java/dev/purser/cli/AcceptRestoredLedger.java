package dev.purser.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Accepts a ledger that is older than its anchor. Questions that may be lost are closed, and budget that may have been
 * spent is counted as spent.
 */
@Command(
        name = "accept-restored-ledger",
        mixinStandardHelpOptions = true,
        customSynopsis = Commands.JAR + " accept-restored-ledger [--last-block ACCOUNT=BLOCK]... [SETTING...]",
        description = {
            "Accepts a ledger that was restored from a copy.",
            "Every account that lost entries is charged all that remains, and its open sessions and questions without"
                    + " an answer are closed. Stop the service first, and use its settings."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:the ledger is accepted", "1:it is not; the log says why", "2:wrong usage"})
final class AcceptRestoredLedger extends HomeCommand {
    @Mixin
    private final LastBlock lastBlock = new LastBlock();

    AcceptRestoredLedger(HomeCommands home) {
        super(home);
    }

    @Override
    void run(String... settings) {
        home.acceptRestoredLedger(lastBlock.names, settings);
    }
}
