package dev.purser.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class CommandsTests {
    private final Noted noted = new Noted();

    /** Notes which command ran, as it was typed. */
    private static final class Noted implements HomeCommands {
        private final List<String> done = new ArrayList<>();

        @Override
        public void acceptRestoredLedger(Map<String, String> lastBlocks, String... settings) {
            done.add("accept " + lastBlocks + " " + String.join(" ", settings));
        }

        @Override
        public void backup(Path into, String... settings) {
            done.add("backup " + into + " " + String.join(" ", settings));
        }

        @Override
        public void restore(Path from, boolean nothingLost, Map<String, String> lastBlocks, String... settings) {
            if (from.equals(Path.of("damaged"))) {
                throw new IllegalStateException("logged");
            }
            done.add("restore " + from + " " + nothingLost + " " + lastBlocks + " " + String.join(" ", settings));
        }

        @Override
        public void rotate(RotatedKey key, String... settings) {
            done.add("rotate " + key.name() + " " + String.join(" ", settings));
        }
    }

    /** The exit code of a command that needs no home. */
    static int run(String... arguments) {
        return Commands.run(new Noted(), arguments).orElseThrow();
    }

    private OptionalInt runOnAHome(String... arguments) {
        return Commands.run(noted, arguments);
    }

    @Test
    void settingsAloneStartTheService() {
        assertThat(runOnAHome()).isEmpty();
        assertThat(runOnAHome("--server.port=0", "--debug", "--purser.web.allowed-origins[0]=http://a"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--help",
                "-h",
                "help",
                "help experiment",
                "accept-restored-ledger --help",
                "backup --help",
                "rotate --help"
            })
    void helps(String arguments, CapturedOutput output) {
        assertThat(run(arguments.split(" ", -1))).isZero();
        assertThat(output.getOut()).startsWith("Usage: java -jar purser.jar");
        assertThat(output.getErr()).isEmpty();
    }

    @Test
    void listsEveryCommand(CapturedOutput output) {
        assertThat(run("--help")).isZero();
        assertThat(output.getOut())
                .contains("verify-receipt", "experiment", "rotate", "backup", "restore", "accept-restored-ledger");
    }

    @Test
    void namesTheVersion(CapturedOutput output) {
        assertThat(run("--version")).isZero();
        assertThat(output.getOut()).startsWith("Purser ").contains("Java " + System.getProperty("java.version"));
    }

    @ParameterizedTest
    @CsvSource({
        "hlep, 'There is no command hlep; the nearest is \"help\".'",
        "--hlep, 'There is no command --hlep; the nearest is \"--help\".'",
        "verify-reciept receipt.json, 'There is no command verify-reciept; the nearest is \"verify-receipt\".'",
        "experimet, 'There is no command experimet; the nearest is \"experiment\".'",
        "--server.port 9090, There is no command 9090.",
        "-Dpurser.home=x, There is no command -Dpurser.home=x.",
        "--purser.home=x accept-restored-ledger, The setting --purser.home=x stands before a command",
        "accept-restored-ledger now, 'Unmatched argument at index 1: ''now'''",
        "rotate signing now, 'Unmatched argument at index 2: ''now'''",
        "rotate, Missing required parameter",
        "rotate admin, 'expected one of [SIGNING, FINGERPRINT, SEALING] (case-insensitive) but was ''admin'''",
        "backup, Missing required parameter: 'DIR'",
        "backup here there, 'Unmatched argument at index 2: ''there'''",
        "restore there --nothing-since, 'Unknown option: ''--nothing-since'''",
    })
    void refusesWhatIsNoCommandAndNamesTheNearest(String arguments, String reason, CapturedOutput output) {
        assertThat(runOnAHome(arguments.split(" ", -1))).hasValue(2);
        assertThat(output.getErr()).contains(reason);
        assertThat(noted.done).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "accept-restored-ledger --purser.home=x, accept {} --purser.home=x",
        "accept-restored-ledger --last-block visits=2026-03-02 --purser.home=x,"
                + " accept {visits=2026-03-02} --purser.home=x",
        "backup there --purser.home=x, backup there --purser.home=x",
        "rotate signing --purser.home=x, rotate SIGNING --purser.home=x",
        "rotate fingerprint --purser.home=x, rotate FINGERPRINT --purser.home=x",
        "rotate Sealing, 'rotate SEALING '",
        "restore there --purser.home=x, restore there false {} --purser.home=x",
        "restore --nothing-lost there, 'restore there true {} '",
        "restore there --last-block=a=1 --last-block=b=2026-03, 'restore there false {a=1, b=2026-03} '",
    })
    void runsOnAHomeWithTheSettingsThatFollow(String arguments, String done) {
        assertThat(runOnAHome(arguments.split(" ", -1))).hasValue(0);
        assertThat(noted.done).containsExactly(done);
    }

    @Test
    void whatWasLoggedIsExitCode1() {
        assertThat(runOnAHome("restore", "damaged")).hasValue(1);
    }
}
