package dev.purser.faults;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A faulty network: it cuts replies at a random byte, delays them, and delivers requests twice. Each request has a
 * connection of its own, which the service closes after its reply.
 */
final class FaultProxy implements AutoCloseable {
    /** Carriage return, line feed, twice. */
    private static final int END_OF_HEAD = 0x0d0a0d0a;

    private static final Pattern LENGTH = Pattern.compile("(?i)content-length: *(\\d+)");
    private static final Pattern CONNECTION = Pattern.compile("(?im)^connection:.*\\r\\n");

    private final ServerSocket server;
    private final int target;
    private final RandomGenerator random;
    private final Findings findings;

    FaultProxy(int port, int target, RandomGenerator random, Findings findings) throws IOException {
        this.server = new ServerSocket();
        this.server.setReuseAddress(true);
        this.server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        this.target = target;
        this.random = random;
        this.findings = findings;
        Thread.startVirtualThread(this::accept);
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                Thread.startVirtualThread(() -> serve(client));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            byte[] request = read(client.getInputStream());
            int fate = draw(100);
            if (fate < 10) {
                findings.count("network: requests delivered twice");
                Thread.startVirtualThread(() -> discard(request));
            }
            byte[] reply = exchanged(request);
            if (fate >= 10 && fate < 20) {
                findings.count("network: replies delayed");
                Thread.sleep(draw(400));
            }
            int length = reply.length;
            if (fate >= 20 && fate < 40) {
                findings.count("network: replies cut");
                length = draw(reply.length);
            }
            client.getOutputStream().write(reply, 0, length);
        } catch (IOException | InterruptedException gone) {
            // The client sees a closed connection, which is what a network does.
        }
    }

    private synchronized int draw(int bound) {
        return random.nextInt(Math.max(1, bound));
    }

    private void discard(byte[] request) {
        try {
            exchanged(request);
        } catch (IOException lost) {
            // No client waits for this reply.
        }
    }

    private byte[] exchanged(byte[] request) throws IOException {
        try (Socket service = new Socket(InetAddress.getLoopbackAddress(), target)) {
            OutputStream out = service.getOutputStream();
            out.write(request);
            out.flush();
            byte[] reply = service.getInputStream().readAllBytes();
            if (reply.length == 0) {
                throw new EOFException();
            }
            return reply;
        }
    }

    /** One request with its body, asking the service to close the connection after it. */
    private static byte[] read(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        int last = 0;
        while (last != END_OF_HEAD) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException();
            }
            head.write(next);
            last = last << 8 | next;
        }
        String text = head.toString(StandardCharsets.ISO_8859_1);
        Matcher length = LENGTH.matcher(text);
        byte[] body = in.readNBytes(length.find() ? Integer.parseInt(length.group(1)) : 0);
        String closing = CONNECTION.matcher(text).replaceAll("");
        closing = closing.substring(0, closing.length() - 2) + "Connection: close\r\n\r\n";
        byte[] start = closing.getBytes(StandardCharsets.ISO_8859_1);
        byte[] request = Arrays.copyOf(start, start.length + body.length);
        System.arraycopy(body, 0, request, start.length, body.length);
        return request;
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
