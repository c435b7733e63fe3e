package dev.purser.faults;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A report of a run for people. */
record Report(
        FaultSettings settings,
        Findings findings,
        Restarts restarts,
        Map<String, String> leftOut,
        List<String> expected,
        List<String> slices,
        int cycles,
        Path kept) {
    /** Counters that had to grow and did not. A fault that never happened proves nothing. */
    List<String> unmoved() {
        return expected.stream().filter(name -> findings.counted(name) == 0).toList();
    }

    /** The names of the invariants that did not hold. */
    Set<String> invariants() {
        return findings.broken().stream().map(Broken::invariant).collect(Collectors.toCollection(TreeSet::new));
    }

    boolean restartsWereSlow() {
        return restarts.max() > settings.restartMillis();
    }

    boolean isPassed() {
        return findings.broken().isEmpty() && unmoved().isEmpty() && !restartsWereSlow();
    }

    String text() {
        List<String> lines = new ArrayList<>();
        lines.add("| fault run | |");
        lines.add("|---|---|");
        lines.add("| seed | " + settings.seed() + " |");
        lines.add("| cycles | " + cycles + " |");
        lines.add("| restarts to the first correct answer | %d, mean %d ms, max %d ms |"
                .formatted(restarts.count(), restarts.mean(), restarts.max()));
        findings.counts().forEach((name, count) -> lines.add("| " + name + " | " + count + " |"));
        lines.add("| broken invariants | " + findings.broken().size() + " |");
        leftOut.forEach((name, why) -> lines.add("Left out: " + name + ", " + why + "."));
        unmoved().forEach(name -> lines.add("FAILED: nothing was counted as \"" + name + "\"."));
        if (restartsWereSlow()) {
            lines.add("FAILED: a restart took longer than " + settings.restartMillis() + " ms.");
        }
        if (!findings.broken().isEmpty()) {
            lines.add("FAILED: invariants are broken. Ledger and log are kept in " + kept + ".");
            lines.addAll(slices);
        }
        lines.add(isPassed() ? "PASSED" : "FAILED");
        return String.join("\n", lines) + "\n";
    }
}
