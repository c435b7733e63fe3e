package dev.purser.tables;

import jakarta.validation.Valid;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The settings {@code purser.connections.<name>.*}: the databases whose tables can be datasets.
 *
 * @param connections the connections by name
 */
@Validated
@ConfigurationProperties("purser")
public record TableSettings(@DefaultValue Map<String, @Valid ConnectionSettings> connections) {}
