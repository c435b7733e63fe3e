package dev.purser.synopsis;

import dev.purser.access.Principal;
import dev.purser.admission.AdmissionControl;
import org.springframework.stereotype.Service;

/** Asks a synopsis for a principal, in turn with heavy work if the synopsis or the questions are large. */
@Service
public class FreeAsking {
    private final Synopses synopses;
    private final AdmissionControl admission;

    FreeAsking(Synopses synopses, AdmissionControl admission) {
        this.synopses = synopses;
        this.admission = admission;
    }

    /** Answers questions, as {@link Synopses#answers} does. */
    public FreeAnswers ask(Principal principal, Synopsis synopsis, FreeQuestions questions) {
        return synopsis.isLarge() || questions.isLarge()
                ? admission.heavily(principal.name(), () -> synopses.answers(synopsis, questions))
                : admission.looking(principal.name(), () -> synopses.answers(synopsis, questions));
    }
}
