package dev.purser.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.springframework.util.FileSystemUtils;

/**
 * Puts an old copy of the database in place of the present one. The service has to refuse it. Then the present one is
 * put back.
 */
record RestoredBackup(Path database) implements Nemesis {
    private static final int QUESTIONS = 3;

    @Override
    public String name() {
        return "restored-backup";
    }

    @Override
    public int strike(Battle battle, RandomGenerator random) throws IOException, InterruptedException {
        Thread.sleep(random.nextInt(50, 700));
        battle.load().stop();
        Path old = Files.createTempDirectory("purser-old");
        Path present = Files.createTempDirectory("purser-present");
        ServiceUnderTest service = battle.service();
        service.kill();
        move(database.getParent(), old, false);
        service.start(Map.of());
        service.awaitHealthy();
        long before = battle.findings().counted("answers witnessed");
        for (int i = 0; i < QUESTIONS; i++) {
            battle.load().askOne();
        }
        // A refusal writes nothing. Without a new answer the old copy equals the present database.
        long answered = battle.findings().counted("answers witnessed") - before;
        service.kill();
        move(database.getParent(), present, true);
        move(old, database.getParent(), true);
        service.start(Map.of());
        battle.findings()
                .holds(
                        answered == 0 || service.refuses(),
                        "I7",
                        "a database without its last " + answered + " questions was served",
                        "");
        service.kill();
        move(database.getParent(), old, true);
        move(present, database.getParent(), true);
        FileSystemUtils.deleteRecursively(old);
        FileSystemUtils.deleteRecursively(present);
        return answered == 0 ? 0 : 1;
    }

    /** Moves the database with the files that belong to it. */
    private void move(Path from, Path to, boolean away) throws IOException {
        String name = database.getFileName().toString();
        for (String file : List.of(name, name + "-wal", name + "-shm")) {
            Path source = from.resolve(file);
            if (Files.exists(source)) {
                Files.copy(source, to.resolve(file), StandardCopyOption.REPLACE_EXISTING);
                if (away) {
                    Files.delete(source);
                }
            }
        }
    }
}
