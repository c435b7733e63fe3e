package dev.purser.upload.web;

import dev.purser.problem.ProblemException;
import dev.purser.problem.Violation;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The {@code Content-Digest} header of RFC 9530. Only its SHA-256 is verified. */
final class ContentDigest {
    private static final String NAME = "Content-Digest";
    private static final Pattern DICTIONARY =
            Pattern.compile("\\s*[a-z0-9-]+=:[A-Za-z0-9+/]*={0,2}:\\s*(?:,\\s*[a-z0-9-]+=:[A-Za-z0-9+/]*={0,2}:\\s*)*");
    private static final Pattern SHA_256 = Pattern.compile("(?:^|[\\s,])sha-256=:([A-Za-z0-9+/]{43}=):");

    private ContentDigest() {}

    /**
     * The announced SHA-256, if a header was sent.
     *
     * @throws ProblemException {@code validation-failed} if the header has no digest that can be verified, because the
     *     sender would believe that its file was verified
     */
    static Optional<byte[]> sha256(@Nullable String header) {
        if (header == null) {
            return Optional.empty();
        }
        byte[] announced = null;
        if (header.length() <= 1_000 && DICTIONARY.matcher(header).matches()) {
            Matcher member = SHA_256.matcher(header);
            while (member.find()) {
                // If a member is sent more than once, the last counts (RFC 9651, 4.2.2).
                announced = Base64.getDecoder().decode(member.group(1));
            }
        }
        if (announced == null) {
            throw ProblemException.validation(
                    Violation.ofHeader(NAME, NAME + " must hold sha-256=:<44 characters of base64>: (RFC 9530)"));
        }
        return Optional.of(announced);
    }
}
