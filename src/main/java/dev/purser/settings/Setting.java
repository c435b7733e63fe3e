package dev.purser.settings;

import dev.purser.store.Secret;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;

/**
 * One setting in a record.
 *
 * @param name the name in the documentation, for example {@code purser.engine.max-open}; {@value #KEY} is any key of a
 *     map
 * @param type the type of its value
 */
record Setting(String name, Class<?> type) {
    static final String KEY = "<name>";

    /** The settings in a record whose name begins with {@code prefix}. */
    static Stream<Setting> of(String prefix, Class<?> record) {
        return Arrays.stream(record.getRecordComponents()).flatMap(component -> of(prefix, component));
    }

    private static Stream<Setting> of(String prefix, RecordComponent component) {
        String name = prefix + "." + DataObjectPropertyName.toDashedForm(component.getName());
        Class<?> type = component.getType();
        if (type.equals(Map.class)) {
            Type value = ((ParameterizedType) component.getGenericType()).getActualTypeArguments()[1];
            name += "." + KEY;
            type = (Class<?>) value;
        }
        return type.isRecord() && !type.equals(Secret.class) ? of(name, type) : Stream.of(new Setting(name, type));
    }

    /** Whether a property, in lower case, without dashes, and with dots around indices, is this setting. */
    boolean isProperty(String property) {
        return matches(property, part -> part.replace("-", ""));
    }

    /** Whether a variable, in lower case and with dots for underscores, is this setting. */
    boolean isVariable(String variable) {
        return isProperty(variable) || matches(variable, part -> part.replace('-', '.'));
    }

    private boolean matches(String sent, UnaryOperator<String> form) {
        String any = name.endsWith(KEY) ? ".+" : "[^.]+";
        String pattern = Arrays.stream(name.split("\\.", -1))
                .map(part -> part.equals(KEY) ? any : Pattern.quote(form.apply(part)))
                .collect(Collectors.joining("\\.", "", Collection.class.isAssignableFrom(type) ? "(\\.[0-9]+)?" : ""));
        return sent.matches(pattern);
    }

    /**
     * This setting's name in the form of the sent name, which may be a misspelling of it: with the same key, and as a
     * variable if the sent name is a variable.
     */
    String meantBy(String sent, boolean isVariable) {
        String[] sentParts = sent.split(isVariable ? "_" : "\\.", -1);
        String[] parts = name.split("\\.", -1);
        int key = Arrays.asList(parts).indexOf(KEY);
        if (key >= 0 && key < sentParts.length) {
            parts[key] = sentParts[key];
        }
        String meant = String.join(".", parts);
        return isVariable ? meant.toUpperCase(Locale.ROOT).replaceAll("[.-]", "_") : meant;
    }
}
