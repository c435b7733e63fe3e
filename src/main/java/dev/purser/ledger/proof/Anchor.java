package dev.purser.ledger.proof;

import dev.purser.journal.CanonicalBytes;
import dev.purser.journal.Head;
import dev.purser.ledger.LedgerChain;
import dev.purser.store.MacKey;
import dev.purser.store.PurserHome;
import dev.purser.store.StartupRefusal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;

/**
 * The confirmed state, kept outside the database. For every account it has the last head from which anyone may have
 * been answered. A database with fewer or other entries was restored from an older copy or changed.
 *
 * <p><b>Format.</b> {@code ledger.anchor} in the home has one line for each group of commits. A line has tab-separated
 * pairs of account and {@code sequence:hash}, and a code in base64. The code is the HMAC of the line's digest under the
 * key of the home. The digest is the SHA-256, in hexadecimal, over {@link CanonicalBytes} of the previous line's digest
 * (64 zeros for the first line), the text {@code purser-anchor-1}, and each account, sequence and hash. The code of the
 * last line therefore covers all lines before it, and reading verifies only one. At every start, and when the file has
 * grown past a bound, all heads are written as one line to another file, which is then renamed.
 *
 * <p><b>Failure story.</b> A line is written and flushed after the commit and before anyone is answered from it. If we
 * stop between the commit and the flush, the ledger is ahead of its anchor, which is sound: nobody saw those entries.
 * If we stop while writing the line, the last line of the file is incomplete or has holes. Reading drops this line, for
 * the same reason. The lines before it were flushed, so any other fault in them means that somebody changed the file.
 * If a write fails, the state of the file is unknown, and the next attempt writes the whole file again.
 *
 * <p>Zeros follow the last line. They reserve room for further lines. If the room exists, the file system need not
 * flush its own journal with a line, and that flush takes most of a line's time.
 *
 * <p>Memory grows with the number of accounts. A person who can read the home can write an anchor of any content. An
 * anchor that is cut off at the end of a line is a valid older anchor. The anchor protects against people who have
 * access to the database and not to the home.
 */
final class Anchor {
    private static final String FORMAT = "purser-anchor-1";
    private static final long GROWTH = 4 << 20;
    private static final int ROOM = 256 << 10;

    private final Path file;
    private final PurserHome home;
    private final MacKey key;
    private final Map<String, Head> heads = new TreeMap<>();
    private boolean found;
    private String chain = LedgerChain.GENESIS;
    /** The length of the lines, in bytes; {@code room} also counts the zeros after them. */
    private long size;

    private long room;
    private long sizeWhenWrittenAnew;
    private boolean sound;

    private Anchor(PurserHome home, MacKey key) {
        this.home = home;
        this.key = key;
        this.file = home.path().resolve("ledger.anchor");
    }

    /**
     * Reads the anchor of this home, if it has one.
     *
     * @throws StartupRefusal if it was changed, or was written with another key
     */
    static Anchor read(PurserHome home, MacKey key) {
        Anchor anchor = new Anchor(home, key);
        anchor.found = Files.exists(anchor.file);
        if (anchor.found) {
            anchor.read();
        }
        return anchor;
    }

    /** An empty anchor that ignores the file in the home; {@link #begin} replaces the file. */
    static Anchor anew(PurserHome home, MacKey key) {
        return new Anchor(home, key);
    }

    /** Whether the home had an anchor when {@link #read} ran. */
    boolean wasFound() {
        return found;
    }

    /** The last confirmed head of every account. */
    synchronized Map<String, Head> heads() {
        return Map.copyOf(heads);
    }

    private void read() {
        String text;
        try {
            text = Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException failure) {
            throw new StartupRefusal(
                    "The anchor in " + file + " cannot be read: " + failure,
                    "Make the file readable to this user.",
                    failure);
        }
        int end = text.lastIndexOf('\n') + 1;
        String[] lines = end == 0 ? new String[0] : text.substring(0, end).split("\n");
        String code = "";
        for (int i = 0; i < lines.length; i++) {
            boolean torn = i == lines.length - 1 && lines[i].indexOf('\0') >= 0;
            if (!torn) {
                code = readLine(lines[i], i + 1);
            }
        }
        requireGenuine(code);
    }

