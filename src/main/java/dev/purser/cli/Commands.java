package dev.purser.cli;

import dev.purser.json.Alternatives;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ParameterException;

/** The command line of the jar. Settings alone start the service. Other arguments are a command or are refused. */
@Command(
        name = Commands.JAR,
        mixinStandardHelpOptions = true,
        versionProvider = Commands.Version.class,
        subcommands = {VerifyReceipt.class, RunExperiment.class, HelpCommand.class},
        customSynopsis = {Commands.JAR + " [SETTING...]", "       " + Commands.JAR + " COMMAND [ARGUMENT...]"},
        description = {
            "Without a command, starts the service. A setting is --NAME=VALUE, for example --server.port=8081.",
            "Settings can be environment variables too; docs/operating.md lists them."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:the command succeeded", "1:it did not; the reason is printed", "2:wrong usage"})
public final class Commands {
    static final String JAR = "java -jar purser.jar";

    private Commands() {}

    /**
     * Runs the command that the arguments name.
     *
     * @param home runs the commands that need the settings of the service
     * @return the exit code; empty if there is no command, so that the arguments start the service
     */
    public static OptionalInt run(HomeCommands home, String... arguments) {
        if (Arrays.stream(arguments).allMatch(Commands::isSetting)) {
            return OptionalInt.empty();
        }
        CommandLine commands = new CommandLine(new Commands())
                .addSubcommand(new RotateKey(home))
                .addSubcommand(new MakeBackup(home))
                .addSubcommand(new RestoreBackup(home))
                .addSubcommand(new AcceptRestoredLedger(home));
        CommandLine.IParameterExceptionHandler usual = commands.getParameterExceptionHandler();
        return OptionalInt.of(commands.setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler((refused, sent) -> refused.getCommandLine() == commands
                        ? refuse(refused)
                        : usual.handleParseException(refused, sent))
                .execute(arguments));
    }

    /** Whether an argument is a setting of the service, as Spring Boot reads it. */
    static boolean isSetting(String argument) {
        return argument.startsWith("--") && argument.contains(".")
                || argument.equals("--debug")
                || argument.equals("--trace");
    }

    private static int refuse(ParameterException refused) {
        CommandLine commands = refused.getCommandLine();
        commands.getErr().println(reason(refused, commands) + " For commands and settings: " + JAR + " --help");
        return commands.getCommandSpec().exitCodeOnInvalidInput();
    }

    private static @Nullable String reason(ParameterException refused, CommandLine commands) {
        if (!(refused instanceof CommandLine.UnmatchedArgumentException unmatched)) {
            return refused.getMessage();
        }
        String sent = unmatched.getUnmatched().stream()
                .filter(argument -> !isSetting(argument))
                .findFirst()
                .orElse(unmatched.getUnmatched().getFirst());
        if (isSetting(sent)) {
            return "The setting " + sent + " stands before a command: settings come after it.";
        }
        List<String> known = new ArrayList<>(commands.getSubcommands().keySet());
        known.addAll(commands.getCommandSpec().optionsMap().keySet());
        return "There is no command " + sent + Alternatives.nearest(sent, known) + ".";
    }

    /** The version of the jar. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Commands.class.getPackage().getImplementationVersion();
            return new String[] {"Purser " + (version == null ? "(not packaged)" : version), "Java ${java.version}"};
        }
    }
}
