package dev.purser.settings;

import jakarta.validation.Validation;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.validation.ValidationBindHandler;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.FileSystemResource;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.beanvalidation.SpringValidatorAdapter;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The tables of docs/operating.md against the records of the modules: names, defaults and ranges. The tables are the
 * record of every default: a changed or added default fails here until the table states it and another value is named
 * below.
 */
class DocumentedSettingsTests {
    private static final Pattern ROW = Pattern.compile(
            "^\\| `(purser\\.[a-z.<>-]+)` \\| (?:–|`([^`]+)`|([^|`]+?)) \\| ([^|]*?) \\|", Pattern.MULTILINE);
    private static final List<Class<?>> RECORDS = records();
    private static final Pattern RANGE = Pattern.compile("(\\S+) to (\\S+)");
    private static final Set<Class<?>> MEASURES = Set.of(int.class, Integer.class, Duration.class, DataSize.class);
    private static final SpringValidatorAdapter VALIDATOR =
            new SpringValidatorAdapter(Validation.buildDefaultValidatorFactory().getValidator());

    /** Values of other settings, so that every tried value of a setting is allowed. */
    private static final Map<String, String> OTHERS = Map.of(
            "purser.release.longest", "24h",
            "purser.release.quantum", "1ms",
            "purser.connections.sum.host", "db.example",
            "purser.connections.sum.user", "reader");

    /** For every setting a value that is not its default. Together the values are one configuration. */
    private static final Map<String, String> EXPLICIT = Stream.of("""
                    purser.home /srv/purser
                    purser.admin-key 0123456789abcdef
                    purser.signing-key signing
                    purser.data /srv/rows
                    purser.fingerprint-key fingerprint
                    purser.sealing-key sealing
                    purser.ledger.url jdbc:postgresql://db.example:5432/ledger
                    purser.ledger.user ledger
                    purser.ledger.password of-the-ledger
                    purser.ledger.journal-key journal
                    purser.ledger.synchronous-standby true
                    purser.web.allowed-origins https://dashboard.example,http://localhost:3000
                    purser.web.forwarders 10.0.0.1,10.0.0.2
                    purser.identity.issuer https://id.example
                    purser.identity.audience purser
                    purser.identity.algorithms PS256
                    purser.rates.administrator 1
                    purser.rates.custodian 2
                    purser.rates.analyst 3
                    purser.rates.viewer 4
                    purser.rates.collector 5
                    purser.rates.auditor 6
                    purser.rates.operator 7
                    purser.rates.failed-sign-ins 8
                    purser.requests.max-body-bytes 1048576
                    purser.requests.max-array-elements 1001
                    purser.requests.max-depth 17
                    purser.requests.max-tokens 3000
                    purser.requests.max-connections-per-address 5
                    purser.upload.max-concurrent 6
                    purser.upload.max-file 7GB
                    purser.upload.parquet-heap 512MB
                    purser.upload.sandbox /usr/bin/bwrap
                    purser.engine.threads 8
                    purser.engine.max-open 9
                    purser.engine.timeout 10s
                    purser.sessions.idle 11h
                    purser.sessions.max-open 12
                    purser.release.quantised true
                    purser.release.quantum 13ms
                    purser.release.kinds.<name> 14ms
                    purser.release.per-million-rows 15ms
                    purser.release.longest 16s
                    purser.connections.<name>.type trino
                    purser.connections.<name>.host trino.example
                    purser.connections.<name>.port 17
                    purser.connections.<name>.database lake
                    purser.connections.<name>.user reader
                    purser.connections.<name>.password of-the-reader
                    purser.connections.<name>.tls off
                    purser.connections.<name>.max-sessions 18
                    """.split("\n"))
            .map(line -> line.split(" "))
            .collect(Collectors.toMap(line -> line[0], line -> line[1]));

    /** One row of a table. */
    record Documented(String name, String byDefault, String range) {
        String property() {
            return name.replace(Setting.KEY, "sum");
        }

