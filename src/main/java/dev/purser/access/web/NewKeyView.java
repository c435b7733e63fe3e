package dev.purser.access.web;

import dev.purser.access.Role;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

@Schema(name = "IssuedKey", description = "A new key. It is not shown again.")
record NewKeyView(
        @Schema(description = "Identifies the key; it is not secret.", example = "k3xq7o2vh5ztw4na")
        String keyId,

        @Schema(description = "The principal.", example = "ana")
        String name,

        Role role,

        @Schema(
                description = "The key to send as `Authorization: Bearer …`; null for an identity, which has none.",
                example = "purser_k3xq7o2vh5ztw4na_eW91IHNlZSBhbiBleGFtcGxlIG9mIGEgc2VjcmV0ISE")
        @Nullable
        String key) {
    /** Omits the key: the framework logs the text of what it sends. */
    @Override
    public String toString() {
        return "NewKeyView[" + keyId + "]";
    }
}
