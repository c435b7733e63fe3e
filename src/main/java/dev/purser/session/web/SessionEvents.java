package dev.purser.session.web;

import dev.purser.http.EventStream;
import dev.purser.http.EventStream.Left;
import dev.purser.http.ServiceStop;
import dev.purser.problem.ProblemException;
import dev.purser.problem.Violation;
import dev.purser.session.Interaction;
import dev.purser.session.StoredStep;
import dev.purser.session.ThresholdSessions;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Streams the stored steps of a session as server-sent events.
 *
 * @param check throws when the reader may no longer see the session
 */
record SessionEvents(ThresholdSessions sessions, Interaction session, ServiceStop stop, Runnable check) {
    static final String LAST_ID = "Last-Event-ID";

    private static final int AT_ONCE = 100;

    /** The number of the event after which a request wants events; 0 without the header. */
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

    void stream(long after, HttpServletResponse response) throws IOException {
        AtomicLong last = new AtomicLong(after);
        EventStream.send(response, stop, check, events -> {
            Interaction now = sessions.latest(session);
            if (!now.isOpen()) {
                // The reason of the closing can be an outcome, which may not be durable yet.
                now = sessions.present(session);
            }
            long before = last.get();
            last.set(send(events, before));
            if (last.get() < now.steps()) {
                return last.get() > before ? Left.MORE : Left.NONE_YET;
            }
            if (now.isOpen()) {
                return Left.NONE_YET;
            }
            events.event("closed", "{\"closedBecause\":\"" + now.closedBecause() + "\"}");
            return Left.NONE;
        });
    }

    private long send(EventStream events, long after) throws IOException {
        long last = after;
        for (StoredStep step : sessions.steps(session, after, AT_ONCE)) {
            events.event(step.sequence(), "outcome", new String(step.body(), StandardCharsets.UTF_8));
            last = step.sequence();
        }
        return last;
    }
}
