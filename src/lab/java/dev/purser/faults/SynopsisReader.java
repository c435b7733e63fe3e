package dev.purser.faults;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** I20: asks free questions about synopses. Every reply must have the numbers that were seen first. */
final class SynopsisReader {
    private static final int BACK_OFF_MILLIS = 50;

    private final Api api;
    private final Witness witness;
    private final Findings findings;

    SynopsisReader(Api api, Witness witness, Findings findings) {
        this.api = api;
        this.witness = witness;
        this.findings = findings;
    }

    /** Asks a synopsis once, and says whether there was a reply. */
    boolean ask(Exchange bought) throws InterruptedException {
        String key = bought.asked().key();
        try {
            Reply reply = api.send(
                    "/v1/synopses/" + bought.synopsisId() + "/answers",
                    bought.asked().freeQuestions());
            witness.note("synopsis " + key + " " + reply.status() + " " + reply.bodyDigest());
            if (reply.status() == 503) {
                return false;
            }
            findings.count("free answers compared");
            findings.holds(
                    reply.isAnswer() && bought.answersAsBefore(reply.bodyDigest()),
                    "I20",
                    "a synopsis cannot be read, or has other numbers than before: " + reply,
                    key);
            return true;
        } catch (IOException lost) {
            return false;
        }
    }

    /** Asks each of these synopses until there is a reply. */
    void readBack(List<Exchange> synopses, Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        for (Exchange bought : synopses) {
            boolean isRead = ask(bought);
            while (!isRead && System.nanoTime() < deadline) {
                Thread.sleep(BACK_OFF_MILLIS);
                isRead = ask(bought);
            }
            findings.count("synopses read back");
            findings.holds(
                    isRead,
                    "I20",
                    "no answers within " + patience.toSeconds() + " s",
                    bought.asked().key());
        }
    }
}
