package dev.purser.faults;

import dev.purser.lab.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.util.FileSystemUtils;

/**
 * Shows that the harness can fail. Under the same schedules, every seeded bug has to break one of the invariants that
 * it names, and the service without a bug must break none. The option {@code bugs=03-float-epsilon,…} selects some of
 * the bugs.
 */
final class FaultSelfTest {
    private static final int CYCLES = 8;
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    private final FaultSettings settings;
    private final List<String> lines = new ArrayList<>();

    /** What the service without a bug has to survive: for faults and a topology, the most cycles that a bug needed. */
    private final Map<SeededBug.Conditions, Integer> withoutBug = new LinkedHashMap<>();

    private boolean sound = true;

    private FaultSelfTest(FaultSettings settings) {
        this.settings = settings;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException, SQLException {
        Options options = new Options(arguments, "bugs", "seed", "port", "report");
        FaultSelfTest test = new FaultSelfTest(FaultSettings.of(options));
        test.run(options.words("bugs"));
        test.say(test.sound ? "PASSED" : "FAILED");
        String file = options.text("report", "");
        if (!file.isEmpty()) {
            Files.write(Path.of(file), test.lines);
        }
        System.exit(test.sound ? 0 : 1);
    }

    private void run(List<String> chosen) throws IOException, InterruptedException, SQLException {
        say("| seeded bug | seed | cycles | caught by |");
        say("|---|---|---|---|");
        for (SeededBug bug : SeededBug.all()) {
            if (chosen.isEmpty() || chosen.contains(bug.name())) {
                seed(bug);
            }
        }
        if (withoutBug.isEmpty()) {
            sound = false;
            say("no seeded bug is named " + String.join(",", chosen));
        }
        for (Map.Entry<SeededBug.Conditions, Integer> standing : withoutBug.entrySet()) {
            Report report = run(settings.jar(), standing.getKey(), standing.getValue());
            boolean clean = report.findings().broken().isEmpty();
            sound &= clean;
            say("| none, under %s on %s | %d | %d | %s |"
                    .formatted(
                            String.join(", ", new TreeSet<>(standing.getKey().faults())),
                            standing.getKey().topology(),
                            settings.seed(),
                            report.cycles(),
                            clean ? "nothing to catch" : report.text()));
        }
    }

    private void seed(SeededBug bug) throws IOException, InterruptedException, SQLException {
        Path work = Files.createTempDirectory("purser-bug");
        try {
            Report report = run(bug.packaged(settings.jar(), work), bug.conditions(), CYCLES);
            Set<String> found = report.invariants();
            boolean caught = found.stream().anyMatch(bug.caughtBy()::contains);
            sound &= caught;
            withoutBug.merge(bug.conditions(), report.cycles(), Math::max);
            say("| %s: %s | %d | %d | %s |"
                    .formatted(
                            bug.name(),
                            bug.what(),
                            settings.seed(),
                            report.cycles(),
                            caught ? String.join(", ", found) : "NOT CAUGHT " + found));
            report.slices().stream().limit(3).forEach(System.out::println);
            FileSystemUtils.deleteRecursively(report.kept());
        } finally {
            FileSystemUtils.deleteRecursively(work);
        }
    }

    private void say(String line) {
        lines.add(line);
        System.out.println(line);
    }

    private Report run(Path jar, SeededBug.Conditions conditions, int cycles)
            throws IOException, InterruptedException, SQLException {
        return new Campaign(new FaultSettings(
                        jar,
                        settings.port(),
                        settings.seed(),
                        PATIENCE,
                        cycles,
                        conditions.questions(),
                        conditions.faults(),
                        List.of(conditions.topology()),
                        Long.MAX_VALUE,
                        true))
                .run();
    }
}
