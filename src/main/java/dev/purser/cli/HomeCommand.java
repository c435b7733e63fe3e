package dev.purser.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;
import picocli.CommandLine.UnmatchedArgumentException;

/** A command on a home. All arguments except the command's options are settings of the service. */
abstract class HomeCommand implements Callable<Integer> {
    final HomeCommands home;

    @Spec
    private @Nullable CommandSpec spec;

    @Unmatched
    private List<String> settings = new ArrayList<>();

    HomeCommand(HomeCommands home) {
        this.home = home;
    }

    /** Runs the command with these settings. A failure is logged before it is thrown. */
    abstract void run(String... settings);

    @Override
    public final Integer call() {
        List<String> others = settings.stream()
                .filter(argument -> !Commands.isSetting(argument))
                .toList();
        if (!others.isEmpty() && spec != null) {
            throw new UnmatchedArgumentException(spec.commandLine(), others);
        }
        try {
            run(settings.toArray(String[]::new));
            return 0;
        } catch (RuntimeException logged) {
            return 1;
        }
    }
}
