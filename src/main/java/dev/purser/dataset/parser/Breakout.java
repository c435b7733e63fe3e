package dev.purser.dataset.parser;

import dev.purser.libc.Libc;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Tries to get out of the jail in every way that it has to bar. For the one child that a start sends in to see whether the
 * jail holds on this host.
 *
 * @param port of the loopback address, where somebody listens
 * @param outside a file that exists
 */
record Breakout(int port, Path outside) {
    private static final long TOO_MUCH_BYTES = 16L << 30;
    private static final Libc MALLOC = Libc.function("malloc");
    private static final Libc FREE = Libc.function("free");

    /** A letter for each way that is open: none if the jail holds. */
    byte[] successes() {
        StringBuilder open = new StringBuilder();
        attempt(open, 'r', () -> Files.readAllBytes(outside));
        attempt(open, 'w', () -> Files.write(outside, new byte[1]));
        attempt(
                open,
                'l',
                () -> Files.list(outside.toAbsolutePath().getParent()).close());
        attempt(open, 'x', () -> new ProcessBuilder("/bin/true").start().waitFor());
        attempt(open, 't', () -> new Socket(InetAddress.getLoopbackAddress(), port).close());
        attempt(open, 'u', this::sendDatagram);
        attempt(open, 'm', Breakout::takeMemory);
        return open.toString().getBytes(StandardCharsets.US_ASCII);
    }

    private static void attempt(StringBuilder open, char letter, Attempt attempt) {
        try {
            attempt.run();
            open.append(letter);
        } catch (Exception | Error barred) {
            // As it should be, whatever the reason.
        }
    }

    private void sendDatagram() throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.send(new DatagramPacket(new byte[1], 1, InetAddress.getLoopbackAddress(), port));
        }
    }

    private static void takeMemory() {
        // Not by Java's own means: those would fill it.
        long address = MALLOC.word(TOO_MUCH_BYTES);
        if (address == 0) {
            throw new OutOfMemoryError();
        }
        FREE.word(address);
    }

    /** One way out. */
    @FunctionalInterface
    private interface Attempt {
        void run() throws Exception;
    }
}
