package dev.purser.problem.web;

import dev.purser.problem.FatalErrors;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Unforeseen failures. The client gets only a reference number; the log gets the code that failed. Neither gets the
 * exception's message, because it may contain a value.
 */
final class InternalErrors {
    private static final Logger LOG = LoggerFactory.getLogger(InternalErrors.class);
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int MAX_CAUSES = 8;

    private InternalErrors() {}

    /** Logs {@code failure} and returns the refusal that refers to the log entry. */
    static ProblemException of(Throwable failure) {
        FatalErrors.check(failure);
        byte[] bytes = new byte[8];
        RANDOM.nextBytes(bytes);
        String reference = HexFormat.of().formatHex(bytes);
        LOG.error("internal error, reference {}: {}", reference, withoutMessages(failure));
        return ProblemException.of(
                        ProblemType.INTERNAL_ERROR, "The service failed; see its log for reference " + reference)
                .with("reference", reference);
    }

    /** The classes of the failure and its causes, each with the first stack element in this service, in one line. */
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
