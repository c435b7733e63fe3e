package dev.purser.dataset.web;

import dev.purser.digest.Sha256;
import java.io.OutputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.springframework.http.CacheControl;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/**
 * What dashboards read again and again, with an {@code ETag}. With {@code If-None-Match}, it is sent only if it
 * changed. The tag is a digest of the JSON, which is written once for the digest alone: its bytes are not kept.
 */
@Component
class ConditionalReads {
    private final JsonMapper json;

    ConditionalReads(JsonMapper json) {
        this.json = json;
    }

    /** Weak, because the body may be compressed. */
    <T> ResponseEntity<T> of(T view) {
        MessageDigest digest = Sha256.begin();
        json.writeValue(new DigestOutputStream(OutputStream.nullOutputStream(), digest), view);
        return ResponseEntity.ok()
                .cacheControl(CacheControl.noCache().cachePrivate())
                .eTag("W/\"" + HexFormat.of().formatHex(digest.digest()) + '"')
                .body(view);
    }
}
