package dev.purser.ledger;

import dev.purser.journal.JournaledRows;
import java.util.stream.Stream;

/** The deciding rows of questions, for tests of other packages. */
public final class JournaledForTests {
    private JournaledForTests() {}

    public static Stream<JournaledRows> questions() {
        JournaledQuestions questions = new JournaledQuestions();
        return Stream.of(
                questions.plans(),
                questions.answers(),
                questions.forms(),
                questions.releasedIntegers(),
                questions.refinements());
    }
}
