package dev.purser.ledger;

import dev.purser.digest.Sha256;
import dev.purser.ledger.attachment.AttachmentPieces;
import dev.purser.store.ChildJvm;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Kills a debiting process with SIGKILL at random moments and looks in the ledger for all that the process was told. A
 * killed process loses nothing that it has written, so this shows the order of steps and the recovery, not the effect
 * of a power failure.
 */
@Tag("full")
class LedgerCrashTests {
    private static final long SEED = 20_261_121;

    @TempDir
    Path home;

    private final Random random = new Random(SEED);
    private final Map<String, Acknowledged> debits = new HashMap<>();
    private final Map<String, String> answers = new HashMap<>();
    private final Map<String, String> attached = new HashMap<>();

    private record Acknowledged(long sequence, String key) {}

    @Test
    void whateverWasAcknowledgedSurvivesBeingKilled() throws Exception {
        survives(5);
    }

    @Tag("deep")
    @Test
    void whateverWasAcknowledgedSurvivesBeingKilledOftener() throws Exception {
        survives(30);
    }

    private void survives(int kills) throws Exception {
        new OpenLedger(home).withAccount(OpenLedger.ACCOUNT, "1000000").close();

        for (int kill = 0; kill < kills; kill++) {
            int before = debits.size();
            debitUntilKilled();
            assertThat(debits.size()).as("acknowledged in life " + kill).isGreaterThan(before);
            try (OpenLedger open = new OpenLedger(home)) {
                checkBooks(open, kill + 1);
                checkAttachments(open);
            }
        }
    }

    private void debitUntilKilled() throws Exception {
        Process child = ChildJvm.start(DebitLoop.class, home);
        try (BufferedReader lines = child.inputReader(UTF_8)) {
            // The first acknowledgement starts the clock: before that there is nothing to lose.
            note(lines.readLine());
            Thread killer = Thread.startVirtualThread(() -> {
                sleep(random.nextInt(400));
                // The handle is used because Process.destroyForcibly would also close our end and drop acknowledgements
                // already sent.
                child.toHandle().destroyForcibly();
            });
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                note(line);
            }
            killer.join();
        } finally {
            child.destroyForcibly().waitFor();
        }
        assertThat(child.exitValue()).as("killed by SIGKILL").isEqualTo(128 + 9);
    }

    private void note(String line) {
        String[] words = line.split(" ", 3);
        switch (words[0]) {
            case "debited" -> {
                String[] rest = words[2].split(" ", 2);
                debits.put(words[1], new Acknowledged(Long.parseLong(rest[0]), rest[1]));
            }
            case "answered" -> answers.put(words[1], words[2]);
            case "attached" -> attached.put(words[1], words[2]);
            default -> throw new AssertionError("the child says: " + line);
        }
    }

    private void checkBooks(OpenLedger open, int lives) {
        ChainVerification verification = open.ledger.verify(OpenLedger.ACCOUNT);
        assertThat(verification.valid()).isTrue();

        Map<String, Long> sequences = new HashMap<>();
        long spent = 0;
        for (LedgerEntry entry : open.ledger.entries(OpenLedger.ACCOUNT, 1, Integer.MAX_VALUE)) {
            sequences.put(String.valueOf(entry.queryId()), entry.sequence());
            spent += entry.charge().epsilon().nanos();
        }
        assertThat(open.ledger.budget(OpenLedger.ACCOUNT).spent().epsilon().nanos())
                .isEqualTo(spent);
        debits.forEach((queryId, debit) -> assertThat(sequences).containsEntry(queryId, debit.sequence()));
        // A debit that nobody was told of belongs to a reserve that was under way at a kill.
        assertThat(sequences.size() - debits.size()).isBetween(0, lives * DebitLoop.THREADS);
        answers.forEach((queryId, answer) -> assertThat(
                        new String(open.ledger.answer(queryId).orElseThrow().beginning(), UTF_8))
                .isEqualTo(answer));
        checkRetries(open);
    }

    /** A request that is sent again continues under its debit, or gets its answer. Nothing is debited twice. */
    private void checkRetries(OpenLedger open) {
        String before = open.spent();
        for (Map.Entry<String, Acknowledged> debit :
                List.copyOf(debits.entrySet()).subList(0, Math.min(200, debits.size()))) {
            switch (open.reserve(debit.getValue().key(), "0.000001")) {
                case ReserveOutcome.Reserved reserved ->
                    assertThat(reserved.debit().queryId()).isEqualTo(debit.getKey());
                case ReserveOutcome.Replayed replayed ->
                    assertThat(replayed.answer().queryId()).isEqualTo(debit.getKey());
                case ReserveOutcome.Reused _, ReserveOutcome.Shared _, ReserveOutcome.Awaited _ ->
                    throw new AssertionError("nobody permitted reuse");
            }
        }
        assertThat(open.spent()).isEqualTo(before);
    }

    /**
     * Each whole attachment is there. Each attachment that was cut off is drawn again, and nothing of its first draw
     * stays.
     */
    private void checkAttachments(OpenLedger open) {
        for (Reservation cut : open.ledger.reservations("", Integer.MAX_VALUE)) {
            if (pieces(open, cut.debit().queryId()) > 0) {
                DebitLoop.attach(open.ledger, cut.debit(), "another draw");
                attached.put(cut.debit().queryId(), "another draw");
            }
        }
        open.ledger.removeLeftovers();
        attached.forEach((queryId, seed) -> {
            byte[] content = DebitLoop.content(seed);
            assertThat(Arrays.equals(open.ledger.attachment(queryId, Sha256.of(content)), content))
                    .isTrue();
            assertThat(pieces(open, queryId)).isEqualTo(Math.ceilDiv(content.length, AttachmentPieces.PIECE_BYTES));
        });
    }

    private static int pieces(OpenLedger open, String queryId) {
        return open.database.read(connection -> connection
                .all("SELECT piece FROM attachment_piece WHERE query_id = ?", row -> row.getInt(1), queryId)
                .size());
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException interruption) {
            throw new AssertionError(interruption);
        }
    }
}
