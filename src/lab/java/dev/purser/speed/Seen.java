package dev.purser.speed;

import dev.purser.speed.Load.Connection;
import dev.purser.speed.Load.Request;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The results of requests that one client sent one after another, with a pause. */
record Seen(long[] nanos, int refused) {
    /** Sends a request again and again, each time on a new connection. */
    static Seen of(int port, Request request, Duration between, long end) throws InterruptedException {
        List<Long> nanos = new ArrayList<>();
        int refused = 0;
        while (System.nanoTime() < end) {
            long begun = System.nanoTime();
            try (Connection connection = new Connection(port)) {
                connection.exchange(request);
            } catch (IOException refusal) {
                refused++;
            }
            nanos.add(System.nanoTime() - begun);
            Thread.sleep(between);
        }
        return new Seen(nanos.stream().mapToLong(Long::longValue).sorted().toArray(), refused);
    }

    private String millis(int percent) {
        return "%.0f ms".formatted(nanos[Math.min(nanos.length - 1, nanos.length * percent / 100)] / 1e6);
    }

    @Override
    public String toString() {
        return nanos.length + ", median " + millis(50) + ", 99th percentile " + millis(99) + ", longest " + millis(100)
                + ", refused " + refused;
    }
}
