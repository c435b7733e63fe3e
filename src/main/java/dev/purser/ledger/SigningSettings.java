package dev.purser.ledger;

import dev.purser.store.Secret;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The setting of the ledger's books, {@code purser.signing-key}.
 *
 * @param signingKey the key of receipts and the anchor, PKCS#8 as PEM or base64; if it is empty, the one in the home
 */
@ConfigurationProperties("purser")
public record SigningSettings(@DefaultValue("") Secret signingKey) {}
