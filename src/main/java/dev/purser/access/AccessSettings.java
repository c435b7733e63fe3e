package dev.purser.access;

import dev.purser.store.Secret;
import jakarta.validation.Valid;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Settings of access, as {@code purser.admin-key}, {@code purser.web.*}, {@code purser.identity.*} and
 * {@code purser.rates.*}.
 *
 * @param adminKey the administrator key; if it is empty, the key in the home
 * @param web the sites whose pages may call the service, and the proxies in front of it
 * @param identity the identity provider whose tokens sign in
 * @param rates how often principals may ask
 */
@Validated
@ConfigurationProperties("purser")
public record AccessSettings(
        @DefaultValue("") Secret adminKey,
        @DefaultValue AllowedOrigins web,
        @DefaultValue IdentitySettings identity,
        @Valid @DefaultValue RateSettings rates) {}
