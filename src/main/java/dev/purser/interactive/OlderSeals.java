package dev.purser.interactive;

import dev.purser.store.PurserHome;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Seals the states of earlier versions again, at the first start on a home. They were bound to an id and a version
 * alone, and the service accepts no such state at any later time. The mark of the first start is in the home, so
 * whoever can write the database cannot take it back.
 *
 * <p>If we stop before the mark is written, the next start finds the states sealed already.
 */
@Component
final class OlderSeals {
    private static final Logger LOG = LoggerFactory.getLogger(OlderSeals.class);

    OlderSeals(Interactions interactions, PurserHome home) {
        Path mark = home.path().resolve("states.bound");
        if (Files.exists(mark)) {
            return;
        }
        int count = interactions.sealOlderAgain();
        if (count > 0) {
            LOG.info("the states of {} open sessions are bound to their declarations now", count);
        }
        home.writePrivately(mark, "purser-interaction-2\n".getBytes(StandardCharsets.US_ASCII));
    }
}
