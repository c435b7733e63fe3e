package dev.purser.ledger.proof;

import dev.purser.store.Secret;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The setting of receipts, {@code purser.signing-key}.
 *
 * @param signingKey the keys of receipts, newest first, PKCS#8 as PEM or base64, with commas between them; if it is
 *     empty, the keys in the home
 */
@ConfigurationProperties("purser")
public record SigningSettings(@DefaultValue("") Secret signingKey) {}
