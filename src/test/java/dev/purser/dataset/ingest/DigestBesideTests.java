package dev.purser.dataset.ingest;

import dev.purser.digest.Sha256;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class DigestBesideTests {
    private static final int CAPACITY = 1000;

    private static byte[] digest(String name, InputStream bytes) throws IOException {
        try (DigestBeside digest = new DigestBeside(name, CAPACITY)) {
            for (int read = bytes.readNBytes(digest.chunk(), 0, CAPACITY);
                    read > 0;
                    read = bytes.readNBytes(digest.chunk(), 0, CAPACITY)) {
                digest.take(read);
            }
            return digest.digest();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, CAPACITY - 1, CAPACITY, CAPACITY + 1, 2 * CAPACITY, 3 * CAPACITY, 1_234_567})
    void isThatOfAllThatWasTaken(int length) throws IOException {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        assertThat(digest("all", new ByteArrayInputStream(bytes))).isEqualTo(Sha256.of(bytes));
    }

    /** While one chunk waits to be digested, the next is put into the other. */
    @Test
    void doesNotHandOutWhatIsStillDigested() throws IOException {
        try (DigestBeside digest = new DigestBeside("chunks", CAPACITY)) {
            byte[] first = digest.chunk();
            digest.take(1);
            byte[] second = digest.chunk();
            assertThat(second).isNotSameAs(first);
            digest.take(1);
            assertThat(digest.chunk()).isSameAs(first);
        }
    }

    /** Whoever waits for an empty chunk then would wait for ever. */
    @Test
    @Timeout(20)
    void failsWithItsThread() throws Exception {
        try (DigestBeside digest = new DigestBeside("failing", CAPACITY)) {
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .as("for a chunk longer than it can be")
                    .isThrownBy(() -> {
                        digest.take(CAPACITY + 1);
                        digest.take(1);
                        digest.take(1);
                    });
            assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(digest::digest);
        }
        awaitEndOf("failing");
    }

    /** What was taken is the thread's, which ends all the same. */
    @Test
    void endsItsThreadAfterAnInterrupt() throws Exception {
        try (DigestBeside digest = new DigestBeside("interrupted", CAPACITY)) {
            Thread.currentThread().interrupt();
            assertThatExceptionOfType(InterruptedIOException.class).isThrownBy(() -> digest.take(CAPACITY));
            assertThat(Thread.interrupted()).isTrue();
        }
        awaitEndOf("interrupted");
    }

    @Test
    void leavesNoThreadBehindIfNobodyWantsTheDigest() throws Exception {
        try (DigestBeside digest = new DigestBeside("torn", CAPACITY)) {
            digest.take(CAPACITY);
        }
        awaitEndOf("torn");
    }

    private static void awaitEndOf(String name) throws InterruptedException {
        Instant deadline = Instant.now().plus(Duration.ofSeconds(10));
        while (Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals(name))) {
            assertThat(Instant.now()).isBefore(deadline);
            Thread.sleep(5);
        }
    }
}
