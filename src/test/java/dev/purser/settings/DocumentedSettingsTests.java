package dev.purser.settings;

import jakarta.validation.Validation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.validation.ValidationBindHandler;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.util.ClassUtils;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.beanvalidation.SpringValidatorAdapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The tables of docs/operating.md against the records of the modules: names, defaults and ranges. */
class DocumentedSettingsTests {
    private static final Pattern ROW = Pattern.compile(
            "^\\| `(purser\\.[a-z.<>-]+)` \\| (?:–|`([^`]+)`|([^|`]+?)) \\| ([^|]*?) \\|", Pattern.MULTILINE);
    private static final Pattern RANGE = Pattern.compile("(\\S+) to (\\S+)");
    private static final Set<Class<?>> MEASURES = Set.of(int.class, Integer.class, Duration.class, DataSize.class);
    private static final SpringValidatorAdapter VALIDATOR =
            new SpringValidatorAdapter(Validation.buildDefaultValidatorFactory().getValidator());

    /** Room for every value of the setting that is tried. */
    private static final Map<String, String> OTHERS = Map.of(
            "purser.release.longest", "24h",
            "purser.release.quantum", "1ms",
            "purser.connections.sum.host", "db.example",
            "purser.connections.sum.user", "reader");

    /** One row of a table. */
    record Documented(String name, String byDefault, String range) {
        String property() {
            return name.replace(Setting.KEY, "sum");
        }

        Class<?> record() {
            return records().stream()
                    .filter(record -> UnreadSettings.settings(record)
                            .anyMatch(setting -> setting.name().equals(name)))
                    .findFirst()
                    .orElseThrow();
        }

        Object bound(String value) {
            Map<String, String> properties = new HashMap<>(OTHERS);
            properties.put(property(), value);
            return DocumentedSettingsTests.bound(record(), properties);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static Object bound(Class<?> record, Map<String, String> properties) {
        String prefix = record.getAnnotation(ConfigurationProperties.class).value();
        return new Binder(new MapConfigurationPropertySource(properties))
                .bindOrCreate(prefix, Bindable.of(record), new ValidationBindHandler(VALIDATOR));
    }

    private static List<Class<?>> records() {
        ClassPathScanningCandidateComponentProvider scan = new ClassPathScanningCandidateComponentProvider(false);
        scan.addIncludeFilter(new AnnotationTypeFilter(ConfigurationProperties.class));
        return scan.findCandidateComponents("dev.purser").stream()
                .<Class<?>>map(found -> ClassUtils.resolveClassName(String.valueOf(found.getBeanClassName()), null))
                .toList();
    }

    static List<Documented> rows() throws IOException {
        return ROW.matcher(Files.readString(Path.of("docs/operating.md")))
                .results()
                .map(row -> new Documented(row.group(1), row.group(2) == null ? "" : row.group(2), row.group(4)))
                .toList();
    }

    @Test
    void everySettingIsDocumentedOnceAndNothingElse() throws IOException {
        assertThat(rows())
                .extracting(Documented::name)
                .hasSizeGreaterThan(30)
                .containsExactlyInAnyOrderElementsOf(records().stream()
                        .flatMap(UnreadSettings::settings)
                        .map(Setting::name)
                        .toList());
    }

    @Test
    void everyModuleHoldsItsSettingsInOneRecord() throws IOException {
        assertThat(records().stream()
                        .collect(Collectors.groupingBy(Class::getPackageName, Collectors.counting()))
                        .values())
                .isNotEmpty()
                .allMatch(records -> records == 1);
        try (Stream<Path> sources = Files.walk(Path.of("src/main/java"))) {
            assertThat(sources.filter(source -> source.toString().endsWith(".java")))
                    .as("settings that are read without a record")
                    .allSatisfy(source -> assertThat(source).content().doesNotContain("${purser"));
        }
    }

    @ParameterizedTest
    @MethodSource("rows")
    void theDefaultIsAsDocumented(Documented row) {
        assertThat(row.bound(row.byDefault())).isEqualTo(bound(row.record(), without(row.property())));
    }

    private static Map<String, String> without(String property) {
        Map<String, String> others = new HashMap<>(OTHERS);
        others.remove(property);
        return others;
    }

    @ParameterizedTest
    @MethodSource("rows")
    void theRangeIsAsDocumented(Documented row) {
        Class<?> type = UnreadSettings.settings(row.record())
                .filter(setting -> setting.name().equals(row.name()))
                .findFirst()
                .orElseThrow()
                .type();
        Matcher range = RANGE.matcher(row.range());
        assertThat(range.matches()).as("has a range").isEqualTo(MEASURES.contains(type));
        if (range.matches()) {
            row.bound(range.group(1));
            row.bound(range.group(2));
            assertRefused(row, stepped(type, range.group(1), -1));
            assertRefused(row, stepped(type, range.group(2), 1));
        }
    }

    private static void assertRefused(Documented row, String value) {
        assertThatExceptionOfType(BindException.class).as(value).isThrownBy(() -> row.bound(value));
    }

    private static String stepped(Class<?> type, String value, int step) {
        if (type.equals(Duration.class)) {
            return DurationStyle.detectAndParse(value).plusMillis(step).toMillis() + "ms";
        }
        return type.equals(DataSize.class)
                ? DataSize.parse(value).toBytes() + step + "B"
                : String.valueOf(Long.parseLong(value) + step);
    }
}
