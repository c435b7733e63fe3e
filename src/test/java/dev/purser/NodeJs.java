package dev.purser;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

/**
 * Runs Node.js in the folder of the JavaScript module. Where Node.js is missing, a test is left out, with the reason.
 */
public final class NodeJs {
    /** The folder of the module. */
    public static final Path CLIENT = Path.of("clients/javascript");

    private static final int LEAST = 20;

    private NodeJs() {}

    /** Runs a script, which has to end with status 0; returns what it prints. */
    public static String run(String... arguments) throws IOException, InterruptedException {
        String version = node("--version").strip();
        if (Integer.parseInt(version.substring(1, version.indexOf('.'))) < LEAST) {
            return abort("left out: Node.js is " + version + ", and the module needs " + LEAST + " or later");
        }
        return node(arguments);
    }

    private static String node(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("node"));
        command.addAll(List.of(arguments));
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .directory(CLIENT.toFile())
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException missing) {
            return abort("left out: Node.js is not installed");
        }
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
