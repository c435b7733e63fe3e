package dev.purser;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The status of a command, and what it printed on both of its streams. */
record Ended(int status, String output) {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** Runs a command to its end; kills the command if it takes too long. */
    static Ended of(ProcessBuilder command) throws IOException, InterruptedException {
        return of(command, "");
    }

    /** @param input what the command reads */
    static Ended of(ProcessBuilder command, String input) throws IOException, InterruptedException {
        Path output = Leftovers.newFolder("ended").resolve("output.txt");
        Process process = Leftovers.watched(command.redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start());
        try (var in = process.outputWriter(StandardCharsets.UTF_8)) {
            in.write(input);
        }
        if (!process.waitFor(PATIENCE)) {
            process.destroyForcibly().waitFor();
        }
        return new Ended(process.exitValue(), Files.readString(output));
    }
}