    private String readLine(String line, int number) {
        String[] fields = line.split("\t", -1);
        CanonicalBytes next = new CanonicalBytes().text(chain).text(FORMAT);
        try {
            for (int i = 0; i + 1 < fields.length; i += 2) {
                Head head = Head.parse(fields[i + 1]);
                next.text(fields[i]).number(head.sequence()).text(head.hash());
                heads.merge(fields[i], head, Head::later);
            }
        } catch (IllegalArgumentException notAHead) {
            throw changed("line " + number + " was not written by the service");
        }
        chain = next.sha256();
        return fields[fields.length - 1];
    }

    private void requireGenuine(String code) {
        byte[] decoded;
        try {
            decoded = Base64.getDecoder().decode(code);
        } catch (IllegalArgumentException notBase64) {
            throw changed("its last line has no code");
        }
        // Base64 can spell the same bytes in several ways. Only the encoder's own spelling is accepted.
        if (!Base64.getEncoder().encodeToString(decoded).equals(code)
                || !MessageDigest.isEqual(decoded, key.code(codedText()))) {
            throw changed("its lines were not written with the keys of this home");
        }
    }

    private StartupRefusal changed(String how) {
        return new StartupRefusal(
                "The ledger's anchor " + file + " was changed: " + how + ".",
                "Restore the anchor and the key journal.key that belong to this ledger. " + LedgerGuard.LAST_RESORT);
    }

    /** Replaces the anchor by these heads, which were verified. The file is durable when this returns. */
    synchronized void begin(Map<String, Head> verified) {
        heads.clear();
        heads.putAll(verified);
        try {
            writeAnew();
        } catch (IOException failure) {
            throw new StartupRefusal(
                    "The ledger's anchor " + file + " cannot be written: " + failure.getMessage(),
                    "Check the disk and the folder's permissions.",
                    failure);
        }
    }

    /** Confirms heads that were committed, given as {@link Head#text}. They are durable when this returns. */
    synchronized void committed(Map<String, String> committed) throws IOException {
        if (committed.isEmpty()) {
            return;
        }
        Map<String, Head> news = new TreeMap<>();
        committed.forEach((account, head) -> news.put(account, Head.parse(head)));
        news.forEach((account, head) -> heads.merge(account, head, Head::later));
        if (!sound || size > 2 * sizeWhenWrittenAnew + GROWTH) {
            writeAnew();
        } else {
            append(news);
        }
    }

    private void append(Map<String, Head> news) throws IOException {
        String before = chain;
        byte[] line = line(news);
        sound = false;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            if (size + line.length > room) {
                room = size + line.length + ROOM;
                write(channel, new byte[ROOM], size + line.length);
            }
            write(channel, line, size);
            channel.force(false);
        } catch (IOException failure) {
            chain = before;
            throw new IOException(file + " cannot be written: " + failure.getMessage(), failure);
        }
        size += line.length;
        sound = true;
    }

    private static void write(FileChannel channel, byte[] bytes, long position) throws IOException {
        ByteBuffer rest = ByteBuffer.wrap(bytes);
        while (rest.hasRemaining()) {
            channel.write(rest, position + rest.position());
        }
    }

    private void writeAnew() throws IOException {
        sound = false;
        chain = LedgerChain.GENESIS;
        byte[] line = line(heads);
        try {
            home.writePrivately(file, line);
        } catch (UncheckedIOException failure) {
            throw failure.getCause();
        }
        size = line.length;
        room = size;
        sizeWhenWrittenAnew = size;
        sound = true;
    }

    private byte[] line(Map<String, Head> of) {
        CanonicalBytes next = new CanonicalBytes().text(chain).text(FORMAT);
        StringBuilder text = new StringBuilder();
        of.forEach((account, head) -> {
            if (!account.matches("[!-~]+")) {
                throw new IllegalArgumentException("an account's name must be visible ASCII");
            }
            next.text(account).number(head.sequence()).text(head.hash());
            text.append(account).append('\t').append(head.text()).append('\t');
        });
        chain = next.sha256();
        text.append(Base64.getEncoder().encodeToString(key.code(codedText()))).append('\n');
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }

    private byte[] codedText() {
        return chain.getBytes(StandardCharsets.US_ASCII);
    }
}
