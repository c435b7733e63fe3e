package dev.purser.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Records what was sent and what came back, outside the service and its disk, in an append-only file. It is flushed
 * before a request is sent and before a reply counts. It runs in the harness's process, which no fault reaches.
 */
final class Witness implements AutoCloseable {
    private final Path log;
    private final FileChannel channel;
    private final Map<String, Exchange> exchanges = new ConcurrentHashMap<>();

    Witness(Path log) throws IOException {
        this.log = log;
        this.channel = FileChannel.open(log, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    Exchange sends(Asked asked) {
        Exchange exchange = exchanges.computeIfAbsent(asked.key(), key -> new Exchange(asked));
        write("sends %s %s %s %d %s"
                .formatted(asked.key(), asked.dataset(), asked.kind(), asked.epsilonNanos(), asked.bodyDigest()));
        exchange.sends();
        return exchange;
    }

    /** Notes that the request never left, because the connection was refused. */
    void unsent(Asked asked) {
        write("unsent " + asked.key());
        exchanges.get(asked.key()).unsent();
    }

    void lost(Asked asked, String reason) {
        write("lost " + asked.key() + " " + reason);
        exchanges.get(asked.key()).lost();
    }

    /** Gives the first answer seen under this key, or null if none was; it may be this one. */
    Reply received(Asked asked, Reply reply) {
        write("received %s %d %s %s %s"
                .formatted(
                        asked.key(),
                        reply.status(),
                        reply.bodyDigest(),
                        reply.replayed() ? "replayed" : "first",
                        reply.headers()));
        return exchanges.get(asked.key()).received(reply);
    }

    /** A line about something else than a question. */
    void note(String line) {
        write(line);
    }

    Collection<Exchange> exchanges() {
        return exchanges.values();
    }

    Exchange exchange(String key) {
        return exchanges.get(key);
    }

    List<Exchange> unknown() {
        return exchanges.values().stream().filter(Exchange::isUnknown).toList();
    }

    List<Exchange> of(String dataset) {
        return exchanges.values().stream()
                .filter(exchange -> exchange.asked().dataset().equals(dataset))
                .toList();
    }

    /** The lines about one key. */
    List<String> slice(String key) {
        try (Stream<String> lines = Files.lines(log)) {
            return lines.filter(line -> line.contains(" " + key)).limit(20).toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private synchronized void write(String line) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap((Instant.now() + " " + line + "\n").getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(false);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
