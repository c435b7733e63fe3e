package dev.purser.admission;

import java.time.Duration;

/** An admission to one heavy work at a time, for which a request waits no longer than it takes to see that it waits. */
public final class ImpatientAdmission {
    private ImpatientAdmission() {}

    /** One that nobody else uses. */
    public static AdmissionControl open() {
        return new AdmissionControl(256L << 20, 8, 32 << 20, Duration.ofMillis(50));
    }
}
