package dev.purser.upload;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetInstance;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.dataset.FingerprintSecrets;
import dev.purser.dataset.InstanceId;
import dev.purser.privacy.PrivacyUnit;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.store.Database;
import dev.purser.store.PurserHome;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.springframework.util.unit.DataSize;

import static dev.purser.dataset.DatasetsForTests.decimal;

/**
 * Takes Parquet files that are damaged by chance, three at a time, and prints the outcomes. It is a program for a
 * process with little memory. Its arguments are a folder, the number of files, and the seed of the damage.
 */
final class DamagedParquet {
    private static final int AT_A_TIME = 3;
    private static final UploadSettings SETTINGS = new UploadSettings(AT_A_TIME, DataSize.ofMegabytes(1), null, "");

    private final DatasetInstance instance;
    private final Uploads uploads;
    private final Map<String, AtomicInteger> outcomes = new ConcurrentHashMap<>();
    private final AtomicLong longestMillis = new AtomicLong();
    private final AtomicInteger datasets = new AtomicInteger();

    private DamagedParquet(DatasetInstance instance) {
        this.instance = instance;
        uploads = new Uploads(
                instance.loading(), new Ingest(instance.keys(), SETTINGS), SETTINGS, new SimpleMeterRegistry());
    }

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        int files = Integer.parseInt(arguments[1]);
        Random random = new Random(Long.parseLong(arguments[2]));
        List<Path> corpus = corpus();
        try (Database database = new Database(new PurserHome(folder.resolve("home")))) {
            DamagedParquet here = new DamagedParquet(
                    new DatasetInstance(database, folder.resolve("rows"), InstanceId.draw(), FingerprintSecrets.of(1)));
            // What Java itself loads for the first uploads does not count for any file.
            here.take(corpus.getFirst(), Files.readAllBytes(corpus.getFirst()));
            here.outcomes.clear();
            here.longestMillis.set(0);
            long before = memory();
            try (ExecutorService threads = Executors.newFixedThreadPool(AT_A_TIME)) {
                for (int i = 0; i < files; i++) {
                    Path file = corpus.get(random.nextInt(corpus.size()));
                    byte[] damaged = damage(Files.readAllBytes(file), random);
                    threads.execute(() -> here.take(file, damaged));
                }
            }
            System.out.printf(
                    "%s; longest: %d ms; growth: %d MB; children left: %d; files left: %s%n",
                    here.outcomes,
                    here.longestMillis.get(),
                    (memory() - before) >> 20,
                    ProcessHandle.current().descendants().count(),
                    filesLeft(folder.resolve("rows")));
        }
    }

    private static List<Path> corpus() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("src/test/resources/parquet/read"))) {
            return files.filter(file -> file.getFileName().toString().matches("(people|rows)\\..*parquet"))
                    .sorted()
                    .toList();
        }
    }

    /** Half of the damage is only in the second half of the file, where its structure is described. */
    private static byte[] damage(byte[] file, Random random) {
        int from = random.nextBoolean() ? 0 : file.length / 2;
        int place = from + random.nextInt(file.length - from);
        switch (random.nextInt(6)) {
            case 0 -> Arrays.fill(file, place, Math.min(file.length, place + random.nextInt(40)), (byte) 0);
            case 1 -> {
                return Arrays.copyOf(file, place);
            }
            case 2 -> System.arraycopy(file, place, file, place / 2, Math.min(file.length - place, 20));
            default -> {
                for (int i = random.nextInt(4); i >= 0; i--) {
                    file[from + random.nextInt(file.length - from)] = (byte) random.nextInt(256);
                }
            }
        }
        return file;
    }

    private void take(Path file, byte[] bytes) {
        String column = file.getFileName().toString().startsWith("people") ? "hours" : "real";
        Dataset dataset = instance.insert(DatasetsForTests.of(
                "d" + datasets.incrementAndGet(),
                new PrivacyUnit.Row(),
                100_000,
                List.of(decimal(column, "0.25", 0, 400, 160L))));
        long start = System.nanoTime();
        String outcome;
        try {
            uploads.take(
                    dataset,
                    new SentFile(
                            OptionalInt.empty(), UploadFormat.PARQUET, new ByteArrayInputStream(bytes), -1, null, true),
                    () -> {});
            outcome = "taken";
        } catch (ProblemException refusal) {
            // The rows of a file whose damage is harmless are in another dataset already.
            outcome = refusal.type() == ProblemType.ALREADY_EXISTS
                    ? "taken"
                    : refusal.type().slug();
        } catch (IOException | RuntimeException failure) {
            outcome = failure.toString();
        }
        outcomes.computeIfAbsent(outcome, each -> new AtomicInteger()).incrementAndGet();
        longestMillis.accumulateAndGet((System.nanoTime() - start) / 1_000_000, Math::max);
    }

    /** All files except stored rows, and all folders except the folders of datasets. */
    private static List<Path> filesLeft(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(path -> root.relativize(path).getNameCount() > 1 && !path.endsWith("rows.columns"))
                    .toList();
        }
    }

    private static long memory() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            String peak =
                    lines.filter(line -> line.startsWith("VmHWM")).findFirst().orElseThrow();
            return Long.parseLong(peak.replaceAll("\\D", "")) << 10;
        }
    }
}
