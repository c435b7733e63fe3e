package dev.purser.settings;

import dev.purser.json.Alternatives;
import dev.purser.store.StartupRefusal;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.stereotype.Component;

/**
 * Stops the start if an operator set a setting of this service that no code reads. The operator expects an effect,
 * often a protection. This runs before any bean is made, so nothing is created.
 *
 * <p>Container platforms set variables for a service of this name. These are not settings.
 */
@Component
public final class UnreadSettings implements BeanFactoryPostProcessor {
    private static final String PREFIX = "purser.";
    private static final Pattern OF_PLATFORMS = Pattern.compile("PURSER_(PORT|SERVICE_).*");

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory factory) {
        List<Setting> known = Stream.of(factory.getBeanDefinitionNames())
                .map(bean -> factory.getType(bean, false))
                .filter(Objects::nonNull)
                .flatMap(UnreadSettings::settings)
                .toList();
        ConfigurableEnvironment environment =
                factory.getBean(ConfigurableApplicationContext.ENVIRONMENT_BEAN_NAME, ConfigurableEnvironment.class);
        List<String> unread = environment.getPropertySources().stream()
                .flatMap(source -> unread(source, known))
                .distinct()
                .toList();
        if (!unread.isEmpty()) {
            throw new StartupRefusal(
                    "Nothing reads " + String.join(", nor ", unread) + ".",
                    "Correct the name or remove it. docs/operating.md lists all settings.");
        }
    }

    /** The settings in a type, if it is a record of this service's settings. */
    static Stream<Setting> settings(Class<?> type) {
        ConfigurationProperties properties = AnnotationUtils.findAnnotation(type, ConfigurationProperties.class);
        return properties != null && type.isRecord() && (properties.value() + ".").startsWith(PREFIX)
                ? Setting.of(properties.value(), type)
                : Stream.empty();
    }

    private static Stream<String> unread(PropertySource<?> source, List<Setting> known) {
        if (!(source instanceof EnumerablePropertySource<?> named)) {
            return Stream.empty();
        }
        boolean variables = source instanceof SystemEnvironmentPropertySource;
        return Stream.of(named.getPropertyNames())
                .filter(name -> variables ? isUnreadVariable(name, known) : isUnreadProperty(name, known))
                .map(name -> described(
                        name,
                        known.stream()
                                .map(setting -> setting.meantBy(name, variables))
                                .toList()));
    }

    private static boolean isUnreadVariable(String name, List<Setting> known) {
        String upper = name.toUpperCase(Locale.ROOT);
        return upper.startsWith("PURSER_")
                        && !OF_PLATFORMS.matcher(upper).matches()
                        && known.stream().noneMatch(setting -> setting.isVariable(dotted(upper)))
                || isUnreadProperty(name, known);
    }

    private static String dotted(String variable) {
        return variable.toLowerCase(Locale.ROOT).replace('_', '.');
    }

    private static boolean isUnreadProperty(String name, List<Setting> known) {
        if (!name.toLowerCase(Locale.ROOT).startsWith(PREFIX)) {
            return false;
        }
        ConfigurationPropertyName read = ConfigurationPropertyName.adapt(name, '.');
        String property = IntStream.range(0, read.getNumberOfElements())
                .mapToObj(i -> read.getElement(i, ConfigurationPropertyName.Form.UNIFORM))
                .collect(Collectors.joining("."));
        return known.stream().noneMatch(setting -> setting.isProperty(property));
    }

    /** Compares names without their common prefix. */
    private static String described(String name, List<String> known) {
        String start = name.substring(0, PREFIX.length());
        List<String> ends =
                known.stream().map(each -> each.substring(PREFIX.length())).toList();
        return name
                + Alternatives.nearestName(name.substring(PREFIX.length()), ends)
                        .map(end -> " (the nearest is " + start + end + ")")
                        .orElse("");
    }
}
