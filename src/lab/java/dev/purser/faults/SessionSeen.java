package dev.purser.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** All that the clients saw of one threshold session. Guarded by itself. */
final class SessionSeen {
    private final SessionPlan plan;
    private final List<StepSeen> steps = new ArrayList<>();
    private Reply opened;
    private String id;
    private boolean refused;
    private String closedBecause;

    SessionSeen(SessionPlan plan) {
        this.plan = plan;
    }

    SessionPlan plan() {
        return plan;
    }

    /** Keeps the first reply, and gives the one that a later reply has to equal. */
    synchronized Reply opened(Reply reply) {
        if (opened == null) {
            opened = reply.remembered();
            id = reply.json().path("sessionId").stringValue("");
            refused = false;
        }
        return opened;
    }

    /** Notes that the last reply was a refusal, if no reply said that the session is open. */
    synchronized void refused() {
        refused = opened == null;
    }

    synchronized boolean isOpeningUnknown() {
        return opened == null && !refused;
    }

    synchronized boolean isOpened() {
        return opened != null;
    }

    synchronized Reply opened() {
        return opened;
    }

    synchronized String id() {
        return id;
    }

    /** The question to ask next: again a question without an answer, or a new one; null if the session is closed. */
    synchronized StepSeen next() {
        if (closedBecause != null) {
            return null;
        }
        if (steps.isEmpty() || steps.getLast().isAnswered()) {
            steps.add(new StepSeen(steps.size() + 1L));
        }
        return steps.getLast();
    }

    synchronized boolean hasUnknown() {
        return closedBecause == null && !steps.isEmpty() && steps.getLast().isUnknown();
    }

    /** The step with this number; null if nothing was sent under it. */
    synchronized StepSeen step(long sequence) {
        return sequence <= steps.size() ? steps.get((int) sequence - 1) : null;
    }

    synchronized List<StepSeen> answered() {
        return steps.stream().filter(StepSeen::isAnswered).toList();
    }

    synchronized void sends(StepSeen step, String body, int life) {
        step.sends(body, life);
    }

    /** Keeps a first answer, and says whether this one agrees with it. */
    synchronized boolean answered(StepSeen step, String body, Reply reply, int life) {
        if (!step.isAnswered()) {
            step.answered(body, reply, life);
            String closed = reply.json().path("closedBecause").stringValue("");
            if (!closed.isEmpty()) {
                closedBecause = closed;
            }
            return true;
        }
        return step.answeredBody().equals(body) && step.answer().isRepeatedBy(reply);
    }

    synchronized void settledByRefusal(StepSeen step) {
        step.settledByRefusal();
    }

    synchronized long positives(long upTo) {
        return steps.stream()
                .filter(step -> step.sequence() <= upTo && step.isAnswered() && step.isPositive())
                .count();
    }

    /** Why it is closed, as far as the clients know; null if it is open. */
    synchronized String closedBecause() {
        return closedBecause;
    }

    synchronized void expired() {
        closedBecause = "expired";
    }

    /** Gaps that were answered in a life of the service, in a group for each life. */
    synchronized List<List<Long>> gapsByLife() {
        return steps.stream()
                .filter(step -> step.isAnswered() && step.isPositive() && step.life() >= 0)
                .collect(Collectors.groupingBy(
                        StepSeen::life, TreeMap::new, Collectors.mapping(StepSeen::gap, Collectors.toList())))
                .values()
                .stream()
                .toList();
    }
}
