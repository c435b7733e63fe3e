package dev.purser.upload;

import dev.purser.dataset.DatasetFiles;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.upload.parquet.ParquetToCsv;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.unit.DataSize;

/**
 * The child process of one upload, which turns a Parquet file into CSV: {@link ParquetToCsv}.
 *
 * <p>A Parquet file can be made to hang its reader, to exhaust its memory, or to exploit a flaw in a codec's native
 * code. The child has a heap of its own, no environment, an empty working folder for its temporary files, and
 * {@link Limits}. It is given nothing except the file. Its output is read like any CSV, within the limits of any CSV.
 * It ends when its standard input is closed, so it ends with the service.
 *
 * <p>Its exit status decides whose fault a failure is. The host is to blame for a status that the file cannot have
 * caused.
 */
final class ParquetChild implements AutoCloseable {
    private static final long MILLIS_BETWEEN_LOOKS = 500;
    private static final int MAX_MESSAGE_BYTES = 1 << 14;
    /** How long to wait for the last output of a child that has ended. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    /** The longest name that a column can have in a registration. */
    private static final int MAX_NAME = 128;

    /** Java's status once the heap is full. */
    private static final int MEMORY_EXHAUSTED = 3;

    /**
     * The exit statuses that a file can cause: the statuses for its own faults, the status of a full heap, and the
     * statuses of signals that a flaw in Java or in a codec raises, from SIGILL to SIGSEGV. All others mean that Java
     * or a sandbox did not start, or was ended from outside.
     */
    private static final Set<Integer> CAUSED_BY_FILE = Set.of(
            ParquetToCsv.UNREADABLE,
            ParquetToCsv.UNSUPPORTED_COLUMN,
            ParquetToCsv.UNSUPPORTED_CODEC,
            MEMORY_EXHAUSTED,
            128 + 4,
            128 + 6,
            128 + 7,
            128 + 8,
            128 + 11);

