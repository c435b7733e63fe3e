package dev.purser.admission;

import java.time.Duration;

/** An admission to one heavy work at a time. A request waits for it only long enough to show that it waits. */
public final class ImpatientAdmission {
    private ImpatientAdmission() {}

    /** An admission that nobody else uses. */
    public static AdmissionControl open() {
        return new AdmissionControl(256L << 20, 8, 32 << 20, Duration.ofMillis(50));
    }
}
