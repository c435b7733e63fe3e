package dev.purser.start;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What becomes of signals, as the system says of this very process: as masks, bit n - 1 for signal n. */
class TerminationSignalsTests {
    private static final long TERMINATE = 1L << 14;
    private static final long HANGUP_INTERRUPT_TERMINATE = 1L | 1L << 1 | TERMINATE;

    @Test
    void endTheProcessAtOnceUntilTheyAreRestored() throws IOException {
        long caught = mask("SigCgt");
        long ignored = mask("SigIgn");
        assertThat(caught & TERMINATE).as("Java waits for it").isNotZero();
        try (Arena arena = Arena.ofConfined()) {
            TerminationSignals signals = new TerminationSignals(arena);
            assertThat(mask("SigCgt")).isEqualTo(caught);
            signals.endAtOnce();
            assertThat(mask("SigCgt")).isEqualTo(caught & ~HANGUP_INTERRUPT_TERMINATE);
            assertThat(mask("SigIgn")).as("such as a hangup under nohup").isEqualTo(ignored);
            signals.restore();
        }
        assertThat(mask("SigCgt")).isEqualTo(caught);
        assertThat(mask("SigIgn")).isEqualTo(ignored);
    }

    private static long mask(String name) throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith(name + ":"))
                .mapToLong(line -> Long.parseUnsignedLong(line.substring(line.indexOf('\t') + 1), 16))
                .findFirst()
                .orElseThrow();
    }
}
