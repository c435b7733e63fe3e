package dev.purser.json;

import dev.purser.problem.ProblemException;
import dev.purser.problem.Violation;
import jakarta.servlet.http.HttpServletRequest;
import java.security.SecureRandom;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import org.springframework.stereotype.Component;

/** The {@code Idempotency-Key} of a request that spends: the client's own, or a random one. */
@Component
public class IdempotencyKeys {
    public static final String HEADER = "Idempotency-Key";

    private static final Pattern VISIBLE_ASCII = Pattern.compile("[\\x21-\\x7e]{1,255}");
    private static final int RANDOM_BYTES = 16;

    private final SecureRandom random = new SecureRandom();

    /**
     * The request's key, or a new one.
     *
     * @throws ProblemException {@code validation-failed} for a key of another form, or several of them
     */
    public String of(HttpServletRequest request) {
        List<String> sent = Collections.list(request.getHeaders(HEADER));
        if (sent.isEmpty()) {
            byte[] bytes = new byte[RANDOM_BYTES];
            random.nextBytes(bytes);
            return HexFormat.of().formatHex(bytes);
        }
        if (sent.size() > 1 || !VISIBLE_ASCII.matcher(sent.getFirst()).matches()) {
            throw ProblemException.validation(
                    Violation.ofHeader(HEADER, HEADER + " must be sent once, as 1 to 255 visible ASCII characters"));
        }
        return sent.getFirst();
    }
}
