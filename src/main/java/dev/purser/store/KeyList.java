package dev.purser.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys of one purpose, newest first. There is at least one key. They are configured and never change, or they are
 * in a file of the home, which a command replaces while the service runs. The file is looked at when the keys are
 * needed, at most once a second. If it was changed or removed and cannot be used, the keys stay as they are, and the
 * log says so. Thread-safe.
 *
 * @param <T> a key
 */
public final class KeyList<T> {
    private static final Logger LOG = LoggerFactory.getLogger(KeyList.class);
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The properties that differ between a file and the file that replaced it. */
    private record Version(
            FileTime modified, long size, @Nullable Object file) {
        static Version of(Path path) throws IOException {
            BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
            return new Version(now.lastModifiedTime(), now.size(), now.fileKey());
        }
    }

    private final @Nullable KeyFile file;
    private final Function<String, List<T>> form;
    private @Nullable Version version;
    private long lookedAtNanos;
    private List<T> keys;

    private KeyList(@Nullable KeyFile file, Function<String, List<T>> form, List<T> keys) {
        this.file = file;
        this.form = form;
        this.keys = keys;
        this.lookedAtNanos = System.nanoTime();
    }

    /**
     * The keys in a setting.
     *
     * @param form reads the keys from the text; throws an {@link IllegalArgumentException} with a rule: "must be
     *     base64"
     * @throws StartupRefusal if the text has another form
     */
    public static <T> KeyList<T> configured(
            String text, String variable, String remedy, Function<String, List<T>> form) {
        return new KeyList<>(null, form, read(text, variable, remedy, form));
    }

    /**
     * The keys in a file.
     *
     * @param form as for {@link #configured}
     * @throws StartupRefusal if the file cannot be read or has another form
     */
    public static <T> KeyList<T> in(KeyFile file, Function<String, List<T>> form) {
        KeyList<T> list = new KeyList<>(file, form, List.of());
        try {
            list.readAgain(file);
        } catch (IOException failure) {
            throw file.unreadable(failure);
        }
        return list;
    }

    /** The keys as they are known now, newest first. */
    public synchronized List<T> now() {
        long now = System.nanoTime();
        if (file != null && now - lookedAtNanos >= LOOK_NANOS) {
            lookedAtNanos = now;
            look(file);
        }
        return keys;
    }

    /** The newest key, which is used for everything new. */
    public T newest() {
        return now().getFirst();
    }

    private void look(KeyFile at) {
        try {
            if (!Version.of(at.path()).equals(version)) {
                readAgain(at);
                LOG.info("{} has {} keys now", at.path(), keys.size());
            }
        } catch (IOException | StartupRefusal failure) {
            LOG.error(
                    "{} was changed and cannot be used, so the keys stay as they are: {}",
                    at.path(),
                    failure.getMessage());
        }
    }

    /** If the file is replaced between the two reads, it is read again at the next look. */
    private void readAgain(KeyFile at) throws IOException {
        Version found = Version.of(at.path());
        String text = Files.readString(at.path(), StandardCharsets.ISO_8859_1);
        version = found;
        keys = read(text, at.what() + " in " + at.path(), at.remedy(), form);
    }

    private static <T> List<T> read(String text, String place, String remedy, Function<String, List<T>> form) {
        try {
            List<T> keys = form.apply(text);
            if (keys.isEmpty()) {
                throw new IllegalArgumentException("has no key");
            }
            return List.copyOf(keys);
        } catch (IllegalArgumentException rule) {
            // The cause is left out because it may quote characters of a key.
            throw new StartupRefusal(place + " " + rule.getMessage() + ".", remedy);
        }
    }

    @Override
    public String toString() {
        return "KeyList[redacted]";
    }
}
