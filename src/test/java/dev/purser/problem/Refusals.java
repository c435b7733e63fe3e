package dev.purser.problem;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Checks refusals where they are thrown, without HTTP. */
public final class Refusals {
    private Refusals() {}

    /** Returns the refusal in which the call ends. It must have this type. */
    public static ProblemException refusedAs(ProblemType type, ThrowingCallable call) {
        ProblemException refusal = catchThrowableOfType(ProblemException.class, call);
        assertThat(refusal).as("a refusal").isNotNull();
        assertThat(refusal.type()).as(refusal.getMessage()).isEqualTo(type);
        return refusal;
    }
}
