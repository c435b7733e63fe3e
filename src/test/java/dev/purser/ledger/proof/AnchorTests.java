package dev.purser.ledger.proof;

import dev.purser.journal.Head;
import dev.purser.store.LedgerSettings;
import dev.purser.store.MacKey;
import dev.purser.store.PurserHome;
import dev.purser.store.StartupRefusal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class AnchorTests {
    @TempDir
    Path folder;

    private PurserHome home;
    private SigningKeys key;
    private Path file;

    @BeforeEach
    void home() {
        home = new PurserHome(folder.resolve("home"));
        key = SigningKeys.of(home, "");
        file = home.path().resolve("ledger.anchor");
    }

    private static Head head(long sequence) {
        return new Head(sequence, String.format("%064x", sequence));
    }

    private Anchor withLines(int lines) throws IOException {
        Anchor anchor = GuardedDatabase.anchor(home);
        anchor.begin(Map.of("adult", head(1), "visits", head(1)));
        for (int i = 2; i <= lines; i++) {
            anchor.committed(Map.of("adult", head(i).text()));
        }
        return anchor;
    }

    private Map<String, Head> read() {
        return GuardedDatabase.anchor(home).heads();
    }

    @Test
    void remembersTheLastHeadOfEveryAccount() throws IOException {
        assertThat(GuardedDatabase.anchor(home).wasFound()).isFalse();
        withLines(5);

        assertThat(new String(lines(), StandardCharsets.US_ASCII).lines()).hasSize(5);
        assertThat(GuardedDatabase.anchor(home).wasFound()).isTrue();
        assertThat(read()).isEqualTo(Map.of("adult", head(5), "visits", head(1)));
    }

    /** The lines, without the room for lines to come. */
    private byte[] lines() throws IOException {
        byte[] whole = Files.readAllBytes(file);
        int end = whole.length;
        while (end > 0 && whole[end - 1] == 0) {
            end--;
        }
        return Arrays.copyOf(whole, end);
    }

    /** What follows the last whole line in the room was never confirmed. */
    @Test
    void aLineThatWasBegunInTheRoomIsDropped() throws IOException {
        withLines(3);
        byte[] bytes = Files.readAllBytes(file);
        int end = lines().length;
        for (byte begun : "adult\t4:00".getBytes(StandardCharsets.US_ASCII)) {
            bytes[end++] = begun;
            Files.write(file, bytes);
            assertThat(read()).containsEntry("adult", head(3));
        }
    }

    @Test
    void aHeadNeverGoesBack() throws IOException {
        withLines(5).committed(Map.of("adult", head(3).text()));

        assertThat(read()).containsEntry("adult", head(5));
    }

    /** Nobody is answered from the refused entry. It is sent again with all entries that follow. */
    @Test
    void anotherEntryWithTheNumberOfAConfirmedOneIsRefused() throws IOException {
        Anchor anchor = withLines(5);
        String other = new Head(5, "f".repeat(64)).text();
        for (int attempt = 1; attempt <= 2; attempt++) {
            assertThatThrownBy(() -> anchor.committed(Map.of("adult", other, "visits", head(2).text())))
                    .hasMessageContaining(other);
        }

        assertThat(read()).isEqualTo(Map.of("adult", head(5), "visits", head(1)));
    }

    @Test
    void aTornLastLineIsDroppedWhereverItIsTorn() throws IOException {
        withLines(3);
        byte[] whole = lines();
        String text = new String(whole, StandardCharsets.US_ASCII);
        int lastLine = text.lastIndexOf('\n', text.length() - 2) + 1;
        for (int end = lastLine; end < whole.length; end++) {
            Files.write(file, Arrays.copyOf(whole, end));
            assertThat(read()).as("cut at %d", end).containsEntry("adult", head(2));
        }
    }

    /** A power cut can leave the end of a line on the disk and not its beginning. */
    @Test
    void aLastLineWithAHoleIsDropped() throws IOException {
        withLines(3);
        byte[] bytes = lines();
        bytes[bytes.length - 60] = 0;
        Files.write(file, bytes);

        assertThat(read()).containsEntry("adult", head(2));
    }

    /** A signature before the last signature vouches for nothing, so its change changes nothing: the heads stay. */
    @Test
    void everyChangedByteIsRefusedOrChangesNothing() throws IOException {
        withLines(3);
        Map<String, Head> confirmed = read();
        byte[] whole = lines();
        int refused = 0;
        for (int i = 0; i < whole.length - 1; i++) {
            byte[] changed = whole.clone();
            changed[i] = (byte) (changed[i] == '1' ? '2' : '1');
            Files.write(file, changed);
            try {
                assertThat(read()).as("byte %d", i).isEqualTo(confirmed);
            } catch (StartupRefusal refusal) {
                refused++;
            }
        }
        int signature = 88;
        assertThat(refused).isGreaterThanOrEqualTo(whole.length - 1 - 2 * signature);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void aRemovedLineIsRefused(int removed) throws IOException {
        withLines(4);
        List<String> lines = new ArrayList<>(
                new String(lines(), StandardCharsets.US_ASCII).lines().toList());
        lines.remove(removed);
        Files.write(file, lines);

        assertThatThrownBy(this::read).isInstanceOf(StartupRefusal.class).hasMessageContaining("was changed");
    }

    @Test
    void anEmptyFileAndAnotherKeyAreRefused() throws IOException {
        withLines(2);
        PurserHome other = new PurserHome(folder.resolve("other"));
        MacKey otherKey = MacKey.of(other, LedgerSettings.embedded());
        assertThatThrownBy(() -> Anchor.read(home, otherKey))
                .isInstanceOf(StartupRefusal.class)
                .hasMessageContaining("keys of this home");

        Files.write(file, new byte[0]);
        assertThatThrownBy(this::read).isInstanceOf(StartupRefusal.class);
    }

    @Test
    void writesTheFileAnewAfterAFailure() throws IOException {
        Anchor anchor = withLines(2);
        Files.delete(file);
        assertThatThrownBy(() -> anchor.committed(Map.of("adult", head(3).text())))
                .isInstanceOf(IOException.class);

        anchor.committed(Map.of("adult", head(3).text()));
        anchor.committed(Map.of("adult", head(4).text()));

        assertThat(read()).isEqualTo(Map.of("adult", head(4), "visits", head(1)));
    }

    @Test
    void writesTheFileAnewWhenItHasGrown() throws IOException {
        Anchor anchor = withLines(2);
        Map<String, String> many = new HashMap<>();
        for (int i = 0; i < 10_000; i++) {
            many.put("account" + i, head(1).text());
        }
        long largest = 0;
        for (int i = 0; i < 20; i++) {
            anchor.committed(many);
            largest = Math.max(largest, Files.size(file));
        }

        assertThat(largest).isLessThan(10_000_000);
        assertThat(read()).hasSize(10_002);
    }

    /**
     * The file is written anew at every start. After that, it is written anew only once it is larger than twice its
     * size at the last such time plus 4 MiB.
     */
    @Test
    void appendsUntilItHasGrownPastTwiceItsSizeAndFourMebibytes() throws IOException {
        Anchor anchor = withLines(1);
        Map<String, String> many = new HashMap<>();
        for (int i = 0; i < 10_000; i++) {
            many.put("account" + i, head(1).text());
        }
        long first = sizeOfLines();
        anchor.committed(many);
        long line = sizeOfLines() - first;
        long expected = first + line;
        while (expected <= 2 * first + (4 << 20)) {
            anchor.committed(many);
            expected += line;
            assertThat(sizeOfLines()).isEqualTo(expected);
        }
        anchor.committed(Map.of("adult", head(2).text()));
        assertThat(Files.readString(file)).containsOnlyOnce("\n");

        long anew = sizeOfLines();
        anchor.committed(Map.of("adult", head(3).text()));
        assertThat(sizeOfLines()).isBetween(anew + 1, anew + line);
        assertThat(read()).containsEntry("adult", head(3)).hasSize(10_002);
    }

    /** The size of the lines, without the zeros that follow them. */
    private long sizeOfLines() throws IOException {
        return Files.readString(file).lastIndexOf('\n') + 1;
    }

    /**
     * Zeros are written ahead, so most lines need no larger file. The next line always follows the last one directly.
     */
    @Test
    void keepsRoomForLinesToCome() throws IOException {
        Anchor anchor = withLines(1);
        assertThat(Files.size(file)).isEqualTo(sizeOfLines());
        anchor.committed(Map.of("adult", head(2).text()));
        long room = Files.size(file);
        assertThat(room).isEqualTo(sizeOfLines() + (256 << 10));

        Map<String, String> many = new HashMap<>();
        for (int i = 0; i < 50; i++) {
            many.put("account" + i, head(1).text());
        }
        long sequence = 2;
        while (Files.size(file) == room) {
            assertThat(sizeOfLines()).isLessThanOrEqualTo(room);
            many.put("adult", head(++sequence).text());
            anchor.committed(many);
        }
        assertThat(Files.size(file)).isEqualTo(sizeOfLines() + (256 << 10));
        assertThat(sequence).isGreaterThan(50);
        assertThat(read()).containsEntry("adult", head(sequence));
    }

    @Test
    void whatIsBegunAnewForgetsTheRest() throws IOException {
        Anchor anchor = withLines(3);
        anchor.begin(Map.of("visits", head(1)));

        assertThat(read()).isEqualTo(Map.of("visits", head(1)));
        assertThat(anchor.heads()).isEqualTo(read());
    }

    @Test
    void nothingCommittedIsNothingWritten() throws IOException {
        Anchor anchor = withLines(2);
        byte[] before = Files.readAllBytes(file);
        anchor.committed(Map.of());

        assertThat(Files.readAllBytes(file)).isEqualTo(before);
    }

    @Test
    void takesNoAccountWhoseNameWouldBreakALine() throws IOException {
        Anchor anchor = withLines(1);
        for (String name : List.of("", "a b", "a\tb", "a\nb", "é")) {
            assertThatThrownBy(() -> anchor.committed(Map.of(name, head(1).text())))
                    .as(name)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void anAnchorThatCannotBeReadOrWrittenIsRefusedByItsReason() throws IOException {
        Anchor anchor = withLines(1);
        Files.delete(file);
        Files.createDirectories(file.resolve("in the way"));

        assertThatThrownBy(this::read).isInstanceOf(StartupRefusal.class).hasMessageContaining("cannot be read");
        assertThatThrownBy(() -> anchor.begin(Map.of("adult", head(1))))
                .isInstanceOf(StartupRefusal.class)
                .hasMessageContaining("cannot be written");
    }

    @Test
    void saysWhatIsWrongWithALine() throws IOException {
        withLines(2);
        List<String> lines =
                new String(lines(), StandardCharsets.US_ASCII).lines().toList();
        Files.writeString(
                file, lines.getFirst() + "\nadult\tx\t" + lines.getLast().replaceAll(".*\t", "") + "\n");
        assertThatThrownBy(this::read).hasMessageContaining("line 2 was not written by the service");

        Files.writeString(file, lines.getFirst() + "\n" + lines.getLast() + "?\n");
        assertThatThrownBy(this::read).hasMessageContaining("its last line has no code");
    }

    /** A power cut leaves holes, but only in the last line: only that line was not flushed. */
    @Test
    void aHoleBeforeTheLastLineIsRefused() throws IOException {
        withLines(3);
        byte[] bytes = Files.readAllBytes(file);
        bytes[0] = 0;
        Files.write(file, bytes);
        assertThatThrownBy(this::read).isInstanceOf(StartupRefusal.class);

        withLinesAnew(3);
        byte[] last = Files.readAllBytes(file);
        last[Files.readString(file).lastIndexOf("adult")] = 0;
        Files.write(file, last);
        assertThat(read()).containsEntry("adult", head(2));
    }

    private void withLinesAnew(int lines) throws IOException {
        Files.delete(file);
        withLines(lines);
    }
}
