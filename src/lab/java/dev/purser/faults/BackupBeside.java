package dev.purser.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.springframework.util.FileSystemUtils;
import tools.jackson.databind.JsonNode;

/**
 * The command {@code backup} copies the home under load; one in three is killed together with the service. Half of
 * those that finished are restored into another home, with {@code --nothing-lost}, and a second service is started
 * there. That service has to have every answer from before the backup began, and nothing that was not asked.
 *
 * @param work where copies and restored homes lie
 * @param port of the second service
 */
record BackupBeside(Path work, int port, Belongings belongings) implements Nemesis {
    private static final String INVARIANT = "I17";
    private static final int REPLAYS = 20;

    @Override
    public String name() {
        return "backup";
    }

    @Override
    public int strike(Battle battle, RandomGenerator random) throws IOException, InterruptedException {
        Thread.sleep(random.nextInt(50, 700));
        Path place = Files.createTempDirectory(work, "backup");
        Path copy = place.resolve("copy");
        ServiceUnderTest service = battle.service();
        List<Exchange> before = battle.witness().of(battle.dataset().id()).stream()
                .filter(exchange -> exchange.answer() != null)
                .toList();
        Process backup = service.begin(service.home(), "backup", copy.toString());
        if (random.nextInt(3) == 0) {
            backup.waitFor(random.nextInt(500, 8_000), TimeUnit.MILLISECONDS);
            service.kill();
            backup.destroyForcibly();
        }
        if (backup.waitFor() == 0) {
            battle.findings().count("backups finished");
            if (random.nextBoolean()) {
                battle.load().stop();
                restore(battle, before, copy, place);
            }
        } else if (service.isAlive()) {
            battle.findings().broken(INVARIANT, "a backup failed; the service's log says why");
        } else {
            battle.findings().count("backups killed");
            refuse(battle, copy, place.resolve("home"));
        }
        if (battle.findings().broken().isEmpty()) {
            FileSystemUtils.deleteRecursively(place);
        }
        return 1;
    }

    /** Requires that {@code restore} refuses a copy that was not finished. */
    private static void refuse(Battle battle, Path copy, Path home) throws IOException, InterruptedException {
        if (!Files.exists(copy.resolve("manifest.sha256"))) {
            int status = battle.service()
                    .begin(home, "restore", copy.toString(), "--nothing-lost")
                    .waitFor();
            battle.findings().holds(status == 1, INVARIANT, "half a backup was restored, with status " + status, "");
        }
    }

    private void restore(Battle battle, List<Exchange> before, Path copy, Path place)
            throws IOException, InterruptedException {
        Findings findings = battle.findings();
        Path home = place.resolve("home");
        int status = battle.service()
                .begin(home, "restore", copy.toString(), "--nothing-lost")
                .waitFor();
        if (status != 0) {
            findings.broken(INVARIANT, "a finished backup was not restored, status " + status);
            return;
        }
        ServiceUnderTest second = battle.service().on(home, place.resolve("service.log"), port);
        belongings.add(second::kill);
        second.start(Map.of());
        second.awaitHealthy();
        try (Api api = new Api(port, ServiceUnderTest.ADMIN_KEY);
                StoredBooks copied = SqliteInstance.books(home);
                StoredBooks present = SqliteInstance.books(battle.service().home())) {
            for (JsonNode dataset : api.get("/v1/datasets?limit=100").path("items")) {
                new PublicView(api, findings).verify(dataset.path("id").asString());
            }
            new Invariants(battle.witness(), findings).checkCopy(battle.dataset(), before, copied, present);
            for (Exchange answered : before.subList(0, Math.min(REPLAYS, before.size()))) {
                Reply reply = api.ask(answered.asked());
                findings.holds(
                        answered.answer().isRepeatedBy(reply),
                        INVARIANT,
                        "the restored service has another answer: " + reply,
                        answered.asked().key());
            }
            new SynopsisReader(api, battle.witness(), findings)
                    .readBack(
                            before.stream()
                                    .filter(answered -> answered.asked().isSynopsis())
                                    .toList(),
                            Clock.NOW.patience());
            findings.count("backups restored");
        } catch (SQLException unreadable) {
            findings.broken(INVARIANT, "a restored ledger cannot be read: " + unreadable);
        } finally {
            second.kill();
        }
    }
}
