package dev.purser.journal;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** How the service refuses a row that was changed from outside. */
public final class ChangedRows {
    private ChangedRows() {}

    /** Requires that the request is refused with the name of the object, and that the refusal is counted. */
    public static void refused(String object, ThrowingCallable asked) {
        MeterRegistry meters = new SimpleMeterRegistry();
        Metrics.addRegistry(meters);
        try {
            assertThatExceptionOfType(ProblemException.class)
                    .isThrownBy(asked)
                    .withMessageContaining(object)
                    .matches(refusal -> refusal.type() == ProblemType.INTERNAL_ERROR);
            assertThat(meters.counter(ChangedRow.METER).count()).isPositive();
        } finally {
            Metrics.removeRegistry(meters);
        }
    }
}
