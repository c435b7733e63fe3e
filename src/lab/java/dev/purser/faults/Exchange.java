package dev.purser.faults;

import dev.purser.privacy.BlockWindow;

/** All that the clients saw of one question. Guarded by itself. */
final class Exchange {
    private final Asked asked;
    private Reply answer;
    private int pending;
    private int refusals;
    private boolean uncertain;
    private String queryId = "";
    private String count = "";
    private String synopsisId = "";
    private String freeAnswers = "";
    private BlockWindow window;

    Exchange(Asked asked) {
        this.asked = asked;
    }

    Asked asked() {
        return asked;
    }

    synchronized void sends() {
        pending++;
    }

    synchronized void unsent() {
        pending--;
    }

    synchronized void lost() {
        pending--;
        uncertain = true;
    }

    /** Keeps the first answer, and gives the one that a later answer has to equal. */
    synchronized Reply received(Reply reply) {
        pending--;
        if (reply.isAnswer()) {
            if (answer == null) {
                answer = reply.remembered();
                window = DividedDataset.window(reply.json().path("question").path("blocks"));
                queryId = reply.json().path("queryId").stringValue("");
                count = reply.json().at("/answer/count").asString("");
                synopsisId = reply.json().at("/answer/synopsisId").stringValue("");
            }
            return answer;
        }
        if (reply.isRefusal()) {
            refusals++;
        } else {
            uncertain = true;
        }
        return null;
    }

    /** Notes that the outcome is known: the question was asked again after every lost reply, and was refused. */
    synchronized void settledByRefusal() {
        uncertain = false;
    }

    /** The answer that was seen, or null. */
    synchronized Reply answer() {
        return answer;
    }

    /** The id of the answer; empty without one. */
    synchronized String queryId() {
        return queryId;
    }

    /** The count that was answered; empty without one. */
    synchronized String count() {
        return count;
    }

    /** The id of the synopsis that was bought; empty if none was. */
    synchronized String synopsisId() {
        return synopsisId;
    }

    /** The blocks that the answer is about; null without an answer or blocks. */
    synchronized BlockWindow window() {
        return window;
    }

    /** Keeps the digest of the first free answers of the synopsis, and says whether these are the same. */
    synchronized boolean answersAsBefore(String digest) {
        freeAnswers = freeAnswers.isEmpty() ? digest : freeAnswers;
        return freeAnswers.equals(digest);
    }

    /** Whether it was sent, perhaps booked, and no reply came. */
    synchronized boolean isUnknown() {
        return answer == null && (uncertain || pending > 0);
    }

    /** Whether every attempt had a reply, and every reply was a refusal. */
    synchronized boolean isRefused() {
        return answer == null && !uncertain && pending == 0 && refusals > 0;
    }
}
