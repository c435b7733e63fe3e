package dev.purser.cli;

import java.util.Map;
import picocli.CommandLine.Option;

/** The option of the commands that count budget as spent if it may have been spent. */
final class LastBlock {
    @Option(
            names = "--last-block",
            paramLabel = "ACCOUNT=BLOCK",
            description = "States that nobody ever asked about a later block of this account. Later blocks then keep"
                    + " their budget. May be repeated.")
    Map<String, String> names = Map.of();
}
