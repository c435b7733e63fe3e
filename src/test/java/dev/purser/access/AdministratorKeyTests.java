package dev.purser.access;

import dev.purser.store.PurserHome;
import dev.purser.store.StartupRefusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class AdministratorKeyTests {
    @TempDir
    Path folder;

    private PurserHome home;

    @BeforeEach
    void openHome() {
        home = new PurserHome(folder.resolve("home"));
    }

    @Test
    void keepsTheKeyThatTheFirstStartDrew() throws IOException {
        AdministratorKey first = new AdministratorKey("", home);
        Path file = home.path().resolve("admin.key");
        String drawn = Files.readString(file).strip();
        assertThat(drawn).matches("purser_[A-Za-z0-9_-]{43}");
        assertThat(first.matches(drawn)).isTrue();
        assertThat(new AdministratorKey("", home).matches(drawn)).isTrue();
        assertThat(first.origin()).contains(file.toString()).doesNotContain(drawn);
        assertThat(new AdministratorKey("", new PurserHome(folder.resolve("other"))).matches(drawn))
                .isFalse();
    }

    @Test
    void theKeyThatTheOperatorSetsIsTheOnlyOneAndIsNotWritten() {
        AdministratorKey key = new AdministratorKey("0123456789abcdef", home);
        assertThat(key.matches("0123456789abcdef")).isTrue();
        assertThat(key.matches("0123456789abcdeF")).isFalse();
        assertThat(key.matches("")).isFalse();
        assertThat(key.origin()).contains("PURSER_ADMIN_KEY").doesNotContain("0123");
        assertThat(home.path().resolve("admin.key")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "0123456789abcde", "0123456789 abcdef", "0123456789abcdefé", " 0123456789abcdef"})
    void refusesToStartWithAKeyThatIsTooShortOrCannotBeSent(String configured) {
        assertThatThrownBy(() -> new AdministratorKey(configured, home))
                .isInstanceOf(StartupRefusal.class)
                .hasMessageContaining("PURSER_ADMIN_KEY must have 16 to 512 visible ASCII characters")
                .hasMessageNotContaining(configured.length() > 1 ? configured : "x ");
    }

    @Test
    void saysWhatToDoIfTheKeyFileCannotBeRead() throws IOException {
        Path file = Files.createDirectory(home.path().resolve("admin.key"));
        assertThatThrownBy(() -> new AdministratorKey("", home))
                .isInstanceOfSatisfying(
                        StartupRefusal.class,
                        refusal -> assertThat(refusal.action())
                                .isEqualTo("Make the file readable to this user, or set PURSER_ADMIN_KEY."))
                .hasMessageStartingWith("The administrator key in " + file + " cannot be read: ");
    }
}
