package dev.purser.http;

import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.stereotype.Component;

/** Whether the service is about to stop. It waits for requests that are answered, so what could go on for ever ends. */
@Component
public final class ServiceStop implements ApplicationListener<ContextClosedEvent> {
    private volatile boolean begun;

    /** Whether the stop has begun. */
    public boolean hasBegun() {
        return begun;
    }

    @Override
    public void onApplicationEvent(ContextClosedEvent event) {
        begun = true;
    }
}
