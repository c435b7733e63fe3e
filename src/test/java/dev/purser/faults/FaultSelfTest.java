package dev.purser.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Shows that the harness can fail: every seeded bug has to break one of the invariants it names, and the service without it
 * none under the same schedule. {@code -Dfaults.bugs=03-float-epsilon,…} takes some of them.
 */
final class FaultSelfTest {
    private static final int CYCLES = 12;
    private static final int QUESTIONS = 150;
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    private FaultSelfTest() {}

    public static void main(String[] arguments) throws IOException, InterruptedException, SQLException {
        FaultSettings settings = FaultSettings.fromSystemProperties();
        String chosen = System.getProperty("faults.bugs", "");
        List<String> lines = new ArrayList<>();
        lines.add("| seeded bug | cycles | caught by | the service without it |");
        lines.add("|---|---|---|---|");
        boolean sound = true;
        for (SeededBug bug : SeededBug.all()) {
            if (chosen.isEmpty() || List.of(chosen.split(",")).contains(bug.name())) {
                sound &= isCaught(bug, settings, lines);
            }
        }
        lines.add(sound ? "PASSED" : "FAILED");
        System.out.println(String.join("\n", lines));
        String file = System.getProperty("faults.report", "");
        if (!file.isEmpty()) {
            Files.writeString(Path.of(file), String.join("\n", lines) + "\n");
        }
        System.exit(sound ? 0 : 1);
    }

    private static boolean isCaught(SeededBug bug, FaultSettings settings, List<String> lines)
            throws IOException, InterruptedException, SQLException {
        Path work = Files.createTempDirectory("purser-bug");
        try {
            System.out.println("bug " + bug.name() + ": " + bug.what());
            Report broken = run(bug, bug.packaged(settings.jar(), work), settings, CYCLES);
            Set<String> found = broken.invariants();
            boolean caught = found.stream().anyMatch(bug.caughtBy()::contains);
            Report sound = run(bug, settings.jar(), settings, Math.max(1, broken.cycles()));
            boolean clean = sound.findings().broken().isEmpty();
            lines.add("| %s: %s | %d | %s | %s |"
                    .formatted(
                            bug.name(),
                            bug.what(),
                            broken.cycles(),
                            caught ? String.join(", ", found) : "NOT CAUGHT " + found,
                            clean ? "clean" : "BROKEN " + sound.invariants()));
            System.out.println(lines.getLast());
            System.out.println(broken.text());
            if (!clean) {
                System.out.println(sound.text());
            }
            Campaign.delete(broken.kept());
            return caught && clean;
        } finally {
            Campaign.delete(work);
        }
    }

    private static Report run(SeededBug bug, Path jar, FaultSettings settings, int cycles)
            throws IOException, InterruptedException, SQLException {
        return new Campaign(new FaultSettings(
                        jar,
                        settings.seed(),
                        PATIENCE,
                        cycles,
                        QUESTIONS,
                        bug.faults(),
                        List.of(bug.topology()),
                        Long.MAX_VALUE,
                        true))
                .run();
    }
}
