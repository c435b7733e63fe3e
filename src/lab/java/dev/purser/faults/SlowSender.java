package dev.purser.faults;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A client that sends a request a byte at a time, or stops reading what it asked for. */
final class SlowSender {
    private static final int BLANKS = 1 << 16;

    private final int port;
    private final String key;

    SlowSender(int port, String key) {
        this.port = port;
        this.key = key;
    }

    /** Opens a connection from an address of its own, and sends a header that never ends. */
    static Socket header(int port, String from) throws IOException {
        Socket socket = new Socket();
        socket.bind(new InetSocketAddress(from, 0));
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        send(socket, "GET /actuator/health HTTP/1.1\r\nHost: x\r\nX: ");
        return socket;
    }

    /**
     * Sends a quote as 64 KB of blanks and then a byte every ten seconds, for as long as the service permits.
     *
     * @return whether the service ended it in time
     */
    boolean body(String dataset, Duration patience) throws IOException, InterruptedException {
        try (Socket socket = post("/v1/datasets/" + dataset + "/quotes/count", "Transfer-Encoding: chunked")) {
            send(socket, Integer.toHexString(BLANKS) + "\r\n" + " ".repeat(BLANKS) + "\r\n");
            long deadline = System.nanoTime() + patience.toNanos();
            while (socket.getInputStream().available() == 0) {
                if (System.nanoTime() > deadline) {
                    return false;
                }
                Thread.sleep(10_000);
                send(socket, "1\r\n \r\n");
            }
            return true;
        } catch (SocketException ended) {
            return true;
        }
    }

    /** Asks, reads the beginning of the answer, and closes the connection. */
    void abort(Asked asked, Duration patience) throws IOException {
        byte[] body = asked.body().getBytes(StandardCharsets.UTF_8);
        try (Socket socket =
                post(asked.path(), "Idempotency-Key: " + asked.key() + "\r\nContent-Length: " + body.length)) {
            socket.setSoTimeout((int) patience.toMillis());
            socket.getOutputStream().write(body);
            socket.getInputStream().readNBytes(2_000);
        }
    }

    private Socket post(String path, String headers) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        send(
                socket,
                "POST " + path + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + key
                        + "\r\nContent-Type: application/json\r\n" + headers + "\r\n\r\n");
        return socket;
    }

    static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
