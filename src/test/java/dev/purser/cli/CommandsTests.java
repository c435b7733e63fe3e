package dev.purser.cli;

import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicReference;
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
    private final AtomicReference<List<String>> accepted = new AtomicReference<>();

    /** The exit code of a command that needs no ledger. */
    static int run(String... arguments) {
        return Commands.run(settings -> {}, arguments).orElseThrow();
    }

    private OptionalInt runWithALedger(String... arguments) {
        return Commands.run(settings -> accepted.set(List.of(settings)), arguments);
    }

    @Test
    void settingsAloneStartTheService() {
        assertThat(runWithALedger()).isEmpty();
        assertThat(runWithALedger("--server.port=0", "--debug", "--purser.web.allowed-origins[0]=http://a"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "-h", "help", "help experiment", "accept-restored-ledger --help"})
    void helps(String arguments, CapturedOutput output) {
        assertThat(run(arguments.split(" ", -1))).isZero();
        assertThat(output.getOut()).startsWith("Usage: java -jar purser.jar");
        assertThat(output.getErr()).isEmpty();
    }

    @Test
    void listsEveryCommand(CapturedOutput output) {
        assertThat(run("--help")).isZero();
        assertThat(output.getOut()).contains("verify-receipt", "experiment", "accept-restored-ledger");
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
    })
    void refusesWhatIsNoCommandAndNamesTheNearest(String arguments, String reason, CapturedOutput output) {
        assertThat(runWithALedger(arguments.split(" ", -1))).hasValue(2);
        assertThat(output.getErr()).contains(reason);
        assertThat(accepted).hasNullValue();
    }

    @Test
    void acceptsALedgerWithTheSettingsThatFollow() {
        assertThat(runWithALedger("accept-restored-ledger", "--purser.home=x")).hasValue(0);
        assertThat(accepted).hasValue(List.of("--purser.home=x"));
        assertThat(Commands.run(
                        settings -> {
                            throw new IllegalStateException("logged");
                        },
                        "accept-restored-ledger"))
                .hasValue(1);
    }
}