        Class<?> record() {
            return RECORDS.stream()
                    .filter(record -> UnreadSettings.settings(record)
                            .anyMatch(setting -> setting.name().equals(name)))
                    .findFirst()
                    .orElseThrow();
        }

        Class<?> type() {
            return UnreadSettings.settings(record())
                    .filter(setting -> setting.name().equals(name))
                    .findFirst()
                    .orElseThrow()
                    .type();
        }

        /** A text as a value of this setting, without its record. */
        @Nullable
        Object converted(@Nullable String value) {
            return new Binder(new MapConfigurationPropertySource(Map.of(property(), requireNonNull(value))))
                    .bind(property(), type())
                    .orElse(null);
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
                .containsExactlyInAnyOrderElementsOf(RECORDS.stream()
                        .flatMap(UnreadSettings::settings)
                        .map(Setting::name)
                        .toList());
    }

    @Test
    void everyModuleHoldsItsSettingsInOneRecord() throws IOException {
        assertThat(RECORDS.stream()
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

    @Test
    void everySettingHasAnExplicitValueBelow() throws IOException {
        assertThat(EXPLICIT.keySet())
                .containsExactlyInAnyOrderElementsOf(
                        rows().stream().map(Documented::name).toList());
    }

    @ParameterizedTest
    @MethodSource("rows")
    void anExplicitValueReachesItsSetting(Documented row) {
        Map<String, String> explicit = new HashMap<>();
        EXPLICIT.forEach((name, value) -> explicit.put(name.replace(Setting.KEY, "sum"), value));
        String prefix =
                row.record().getAnnotation(ConfigurationProperties.class).value();
        assertThat(read(bound(row.record(), explicit), prefix, row.property()))
                .isEqualTo(row.converted(EXPLICIT.get(row.name())))
                .isNotEqualTo(row.converted(row.byDefault()));
    }

    /** The value of one property in {@code holder}, a record or a map that is bound at {@code prefix}. */
    private static @Nullable Object read(@Nullable Object holder, String prefix, String property) {
        if (prefix.equals(property)) {
            return holder;
        }
        Map<String, @Nullable Object> members = new HashMap<>();
        if (holder instanceof Map<?, ?> map) {
            map.forEach((key, value) -> members.put(prefix + "." + key, value));
        } else {
            for (RecordComponent component : requireNonNull(holder).getClass().getRecordComponents()) {
                ReflectionUtils.makeAccessible(component.getAccessor());
                members.put(
                        prefix + "." + DataObjectPropertyName.toDashedForm(component.getName()),
                        ReflectionUtils.invokeMethod(component.getAccessor(), holder));
            }
        }
        return members.keySet().stream()
                .filter(name -> (property + ".").startsWith(name + "."))
                .map(name -> read(members.get(name), name, property))
                .findFirst()
                .orElseThrow();
    }

    /** The service's own configuration sets no setting of Purser, so that the defaults of the records hold. */
    @Test
    void theReadmeStatesTheDefaultsOfTheService() throws IOException {
        PropertySource<?> own = new YamlPropertySourceLoader()
                .load("own", new FileSystemResource("src/main/resources/application.yaml"))
                .getFirst();
        assertThat(((EnumerablePropertySource<?>) own).getPropertyNames()).noneMatch(name -> name.startsWith("purser"));
        assertThat(Files.readString(Path.of("README.md")))
                .contains("| `SERVER_PORT` | `" + own.getProperty("server.port") + "` |")
                .contains("| `SERVER_ADDRESS` | `" + own.getProperty("server.address") + "` |")
                .contains("| `PURSER_HOME` | `" + defaultOf("purser.home") + "` |");
    }

    private static String defaultOf(String name) throws IOException {
        return rows().stream()
                .filter(row -> row.name().equals(name))
                .findFirst()
                .orElseThrow()
                .byDefault();
    }

    private static Map<String, String> without(String property) {
        Map<String, String> others = new HashMap<>(OTHERS);
        others.remove(property);
        return others;
    }

    @ParameterizedTest
    @MethodSource("rows")
    void theRangeIsAsDocumented(Documented row) {
        Class<?> type = row.type();
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
