package dev.purser.settings;

import dev.purser.query.ReleaseSettings;
import dev.purser.session.SessionSettings;
import dev.purser.store.StartupRefusal;
import dev.purser.tables.TableSettings;
import dev.purser.upload.UploadSettings;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/** What the operator is told of settings that nothing reads, and of settings that a record refuses. */
class UnreadSettingsTests {
    @EnableConfigurationProperties({
        ReleaseSettings.class,
        SessionSettings.class,
        TableSettings.class,
        UploadSettings.class
    })
    @Import(UnreadSettings.class)
    static class Settings {}

    private static ApplicationContextRunner with(boolean variable, String name, String value) {
        Map<String, Object> given = Map.of(name, value);
        return new ApplicationContextRunner()
                .withUserConfiguration(Settings.class)
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(
                                variable
                                        ? new SystemEnvironmentPropertySource("given", given)
                                        : new MapPropertySource("given", given)));
    }

    private static String refusal(boolean variable, String name) {
        String[] reason = {""};
        with(variable, name, "s3cret").run(context -> {
            if (context.getStartupFailure() instanceof StartupRefusal refusal) {
                reason[0] = String.valueOf(refusal.getMessage());
            }
        });
        return reason[0];
    }

    @ParameterizedTest
    @CsvSource({
        "purser.sessions.maxopn, purser.sessions.max-open",
        "purser.release.quantized, purser.release.quantised",
        "PURSER.RELEASE.QUANTIZED, PURSER.release.quantised",
        "purser.conections.books.port, purser.connections.books.port",
        "purser.connections.books.user-name, purser.connections.books.user",
        "purser.upload.max-file[0], purser.upload.max-file",
        "PURSER_SESSIONS_MAXIMUM_OPEN, PURSER_SESSIONS_MAX_OPEN",
        "PURSER_CONNECTIONS_BOOKS_PASWORD, PURSER_CONNECTIONS_BOOKS_PASSWORD",
        "purser_upload_sandbx, purser_UPLOAD_SANDBOX",
    })
    void namesTheNearest(String sent, String nearest) {
        assertThat(refusal(sent.contains("_"), sent))
                .isEqualTo("Nothing reads " + sent + " (the nearest is " + nearest + ").");
    }

    @Test
    void namesNoneIfNoneIsNear() {
        assertThat(refusal(true, "PURSER_X")).isEqualTo("Nothing reads PURSER_X.");
        assertThat(refusal(false, "purser.x")).isEqualTo("Nothing reads purser.x.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "purser.sessions.max-open",
                "purser.sessions.maxOpen",
                "purser.sessions.max_open",
                "purser.release.kinds.local-mean",
                "purser.release.kinds[count]",
                "purser.connections.books.max-sessions",
                "purser.connections[books-2].maxSessions",
                "PURSER_SESSIONS_MAXOPEN",
                "PURSER_SESSIONS_MAX_OPEN",
                "PURSER_RELEASE_KINDS_COUNT",
                "PURSER_CONNECTIONS_BOOKS_MAX_SESSIONS",
                "PURSER_CONNECTIONS_BOOKS_MAXSESSIONS",
                "PURSER_PORT",
                "PURSER_PORT_8080_TCP_ADDR",
                "PURSER_SERVICE_HOST",
                "PURSER_SERVICE_PORT_HTTP",
                "PURSER",
                "PURSERS_X",
            })
    void passesEveryFormOfANameAndWhatOthersSet(String name) {
        assertThat(refusal(name.contains("_"), name)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "purser.sessions.max-open, 0, 'purser.sessions.max-open must be greater than or equal to 1, was 0.'",
        "purser.sessions.max-open, many, 'purser.sessions.max-open must be a whole number, was many.'",
        "purser.sessions.idle, 0s, 'purser.sessions.idle must be longer than or equal to 1 second, was 0ms.'",
        "purser.sessions.idle, soon, 'purser.sessions.idle must be a duration, for example 30s, was soon.'",
        "purser.release.quantised, perhaps, 'purser.release.quantised must be true or false, was perhaps.'",
        "purser.upload.max-file, 0B, 'purser.upload.max-file must be 1B to 1TB, was 0B.'",
        "purser.upload.parquet-heap, 1MB, 'purser.upload.parquet-heap must be 64MB to 1TB, was 1048576B.'",
        "purser.upload.max-file, big, 'purser.upload.max-file must be a size, for example 8GB, was big.'",
        "purser.release.longest, 5ms, 'purser.release.longest must be at least purser.release.quantum, was 5ms.'",
        "purser.connections.books.port, 70000, 'purser.connections.books.port must be less than or equal to 65535.'",
        "purser.connections.books.port, s3cret, purser.connections.books.port must be a whole number.",
        "purser.connections.books.tls, s3cret, 'purser.connections.books.tls must be one of verify, off.'",
    })
    void aRefusedValueIsNamedWithItsRuleButNeverAPassword(String name, String value, String sentence) {
        with(false, name, value).run(context -> {
            FailureAnalysis analysis = Objects.requireNonNull(
                    new RefusedSettingAnalyzer().analyze(Objects.requireNonNull(context.getStartupFailure())));
            assertThat(analysis.getDescription()).isEqualTo(sentence);
            assertThat(analysis.getAction()).contains("docs/operating.md");
        });
    }
}
