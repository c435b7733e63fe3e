package dev.purser.speed;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Sends one request again and again over some connections. At a given rate, a request is due at its time whether or not
 * the ones before it were answered, and its latency counts from when it was due. So a service that stalls does not hide
 * its latencies (coordinated omission).
 */
final class Load {
    private static final int PATIENCE_MILLIS = 60_000;

    private final ProcessHandle server;
    private final int port;

    /** @param server the process whose processor time is counted */
    Load(ProcessHandle server, int port) {
        this.server = server;
        this.port = port;
    }

    /**
     * The result of a run.
     *
     * @param micros processor time of the server for each request, in microseconds
     * @param nanos sorted latencies
     */
    record Result(double perSecond, double micros, long[] nanos) {
        /** In milliseconds. */
        double percentile(double percent) {
            return nanos[(int) Math.min(nanos.length - 1, nanos.length * percent / 100)] / 1e6;
        }
    }

    /** Sends a request as fast as answers come. */
    Result unpaced(Request request, int connections, Duration time) throws InterruptedException {
        return unpaced(List.of(request), connections, time);
    }

    /** Sends requests as fast as answers come. The requests are given to the connections in turn. */
    Result unpaced(List<Request> requests, int connections, Duration time) throws InterruptedException {
        return run(requests, connections, 0, time);
    }

    /** Sends a request at a rate over all connections. */
    Result paced(Request request, int connections, double perSecond, Duration time) throws InterruptedException {
        return run(List.of(request), connections, Math.round(connections * 1e9 / perSecond), time);
    }

    private Result run(List<Request> requests, int connections, long interval, Duration time)
            throws InterruptedException {
        long before = processorNanos();
        long begin = System.nanoTime();
        long end = begin + time.toNanos();
        List<Future<long[]>> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(connections)) {
            for (int i = 0; i < connections; i++) {
                long first = begin + interval * i / connections;
                Request request = requests.get(i % requests.size());
                all.add(threads.submit(() -> connection(request, first, interval, end)));
            }
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        long[] nanos = all.stream()
                .map(Load::result)
                .flatMapToLong(Arrays::stream)
                .sorted()
                .toArray();
        return new Result(nanos.length / seconds, (processorNanos() - before) / 1e3 / nanos.length, nanos);
    }

    private static long[] result(Future<long[]> connection) {
        try {
            return connection.get();
        } catch (InterruptedException | ExecutionException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private long processorNanos() {
        return server.info().totalCpuDuration().orElseThrow().toNanos();
    }

    private long[] connection(Request request, long first, long interval, long end) throws IOException {
        long[] took = new long[1 << 10];
        int count = 0;
        try (Connection connection = new Connection(port)) {
            for (long due = first; due < end; due = interval == 0 ? System.nanoTime() : due + interval) {
                for (long early = due - System.nanoTime(); early > 0; early = due - System.nanoTime()) {
                    LockSupport.parkNanos(early);
                }
                connection.exchange(request);
                if (count == took.length) {
                    took = Arrays.copyOf(took, 2 * count);
                }
                took[count++] = System.nanoTime() - due;
            }
        }
        return Arrays.copyOf(took, count);
    }

    /** A request as it is sent. */
    record Request(byte[] bytes) {
        static Request of(String method, String path, String key, String body, String... headers) {
            byte[] content = body.getBytes(StandardCharsets.UTF_8);
            String head = method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + key + "\r\n"
                    + (body.isEmpty() ? "" : "Content-Type: application/json\r\n")
                    + Stream.of(headers).map(header -> header + "\r\n").reduce("", String::concat)
                    + "Content-Length: " + content.length + "\r\n\r\n";
            byte[] bytes = Arrays.copyOf(head.getBytes(StandardCharsets.US_ASCII), head.length() + content.length);
            System.arraycopy(content, 0, bytes, head.length(), content.length);
            return new Request(bytes);
        }
    }

    /** A connection that is kept until the server ends it. It knows a length, chunks and a status of HTTP/1.1. */
    static final class Connection implements AutoCloseable {
        private static final Pattern LENGTH = Pattern.compile("\r\ncontent-length: *(\\d+)\r\n");
        private static final String HEAD_END = "\r\n\r\n";
        private static final String LAST_CHUNK = "\r\n0\r\n\r\n";

        private static final String CLOSED = "\r\nconnection: close\r\n";

        private final int port;
        private Socket socket = new Socket();
        private OutputStream out = OutputStream.nullOutputStream();
        private InputStream in = InputStream.nullInputStream();
        private byte[] buffer = new byte[1 << 14];
        private int end;

        Connection(int port) throws IOException {
            this.port = port;
            connect();
        }

        private void connect() throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(PATIENCE_MILLIS);
            out = socket.getOutputStream();
            in = socket.getInputStream();
        }

        /**
         * Sends a request and reads its whole answer.
         *
         * @return head and body
         * @throws IOException if the status is not 200 or 201
         */
        String exchange(Request request) throws IOException {
            out.write(request.bytes());
            end = 0;
            int headEnd;
            do {
                more();
                headEnd = text(0).indexOf(HEAD_END);
            } while (headEnd < 0);
            String head = text(0).substring(0, headEnd + 2).toLowerCase(Locale.ROOT);
            Matcher length = LENGTH.matcher(head);
            if (length.find()) {
                int whole = headEnd + HEAD_END.length() + Integer.parseInt(length.group(1));
                while (end < whole) {
                    more();
                }
            } else {
                while (!text(Math.max(headEnd, end - LAST_CHUNK.length())).endsWith(LAST_CHUNK)) {
                    more();
                }
            }
            if (!head.startsWith("http/1.1 20")) {
                throw new IOException(text(0));
            }
            if (head.contains(CLOSED)) {
                close();
                connect();
            }
            return text(0);
        }

        private void more() throws IOException {
            if (end == buffer.length) {
                buffer = Arrays.copyOf(buffer, 2 * end);
            }
            int read = in.read(buffer, end, buffer.length - end);
            if (read < 0) {
                throw new EOFException("the connection was closed after: " + text(0));
            }
            end += read;
        }

        private String text(int from) {
            return new String(buffer, from, end - from, StandardCharsets.ISO_8859_1);
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
