package dev.purser.dataset;

import dev.purser.dataset.ingest.UploadRehearsal;
import dev.purser.dataset.jail.JailedParser;
import dev.purser.store.PurserHome;
import dev.purser.task.Task;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Gets a service that has just started ready for its first upload, unless that comes before: docs/adr/0028. */
@Component
final class FirstUpload {
    /** A start has the processors busy for a while, and those who waited for it come first. */
    private static final Duration AFTER_FIRST_ANSWERS = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(FirstUpload.class);

    private final Path folder;
    private final JailedParser parser;
    private final DatasetUploads uploads;

    FirstUpload(PurserHome home, JailedParser parser, DatasetUploads uploads) {
        folder = home.path().resolve("rehearsal");
        this.parser = parser;
        this.uploads = uploads;
    }

    @EventListener(ApplicationReadyEvent.class)
    void expect() {
        Task.start("first-upload", this::prepare);
    }

    private boolean prepare() throws InterruptedException {
        if (parser.standing() == JailedParser.Standing.REFUSED) {
            return false;
        }
        parser.prepareNext();
        Thread.sleep(AFTER_FIRST_ANSWERS);
        try {
            if (uploads.areIdle()) {
                UploadRehearsal.run(folder, uploads::areIdle);
            }
        } catch (IOException e) {
            LOG.warn("no upload could be rehearsed: {}", e.getClass().getName());
        } finally {
            parser.prepareNext();
        }
        return true;
    }
}
