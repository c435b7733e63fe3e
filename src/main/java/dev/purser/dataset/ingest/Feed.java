package dev.purser.dataset.ingest;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;

/** Sends an upload to its parser while it arrives, and digests it. */
final class Feed implements Callable<Optional<byte[]>> {
    private static final int CHUNK = 1 << 16;

    private final InputStream upload;
    private final MessageDigest digest;
    private final UploadParser.Parsing parsing;
    private final AtomicLong sent = new AtomicLong();

    Feed(InputStream upload, MessageDigest digest, UploadParser.Parsing parsing) {
        this.upload = upload;
        this.digest = digest;
        this.parsing = parsing;
    }

    /**
     * The digest of all that was sent, or nothing if the parser stopped listening before.
     *
     * @throws IOException if the upload cannot be read to its end; the parser is stopped then
     */
    @Override
    public Optional<byte[]> call() throws IOException {
        byte[] chunk = new byte[CHUNK];
        try (OutputStream parser = parsing.input()) {
            for (int read = receive(chunk); read > 0; read = receive(chunk)) {
                digest.update(chunk, 0, read);
                sent.addAndGet(read);
                if (!send(parser, chunk, read)) {
                    return Optional.empty();
                }
            }
        }
        return Optional.of(digest.digest());
    }

    /** How many bytes the parser has got so far, or is getting; it goes on counting. */
    AtomicLong sent() {
        return sent;
    }

    /**
     * A full chunk, for the parser to wake up seldom: the request comes in pieces of 32 KB. So a parser that stopped listening is
     * noticed up to a chunk later. Nothing at the request's end.
     */
    private int receive(byte[] chunk) throws IOException {
        try {
            return upload.readNBytes(chunk, 0, chunk.length);
        } catch (IOException | RuntimeException torn) {
            // Closing its input would look to the parser like the end of the file.
            parsing.close();
            throw torn;
        }
    }

    private static boolean send(OutputStream parser, byte[] chunk, int length) {
        try {
            parser.write(chunk, 0, length);
            parser.flush();
            return true;
        } catch (IOException notListening) {
            return false;
        }
    }
}
