package dev.purser.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The clocks with which the service is started: the present time, or another time by libfaketime. */
enum Clock {
    NOW(0),
    TEN_YEARS_AHEAD(3_650),
    TEN_YEARS_BACK(-3_650);

    private static final Optional<Path> LIBRARY = find();
    private static final int DAY_MILLIS = 86_400_000;

    private final int days;

    Clock(int days) {
        this.days = days;
    }

    String title() {
        return "clock " + (days > 0 ? "+10 years" : "-10 years");
    }

    static boolean canJump() {
        return LIBRARY.isPresent();
    }

    /** What a process needs in its environment to live at that time. Waiting is not affected. */
    Map<String, String> environment() {
        return days == 0
                ? Map.of()
                : Map.of(
                        "LD_PRELOAD",
                        LIBRARY.orElseThrow().toString(),
                        "FAKETIME",
                        (days > 0 ? "+" : "") + days + "d",
                        "FAKETIME_DONT_FAKE_MONOTONIC",
                        "1",
                        "FAKETIME_DISABLE_SHM",
                        "1",
                        "NO_FAKE_STAT",
                        "1");
    }

    /**
     * The time in which a restarted service has to answer all repeated requests. Under libfaketime the service is many
     * times slower.
     */
    Duration patience() {
        return this == NOW ? Duration.ofSeconds(30) : Duration.ofMinutes(10);
    }

    /** Whether an entry written now by that clock would carry this time. */
    boolean agreesWith(long atMillis) {
        long expected = System.currentTimeMillis() + (long) days * DAY_MILLIS;
        return Math.abs(expected - atMillis) < DAY_MILLIS;
    }

    private static Optional<Path> find() {
        try (Stream<Path> architectures = Files.list(Path.of("/usr/lib"))) {
            return architectures
                    .map(folder -> folder.resolve("faketime/libfaketime.so.1"))
                    .filter(Files::exists)
                    .findFirst();
        } catch (IOException none) {
            return Optional.empty();
        }
    }
}
