package dev.purser.http;

import dev.purser.problem.ProblemException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.springframework.http.MediaType;

/**
 * Server-sent events (WHATWG HTML, section 9.2). Their source is looked at once a second. A stream occupies only its
 * virtual thread, and is ended after ten minutes. Before each next look, and between the parts of a long backlog, it
 * checks whether the reader may still see the events.
 */
public final class EventStream {
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofMinutes(10);
    private static final int LOOKS_BETWEEN_SIGNS = 15;

    private final OutputStream out;

    private EventStream(OutputStream out) {
        this.out = out;
    }

    /** The source of events. */
    @FunctionalInterface
    public interface Source {
        /** Sends new events, at most as many as may go out before the reader is checked again. */
        Left sendNew(EventStream events) throws IOException;
    }

    /** What a source has left after it has sent events. */
    public enum Left {
        /** More events that are there already. */
        MORE,
        /** None at the moment. */
        NONE_YET,
        /** None any more: the last event was sent. */
        NONE
    }

    /**
     * Sends events until there are no more, or until the service stops. The reader then asks another instance, or this
     * instance after its start, for the events after the last event.
     *
     * @param check throws when the reader may no longer see the events
     */
    public static void send(HttpServletResponse response, ServiceStop stop, Runnable check, Source source)
            throws IOException {
        response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
        response.setCharacterEncoding(StandardCharsets.UTF_8.name());
        EventStream events = new EventStream(response.getOutputStream());
        events.write("retry: 1000\n\n");
        long begin = System.nanoTime();
        int looks = 0;
        while (System.nanoTime() - begin < LONGEST.toNanos()
                && !stop.hasBegun()
                && !Thread.currentThread().isInterrupted()) {
            Left left = source.sendNew(events);
            if (left == Left.NONE) {
                return;
            }
            if (left == Left.NONE_YET) {
                if (looks++ % LOOKS_BETWEEN_SIGNS == 0) {
                    events.write(": open\n\n");
                }
                LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
            }
            try {
                check.run();
            } catch (ProblemException noLonger) {
                return;
            }
        }
    }

    /** Sends an event with an id, from which a reader can go on. */
    public void event(long id, String name, String data) throws IOException {
        write("id: " + id + "\nevent: " + name + "\ndata: " + data + "\n\n");
    }

    /**
     * Sends an event.
     *
     * @param data one line
     */
    public void event(String name, String data) throws IOException {
        write("event: " + name + "\ndata: " + data + "\n\n");
    }

    private void write(String event) throws IOException {
        out.write(event.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
