package dev.purser.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A whole run: eras one after another until the time is over, or something is broken and the run is to stop there. */
final class Campaign {
    private static final int CYCLES_OF_AN_ERA = 24;

    private final FaultSettings settings;
    private final Findings findings = new Findings();
    private final Restarts restarts = new Restarts();
    private final Map<String, String> leftOut = new LinkedHashMap<>();
    private final List<String> expected = new ArrayList<>();
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
        if (findings.broken().isEmpty()) {
            delete(work);
        }
        return new Report(settings, findings, restarts, leftOut, expected, slices, cycles, work);
    }

    private boolean mayGoOn(long began) {
        return cycles < settings.cycles()
                && System.nanoTime() - began < settings.duration().toNanos()
                && findings.broken().isEmpty();
    }

    private void run(int number, Path folder, Path log, long began, Belongings belongings)
            throws IOException, InterruptedException, SQLException {
        boolean small = number % 2 == 0 && HomeFolder.canBeSmall();
        HomeFolder home = small ? HomeFolder.onSmallFileSystem(folder, belongings) : HomeFolder.onDisk(folder);
        Topology topology = new SqliteInstance(settings.jar(), folder, home, belongings);
        expect(topology);
        try (Era era = new Era(settings, topology, log, findings, restarts, number)) {
            try {
                era.begin();
                for (int i = 0; i < CYCLES_OF_AN_ERA && mayGoOn(began); i++) {
                    era.cycle(cycles++);
                }
                era.end();
            } catch (IOException failure) {
                findings.broken("I15", "cycle " + (cycles - 1) + ": " + failure);
            }
            keepWhatIsBroken(era, home, log, folder);
        }
        if (findings.broken().isEmpty()) {
            Files.deleteIfExists(log);
            if (home.isSmall()) {
                Commands.run("umount", home.home().getParent().toString());
            }
            delete(folder);
        }
    }

    /** Every fault that can be done here is one that has to have happened at the end. */
    private void expect(Topology topology) {
        for (Nemesis nemesis : topology.nemeses()) {
            nemesis.leftOut().ifPresent(why -> leftOut.put(nemesis.name(), why));
        }
        if (!Clock.canJump()) {
            leftOut.put("clock jumps", "there is no libfaketime");
        }
        if (!settings.only().isEmpty() || !expected.isEmpty()) {
            return;
        }
        expected.addAll(List.of(
                "kills delivered",
                "answers witnessed",
                "replays compared",
                "duplicates sent",
                "unknown outcomes resolved",
                "entries checked",
                "refused: budget exhausted",
                "refused: invalid",
                "refused: key reused",
                "budgets spent to the last unit",
                "network: replies cut",
                "network: replies delayed",
                "network: requests delivered twice"));
        topology.nemeses().stream()
                .map(Nemesis::name)
                .filter(name -> !leftOut.containsKey(name))
                .forEach(name -> expected.add("nemesis: " + name));
        if (Clock.canJump()) {
            expected.add("nemesis: " + Clock.TEN_YEARS_AHEAD.title());
            expected.add("nemesis: " + Clock.TEN_YEARS_BACK.title());
        }
    }

    private void keepWhatIsBroken(Era era, HomeFolder home, Path log, Path folder)
            throws IOException, InterruptedException {
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
        Files.copy(log, folder.resolve("witness.log"));
        Files.delete(log);
        if (home.isSmall()) {
            era.close();
            Commands.run(
                    "cp",
                    "-a",
                    home.home().toString(),
                    folder.resolve("home-kept").toString());
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