    private static final List<String> JAVA = List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-Xss512k",
            "-XX:+UseSerialGC",
            "-XX:ReservedCodeCacheSize=48m",
            "-XX:MaxMetaspaceSize=64m",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:-CreateCoredumpOnCrash",
            "-XX:+DisableAttachMechanism",
            "-XX:-UsePerfData",
            // Standard output is for CSV.
            "-XX:+DisplayVMOutputToStderr",
            "-Xlog:disable",
            "-Xlog:all=warning:stderr",
            "-Djava.io.tmpdir=.",
            // Without a locale, messages are in ASCII.
            "-Dstderr.encoding=UTF-8");

    private static final Logger LOG = LoggerFactory.getLogger(ParquetChild.class);

    private final Path file;
    private final Process process;
    private final Limits limits;
    private final Thread messages;
    private final ByteArrayOutputStream message = new ByteArrayOutputStream();
    private volatile boolean tooLaborious;
    private volatile boolean tooLate;

    /**
     * What a child may use.
     *
     * @param heap the largest heap: if the child needs more, it ends, and the file is to blame
     * @param processorTime the most processor time: if the child needs more, the file is to blame
     * @param wallTime the longest time, which is generous, because on a busy machine a good file may reach it
     */
    record Limits(DataSize heap, Duration processorTime, Duration wallTime) {
        private static final long MIN_SECONDS = 5;
        private static final long BYTES_PER_SECOND = 1 << 20;
        private static final int WALL_SECONDS_PER_SECOND = 24;

        static Limits of(DataSize heap, long bytes) {
            Duration processorTime = Duration.ofSeconds(MIN_SECONDS + bytes / BYTES_PER_SECOND);
            return new Limits(heap, processorTime, processorTime.multipliedBy(WALL_SECONDS_PER_SECOND));
        }
    }

    private ParquetChild(Path file, Process process, Limits limits) {
        this.file = file;
        this.process = process;
        this.limits = limits;
        Thread.ofPlatform().daemon().name("parquet-limits").start(this::watch);
        messages = Thread.ofPlatform().daemon().name("parquet-messages").start(this::readMessages);
    }

    /** Reads all messages of the child, and keeps the last messages. A full pipe would keep the child waiting. */
    private void readMessages() {
        byte[] some = new byte[MAX_MESSAGE_BYTES];
        try (InputStream errors = process.getErrorStream()) {
            for (int read; (read = errors.read(some)) >= 0; ) {
                if (message.size() + read > MAX_MESSAGE_BYTES) {
                    message.reset();
                }
                message.write(some, 0, read);
            }
        } catch (IOException ended) {
            // The messages that were read so far have to be enough.
        }
    }

    private void watch() {
        long start = System.nanoTime();
        while (!endsSoon()) {
            tooLaborious = processorTime().compareTo(limits.processorTime()) > 0;
            tooLate = !tooLaborious
                    && System.nanoTime() - start > limits.wallTime().toNanos();
            if (tooLaborious || tooLate) {
                kill();
                return;
            }
        }
    }

    private boolean endsSoon() {
        try {
            return process.waitFor(MILLIS_BETWEEN_LOOKS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException nobodyInterrupts) {
            return false;
        }
    }

    /** The processor time of the child, and of the processes that a sandbox started. */
    private Duration processorTime() {
        return all().map(each -> each.info().totalCpuDuration().orElse(Duration.ZERO))
                .reduce(Duration.ZERO, Duration::plus);
    }

    /**
     * Starts a child.
     *
     * @param file to be read, alone in its folder
     * @throws ProblemException {@code temporarily-unavailable} if it cannot be started
     * @throws IOException if its working folder cannot be created
     */
    static ParquetChild start(Path file, UploadSettings settings) throws IOException {
        return start(file, settings.sandbox(), Limits.of(settings.childHeap(), Files.size(file)));
    }

    /** @param sandbox a command to put in front of the child's own, or empty */
    static ParquetChild start(Path file, String sandbox, Limits limits) throws IOException {
        Path work = file.resolveSibling("work");
        DatasetFiles.createFolder(work);
        List<String> command = new ArrayList<>(
                sandbox.isBlank() ? List.of() : List.of(sandbox.strip().split("\\s+")));
        command.addAll(JAVA);
        command.add("-Xmx" + limits.heap().toBytes());
        command.addAll(program());
        // The path is relative, so that it is valid wherever a sandbox mounts the folder.
        command.add(Path.of("..").resolve(file.getFileName()).toString());
        ProcessBuilder builder = new ProcessBuilder(command).directory(work.toFile());
        builder.environment().clear();
        try {
            return new ParquetChild(file, builder.start(), limits);
        } catch (IOException failure) {
            throw notStarted("it cannot be executed");
        }
    }

    /** The command that starts the program of this process again. */
    private static List<String> program() {
        String own = Objects.requireNonNull(ParquetToCsv.class.getResource("ParquetToCsv.class"))
                .toString();
        List<String> classPath = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            classPath.add(Path.of(entry).toAbsolutePath().toString());
        }
        // The jar of the build has its classes in inner jars, where only its own launcher finds them.
        String main = own.startsWith("jar:nested:")
                ? "org.springframework.boot.loader.launch.JarLauncher"
                : "dev.purser.PurserApplication";
        return List.of("-cp", String.join(File.pathSeparator, classPath), main, ParquetToCsv.COMMAND);
    }

    private static ProblemException notStarted(String reason) {
        LOG.error("the child process that reads Parquet cannot work: {}; see docs/operating.md", reason);
        return ProblemException.of(ProblemType.TEMPORARILY_UNAVAILABLE, "Parquet cannot be read right now.");
    }

    /**
     * The CSV that the child writes. It ends only at the end of the file. If the child failed, reading throws instead.
     *
     * @return a stream that throws {@link UnreadableFile} if the file is to blame, and {@link ProblemException},
     *     {@code temporarily-unavailable}, if the host is
     */
    InputStream csv() {
        return new FilterInputStream(process.getInputStream()) {
            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                int read = super.read(into, offset, length);
                if (read < 0) {
                    requireDone();
                }
                return read;
            }
        };
    }

    private void requireDone() throws IOException {
        int status = await();
        if (status == ParquetToCsv.DONE) {
            return;
        }
        if (tooLate) {
            throw ProblemException.of(
                    ProblemType.TEMPORARILY_UNAVAILABLE,
                    "The file could not be read in time, because the machine is busy. Send it again later.");
        }
        if (!tooLaborious && !CAUSED_BY_FILE.contains(status)) {
            throw notStarted("it ended with status " + status);
        }
        if (tooLaborious) {
            throw new UnreadableFile(
                    null,
                    "the file takes more than " + limits.processorTime().toSeconds()
                            + " s of processor time, which are 5 s and 1 s for each MiB of it: send CSV");
        }
        throw switch (status) {
            case MEMORY_EXHAUSTED ->
                new UnreadableFile(
                        null,
                        "the file takes more than %s MB of memory to read: write it with smaller pages (data_page_size"
                                        .formatted(limits.heap().toMegabytes())
                                + " in pandas and pyarrow) or fewer columns, send CSV, or ask the operator for a larger"
                                + " purser.upload.parquet-heap");
            case ParquetToCsv.UNSUPPORTED_COLUMN ->
                new UnreadableFile(
                        lastLineOfErrors(),
                        "the column is nested, or of a type that is not read from Parquet: leave it out or convert it");
            case ParquetToCsv.UNSUPPORTED_CODEC ->
                new UnreadableFile(
                        null,
                        "the file is compressed with Brotli or LZO, which are not read; gzip, LZ4, Snappy and zstd"
                                + " are");
            default -> new UnreadableFile(null, OtherFormats.insteadOfParquet(file));
        };
    }

    private String lastLineOfErrors() {
        try {
            messages.join(PATIENCE);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        String column = message.toString(StandardCharsets.UTF_8).strip().lines().reduce("", (earlier, last) -> last);
        return column.substring(0, Math.min(column.length(), MAX_NAME));
    }

    private int await() {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return process.waitFor();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Ends the child and the processes that a sandbox started. {@link Process#destroyForcibly} is not used, because it
     * closes the stream that is being read.
     */
    private void kill() {
        all().toList().forEach(ProcessHandle::destroyForcibly);
    }

    private Stream<ProcessHandle> all() {
        return Stream.concat(process.descendants(), Stream.of(process.toHandle()));
    }

    /** Ends the child, whatever it does, and waits until it has ended. */
    @Override
    public void close() {
        kill();
        process.destroyForcibly();
        await();
    }
}
