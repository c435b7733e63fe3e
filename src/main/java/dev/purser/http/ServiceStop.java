package dev.purser.http;

import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.stereotype.Component;

/** Whether the service is about to stop. The stop waits for requests, so an endless reply has to end. */
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
