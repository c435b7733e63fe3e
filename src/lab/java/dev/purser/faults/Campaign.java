package dev.purser.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.util.FileSystemUtils;

/** A whole run: eras one after another until the time is over, or something is broken and the run is to stop there. */
final class Campaign {
    private static final int CYCLES_OF_AN_ERA = 14;

    private static final List<String> ALWAYS = List.of(
            "answers witnessed",
            "replays compared",
            "entries checked",
            "unknown outcomes resolved",
            "plans answered",
            "synopses bought",
            "synopses read back",
            "session outcomes witnessed",
            "session outcomes checked",
            "session charges checked",
            "reports checked",
            "blocks loaded",
            "blocks checked",
            "rows of blocks compared",
            "ledgers verified by the service");
    private static final List<String> IN_A_WHOLE_RUN = List.of(
            "kills delivered",
            "duplicates sent",
            "refused: budget exhausted",
            "refused: block not ready",
            "refused: blocks exhausted",
            "refused: invalid",
            "refused: key reused",
            "blocks of unknown outcome",
            "budgets spent to the last unit",
            "network: replies cut",
            "network: replies delayed",
            "network: requests delivered twice");

    private final FaultSettings settings;
    private final Findings findings = new Findings();
    private final OneThreshold oneThreshold = new OneThreshold();
    private final Restarts restarts = new Restarts();
    private final Map<String, String> leftOut = new LinkedHashMap<>();
    private final Set<String> expected = new TreeSet<>();
    private final List<String> slices = new ArrayList<>();
    private int cycles;
    private Path work;

    Campaign(FaultSettings settings) {
        this.settings = settings;
    }

    Report run() throws IOException, InterruptedException, SQLException {
        work = Files.createTempDirectory("purser-faults");
        long began = System.nanoTime();
        try (Belongings belongings = new Belongings()) {
            for (int era = 0; mayGoOn(began); era++) {
                Path folder = Files.createDirectory(work.resolve("era" + era));
                Path log = Files.createTempFile(FaultSettings.witnessFolder(), "purser-witness", ".log");
                Files.delete(log);
                run(era, folder, log, began, belongings);
            }
        }
        oneThreshold.check(findings).ifPresent(slices::add);
        if (findings.broken().isEmpty()) {
            FileSystemUtils.deleteRecursively(work);
        }
        return new Report(settings, findings, restarts, leftOut, List.copyOf(expected), slices, cycles, work);
    }

    private boolean mayGoOn(long began) {
        return cycles < settings.cycles()
                && System.nanoTime() - began < settings.duration().toNanos()
                && findings.broken().isEmpty();
    }

    private void run(int number, Path folder, Path log, long began, Belongings belongings)
            throws IOException, InterruptedException, SQLException {
        Topology topology = topology(
                settings.topologies().get(number % settings.topologies().size()), folder, belongings);
        System.out.println("era " + number + ": " + topology.name());
        expect(topology);
        try (Era era = new Era(settings, topology, log, findings, restarts, oneThreshold, number)) {
            try {
                era.begin();
                for (int i = 0; i < CYCLES_OF_AN_ERA && mayGoOn(began); i++) {
                    era.cycle(cycles++);
                }
                era.end();
            } catch (IOException failure) {
                findings.broken("I15", "cycle " + (cycles - 1) + ": " + failure);
            }
            keepWhatIsBroken(era, log, folder);
            topology.end(findings.broken().isEmpty() ? null : folder.resolve("kept"));
        }
        if (findings.broken().isEmpty()) {
            Files.deleteIfExists(log);
            FileSystemUtils.deleteRecursively(folder);
        }
    }

    private Topology topology(String name, Path folder, Belongings belongings)
            throws IOException, InterruptedException {
        Path jar = settings.jar();
        return switch (name) {
            case "sqlite-small" ->
                new SqliteInstance(jar, settings.port(), folder, HomeFolder.small(folder, belongings), belongings);
            case "sqlite-disk" ->
                new SqliteInstance(jar, settings.port(), folder, HomeFolder.onDisk(folder), belongings);
            case "postgres" -> new PostgresInstances(jar, settings.port(), folder, 1, false, belongings);
            case "postgres-two" -> new PostgresInstances(jar, settings.port(), folder, 2, false, belongings);
            case "postgres-standby" -> new PostgresInstances(jar, settings.port(), folder, 2, true, belongings);
            default -> throw new IllegalArgumentException("there is no topology " + name);
        };
    }

    /** Notes every fault that is possible here. Each must have happened by the end of a whole run. */
    private void expect(Topology topology) {
        for (Nemesis nemesis : topology.nemeses()) {
            nemesis.leftOut().ifPresent(why -> leftOut.put(nemesis.name(), why));
        }
        if (!Clock.canJump()) {
            leftOut.put("clock jumps", "there is no libfaketime");
        }
        expected.addAll(ALWAYS);
        if (settings.isWhole() && settings.only().isEmpty()) {
            expected.addAll(IN_A_WHOLE_RUN);
            topology.nemeses().stream()
                    .map(Nemesis::name)
                    .filter(name -> !leftOut.containsKey(name))
                    .forEach(name -> expected.add("nemesis: " + name));
            if (Clock.canJump()) {
                expected.add("nemesis: " + Clock.TEN_YEARS_AHEAD.title());
                expected.add("nemesis: " + Clock.TEN_YEARS_BACK.title());
            }
        }
    }

    private void keepWhatIsBroken(Era era, Path log, Path folder) throws IOException {
        List<Broken> broken = findings.broken();
        if (broken.isEmpty()) {
            return;
        }
        for (Broken one : broken.stream().limit(10).toList()) {
            slices.add(one.invariant() + " (cycle " + (cycles - 1) + "): " + one.what());
            if (!one.key().isEmpty()) {
                era.witness().slice(one.key()).forEach(line -> slices.add("    " + line));
            }
        }
        era.keepLedger(folder.resolve("ledger.txt"));
        Files.copy(log, folder.resolve("witness.log"));
        Files.delete(log);
    }
}
