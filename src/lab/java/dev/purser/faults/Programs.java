package dev.purser.faults;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Programs of the operating system. */
final class Programs {
    private Programs() {}

    static boolean exists(String name) {
        for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)) {
            if (Files.isExecutable(Path.of(folder, name))) {
                return true;
            }
        }
        return false;
    }

    static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    /** Runs a program to its end. */
    static void run(String... command) throws IOException, InterruptedException {
        output(command);
    }

    /** Runs a program to its end, and gives what it printed. */
    static String output(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + ": " + output);
        }
        return output;
    }

    /** Sends a signal to a process that this harness started. */
    static void signal(Process process, String name) throws IOException, InterruptedException {
        if (process.isAlive()) {
            run("kill", "-" + name, String.valueOf(process.pid()));
        }
    }
}
