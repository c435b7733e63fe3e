package dev.purser.settings;

import dev.purser.store.StartupRefusal;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindException;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.validation.BindValidationException;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.FieldError;

/** Makes Spring Boot print which setting is refused, its rule, and the value unless it may be a password. */
final class RefusedSettingAnalyzer extends AbstractFailureAnalyzer<ConfigurationPropertiesBindException> {
    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, ConfigurationPropertiesBindException failure) {
        BindValidationException broken = findCause(rootFailure, BindValidationException.class);
        BindException unbound = findCause(rootFailure, BindException.class);
        if (unbound == null || findCause(rootFailure, StartupRefusal.class) != null) {
            return null;
        }
        return new FailureAnalysis(
                broken == null ? reason(unbound) : reasons(broken),
                "Correct the setting. docs/operating.md lists all settings with what they may be.",
                failure);
    }

    private static String reasons(BindValidationException broken) {
        String prefix = broken.getValidationErrors().getName() + ".";
        return broken.getValidationErrors().getAllErrors().stream()
                .map(error -> error instanceof FieldError field
                        ? sentence(
                                prefix
                                        + DataObjectPropertyName.toDashedForm(
                                                field.getField().replaceAll("\\[([a-z0-9-]+)]", ".$1")),
                                String.valueOf(field.getDefaultMessage()),
                                field.getRejectedValue())
                        : prefix + " " + error.getDefaultMessage())
                .collect(Collectors.joining(" "));
    }

    private static String reason(BindException unbound) {
        if (unbound.getProperty() == null) {
            // The message is from the check of a record, and names the setting.
            return NestedExceptionUtils.getMostSpecificCause(unbound).getMessage() + ".";
        }
        String form =
                form(Objects.requireNonNullElse(unbound.getTarget().getType().resolve(), Object.class));
        return sentence(
                unbound.getName().toString(),
                "must be " + form,
                unbound.getProperty().getValue());
    }

    private static String form(Class<?> type) {
        if (type.isEnum()) {
            return Arrays.stream(type.getEnumConstants())
                    .map(each -> each.toString().toLowerCase(Locale.ROOT))
                    .collect(Collectors.joining(", ", "one of ", ""));
        }
        if (type.equals(boolean.class)) {
            return "true or false";
        }
        if (type.equals(Duration.class)) {
            return "a duration, for example 30s";
        }
        return type.equals(DataSize.class) ? "a size, for example 8GB" : "a whole number";
    }

    private static String sentence(String name, String rule, @Nullable Object value) {
        boolean mayBeAPassword = name.startsWith("purser.connections") || name.startsWith("purser.ledger");
        String sent = value instanceof Duration duration ? DurationStyle.SIMPLE.print(duration) : String.valueOf(value);
        return name + " " + rule + (mayBeAPassword ? "." : ", was " + sent + ".");
    }
}
