package dev.purser.problem.web;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What nobody foresaw. The client learns a reference number and nothing else; the log learns which code failed. Neither sees
 * the exception's message, which may hold a value.
 */
final class InternalErrors {
    private static final Logger LOG = LoggerFactory.getLogger(InternalErrors.class);
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int MAX_CAUSES = 8;

    private InternalErrors() {}

    /** Logs {@code failure} and gives the refusal that names the log entry. */
    static ProblemException of(Throwable failure) {
        byte[] bytes = new byte[8];
        RANDOM.nextBytes(bytes);
        String reference = HexFormat.of().formatHex(bytes);
        LOG.error("internal error, reference {}: {}", reference, withoutMessages(failure));
        return ProblemException.of(
                        ProblemType.INTERNAL_ERROR, "The service failed; its log explains reference " + reference)
                .with("reference", reference);
    }

    /** The classes of the failure and its causes, each with the place in this service where it came by, in one line. */
    static String withoutMessages(Throwable failure) {
        StringBuilder line = new StringBuilder();
        Throwable each = failure;
        for (int i = 0; each != null && i < MAX_CAUSES; i++) {
            line.append(i == 0 ? "" : ", caused by ").append(each.getClass().getName());
            for (StackTraceElement element : each.getStackTrace()) {
                if (element.getClassName().startsWith("dev.purser.")) {
                    line.append(" in ").append(element);
                    break;
                }
            }
            each = each.getCause();
        }
        return line.toString();
    }
}
