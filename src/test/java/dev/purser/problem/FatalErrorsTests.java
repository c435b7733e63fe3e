package dev.purser.problem;

import dev.purser.store.ChildJvm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class FatalErrorsTests {
    private record Ended(int status, String output) {}

    private static Ended run(String thread) throws IOException, InterruptedException {
        Process process = ChildJvm.start(Escaping.class, thread);
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), output);
    }

    @ParameterizedTest
    @ValueSource(strings = {"platform", "virtual", "wrapped"})
    void exhaustedMemoryEndsTheProcessWhateverThreadNotices(String thread) throws Exception {
        assertThat(run(thread))
                .isEqualTo(new Ended(
                        FatalErrors.STATUS,
                        "Purser ends: the memory is exhausted. Start it again; the ledger is sound.\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"http-nio-8080-Poller", "http-nio-8080-Acceptor"})
    void theProcessDoesNotOutliveItsConnector(String thread) throws Exception {
        assertThat(run(thread))
                .isEqualTo(new Ended(
                        FatalErrors.STATUS,
                        "Purser ends: " + thread + " ended with java.lang.IllegalStateException. Start it again; the"
                                + " ledger is sound.\n"));
    }

    @Test
    void theWorkGoesOnWithoutAnyOtherThread() throws Exception {
        Ended ended = run("other");

        assertThat(ended.status()).isZero();
        assertThat(ended.output()).startsWith("java.lang.IllegalStateException").endsWith("the work goes on\n");
    }
}
