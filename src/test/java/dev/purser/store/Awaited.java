package dev.purser.store;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import static org.assertj.core.api.Assertions.assertThat;

/** Waits until something happens by itself, at most as long as a busy machine may take. */
public final class Awaited {
    private Awaited() {}

    public static void awaitThat(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited long enough").isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }
}
