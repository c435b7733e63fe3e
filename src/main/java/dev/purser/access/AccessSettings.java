package dev.purser.access;

import dev.purser.store.Secret;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of access, as {@code purser.admin-key} and {@code purser.web.*}.
 *
 * @param adminKey the administrator key; if it is empty, the one in the home
 * @param web the sites whose pages may call the service
 */
@ConfigurationProperties("purser")
public record AccessSettings(
        @DefaultValue("") Secret adminKey, @DefaultValue AllowedOrigins web) {}
