package dev.purser.faults;

import java.util.ArrayList;
import java.util.List;

/** What was sent under one sequence number of a session, and what came back. Guarded by its session. */
final class StepSeen {
    private final long sequence;
    private final List<String> bodies = new ArrayList<>();
    private boolean unknown;
    private int sentInLife = -1;
    private int answeredInLife = -1;
    private String answeredBody;
    private Reply answer;
    private boolean positive;
    private long gap;

    StepSeen(long sequence) {
        this.sequence = sequence;
    }

    long sequence() {
        return sequence;
    }

    /** The bodies that were sent under this number. At most one of them has an answer. */
    List<String> bodies() {
        return List.copyOf(bodies);
    }

    void sends(String body, int life) {
        if (!bodies.contains(body)) {
            bodies.add(body);
        }
        unknown = true;
        if (sentInLife < 0) {
            sentInLife = life;
        }
    }

    /** Notes that nothing is in flight any more, and that the last reply said that the step cannot be paid. */
    void settledByRefusal() {
        unknown = false;
    }

    boolean isUnknown() {
        return unknown && answer == null;
    }

    void answered(String body, Reply reply, int life) {
        answeredBody = body;
        answer = reply.remembered();
        answeredInLife = life;
        positive = reply.json().path("outcome").stringValue("").equals("ABOVE");
        gap = reply.json().path("gap").asLong(0);
    }

    boolean isAnswered() {
        return answer != null;
    }

    Reply answer() {
        return answer;
    }

    String answeredBody() {
        return answeredBody;
    }

    boolean isPositive() {
        return positive;
    }

    long gap() {
        return gap;
    }

    /** The life of the service in which the step was first sent and also answered; -1 if these are two lives. */
    int life() {
        return sentInLife == answeredInLife ? answeredInLife : -1;
    }
}
