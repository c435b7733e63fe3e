package dev.purser.dataset.jail;

import dev.purser.dataset.parser.FieldFrames;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds out which jail holds on this host, by sending a parser into it that tries to get out. A jail is known by what it bars,
 * not by what it is made of: kernels and containers differ too much in the latter.
 */
final class Trial {
    private static final int MAX_ANSWER = 64;

    private Trial() {}

    /** The first jail, from the strongest, out of which there is no way. */
    static Optional<Jail> strongest(Path folder) {
        return Stream.of(Jail.OWN_NETWORK, Jail.LIMITS)
                .filter(jail -> holds(jail, folder))
                .findFirst();
    }

    static boolean holds(Jail jail, Path folder) {
        try {
            return waysOut(jail, folder).isEmpty();
        } catch (IOException notEvenStarted) {
            return false;
        }
    }

    /**
     * The letters of the ways that are open.
     *
     * @throws IOException if the parser cannot be started in this jail
     */
    static String waysOut(Jail jail, Path folder) throws IOException {
        Path outside = Files.createTempFile(folder, "outside", "");
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                WaitingParser parser = WaitingParser.start(jail, folder)) {
            byte[] answer = parser.give("TRIAL\t" + listener.getLocalPort() + "\t" + outside)
                    .frames()
                    .readNBytes(MAX_ANSWER);
            if (answer.length == 0 || answer[answer.length - 1] != FieldFrames.END) {
                throw new IOException("the trial was not finished");
            }
            return new String(answer, 0, answer.length - 1, StandardCharsets.US_ASCII);
        } finally {
            Files.deleteIfExists(outside);
        }
    }
}
