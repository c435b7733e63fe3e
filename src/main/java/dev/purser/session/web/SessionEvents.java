package dev.purser.session.web;

import dev.purser.interactive.Interaction;
import dev.purser.interactive.StoredStep;
import dev.purser.problem.ProblemException;
import dev.purser.problem.Violation;
import dev.purser.session.ThresholdSessions;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.springframework.http.MediaType;

/**
 * Streams the stored steps of a session as server-sent events (WHATWG HTML, section 9.2). The database is looked at
 * once a second; a stream occupies its virtual thread and nothing else.
 */
record SessionEvents(ThresholdSessions sessions, Interaction session, Runnable check) {
    static final String LAST_ID = "Last-Event-ID";

    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);
    private static final int LONGEST_SECONDS = 600;
    private static final int SECONDS_BETWEEN_SIGNS = 15;
    private static final int AT_ONCE = 100;

    /** The number after which a request wants its events: 0 without the header. */
    static long after(HttpServletRequest request) {
        String sent = request.getHeader(LAST_ID);
        if (sent == null || sent.isEmpty()) {
            return 0;
        }
        if (!sent.matches("[0-9]{1,9}")) {
            throw ProblemException.validation(
                    Violation.ofHeader(LAST_ID, LAST_ID + " must be the id of an event, was " + sent));
        }
        return Long.parseLong(sent);
    }

    /** @param check throws when the reader may no longer see the session */
    void stream(long after, HttpServletResponse response) throws IOException {
        response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
        response.setCharacterEncoding(StandardCharsets.UTF_8.name());
        OutputStream out = response.getOutputStream();
        send(out, "retry: 1000\n\n");
        long last = after;
        for (int second = 0; second < LONGEST_SECONDS && !Thread.currentThread().isInterrupted(); second++) {
            Interaction now = sessions.named(session.id()).orElseThrow();
            if (!now.isOpen()) {
                // Why it was closed can be an outcome, which may not be confirmed yet.
                now = sessions.present(session);
            }
            last = send(out, last, now);
            if (!now.isOpen() && last >= now.steps()) {
                send(out, "event: closed\ndata: {\"closedBecause\":\"" + now.closedBecause() + "\"}\n\n");
                return;
            }
            if (second % SECONDS_BETWEEN_SIGNS == 0) {
                send(out, ": open\n\n");
            }
            LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
            try {
                check.run();
            } catch (ProblemException noLonger) {
                return;
            }
        }
    }

    private long send(OutputStream out, long after, Interaction now) throws IOException {
        long last = after;
        while (last < now.steps()) {
            List<StoredStep> steps = sessions.steps(session, last, AT_ONCE);
            if (steps.isEmpty()) {
                break;
            }
            for (StoredStep step : steps) {
                send(
                        out,
                        "id: " + step.sequence() + "\nevent: outcome\ndata: "
                                + new String(step.body(), StandardCharsets.UTF_8) + "\n\n");
                last = step.sequence();
            }
        }
        return last;
    }

    private static void send(OutputStream out, String event) throws IOException {
        out.write(event.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
