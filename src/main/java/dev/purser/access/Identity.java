package dev.purser.access;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.regex.Pattern;

/**
 * A person or program as an identity provider knows it: the claims {@code iss} and {@code sub} of its tokens. A subject
 * has a meaning only with its issuer, so the two are stored and compared together.
 *
 * @param issuer the provider, exactly as its tokens name it
 * @param subject unique within the provider; 1 to 255 visible ASCII characters
 */
@Schema(description = "Somebody as an identity provider knows them.")
public record Identity(
        @Schema(description = "The provider, as its tokens name it.", example = "https://id.example")
        String issuer,

        @Schema(description = "The claim `sub` of the tokens.", example = "248289761001")
        String subject) {
    static final Pattern SUBJECT = Pattern.compile("[!-~]{1,255}");

    /** @throws IllegalArgumentException if the subject has another form */
    public Identity {
        if (!SUBJECT.matcher(subject).matches()) {
            throw new IllegalArgumentException("a subject has 1 to 255 visible ASCII characters");
        }
    }
}
