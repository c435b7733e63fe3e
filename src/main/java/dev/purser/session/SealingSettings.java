package dev.purser.session;

import dev.purser.store.Secret;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The setting of secret states, {@code purser.sealing-key}.
 *
 * @param sealingKey the keys that seal states, newest first, 32 bytes in base64 with commas between them; if it is
 *     empty, those in the home
 */
@ConfigurationProperties("purser")
public record SealingSettings(@DefaultValue("") Secret sealingKey) {}
