package dev.purser.upload;

import com.sun.management.OperatingSystemMXBean;
import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetInstance;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.dataset.FingerprintSecrets;
import dev.purser.dataset.InstanceId;
import dev.purser.dataset.Notation;
import dev.purser.privacy.PrivacyUnit;
import dev.purser.problem.ProblemException;
import dev.purser.store.Database;
import dev.purser.store.PurserHome;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.springframework.util.unit.DataSize;

import static dev.purser.dataset.DatasetsForTests.category;
import static dev.purser.dataset.DatasetsForTests.decimal;
import static dev.purser.dataset.DatasetsForTests.integer;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Takes uploads one after another. For each it prints the outcome, the milliseconds of processor time, and by how many
 * megabytes this process grew. It is a program for a process with little memory. Its argument is a folder.
 */
final class UploadsInLittleMemory {
    private static final long HUGE = 1L << 40;
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final UploadSettings SETTINGS = new UploadSettings(1, DataSize.ofMegabytes(1), null, "");

    private final DatasetInstance instance;
    private final Uploads uploads;
    private int datasets;

    private UploadsInLittleMemory(DatasetInstance instance) {
        this.instance = instance;
        uploads = new Uploads(
                instance.loading(), new Ingest(instance.keys(), SETTINGS), SETTINGS, new SimpleMeterRegistry());
    }

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        try (Database database = new Database(new PurserHome(folder.resolve("home")))) {
            UploadsInLittleMemory here = new UploadsInLittleMemory(
                    new DatasetInstance(database, folder.resolve("rows"), InstanceId.draw(), FingerprintSecrets.of(1)));
            // What Java itself loads for the first upload is not caused by the upload's file.
            here.takeWhatIsHarmless();
            here.takeWhatIsHostile();
            here.takeWhatIsLarge();
        }
    }

    private void takeWhatIsHarmless() throws IOException {
        take("few rows", people(), text("age,hours,sex\n1,2,F\n"));
        take("few rows of units", visits(), text("user,n\na,1\n"));
    }

    private void takeWhatIsHostile() throws IOException {
        byte[] noise = new byte[100_000];
        new Random(1).nextBytes(noise);
        take("an open quote", people(), new RepeatedText("age,hours,sex\n1,2,\"", "x", 1 << 30));
        take("a field of a gigabyte", people(), new RepeatedText("age,hours,sex\n1,2,", "x", 1 << 30));
        take("a field of a gigabyte in the header", people(), new RepeatedText("age,hours,", "x", 1 << 30));
        take("a million columns", people(), new RepeatedText("age,hours,sex", ",c", 2_000_000));
        take("a million fields", people(), new RepeatedText("age,hours,sex\n1,2,F", ",1", 2_000_000));
        take("NUL", people(), new RepeatedText("age,hours,sex\n1,2,", "\0", 100));
        take("a carriage return alone", people(), new RepeatedText("age,hours,sex\r1,2,", "F", 100));
        take("another type", people(), new RepeatedText("age,hours,sex\n", "x,2,F\n", 6000));
        take("not text", people(), new ByteArrayInputStream(noise));
        take("torn in a quote", people(), new RepeatedText("age,hours,sex\n", "1,2,\"F\"\n", 8 * 1000 + 5));
        take(
                "a million units before a bad value",
                visits(),
                lines("user,n", 1_000_001, i -> i < 1_000_000 ? i + ",1" : "1,old"));
        take(
                "a million rows of one unit before a bad value",
                visits(),
                lines("user,n", 1_000_001, i -> i < 1_000_000 ? "a,1" : "a,old"));
        take(
                "a million dates before a bad one",
                dataset(
                        new PrivacyUnit.Row(),
                        columns(1000, name -> new Column.Numeric(name, new Notation.Dates(), -HUGE, HUGE, null))),
                lines(
                        names(1000),
                        1101,
                        row -> row < 1100
                                ? String.join(
                                        ",",
                                        Collections.nCopies(
                                                1000,
                                                LocalDate.EPOCH.plusDays(row).toString()))
                                : "1970-01-01,never" + ",1970-01-01".repeat(998)));
    }

    private void takeWhatIsLarge() throws IOException {
        Random random = new Random(5);
        take(
                "a million rows",
                people(),
                lines("age,hours,sex", 1_000_000, row -> row % 90 + "," + row % 400 / 4.0 + ",F"));
        take(
                "half a million rows of units",
                visits(),
                lines("user,n", 500_000, row -> row % 300_000 + "," + row % 100));
        Column[] wide = columns(200, name -> integer(name, -HUGE, HUGE));
        IntFunction<String> values = row -> row % 3000 + ","
                + String.join(
                        ",",
                        random.longs(200, -HUGE, HUGE).mapToObj(Long::toString).toList());
        take("wide rows", dataset(new PrivacyUnit.Row(), wide), lines("user," + names(200), 8_000, values));
        take(
                "wide rows of units",
                dataset(new PrivacyUnit.Column("user", 2, PrivacyUnit.IdType.TEXT), wide),
                lines("user," + names(200), 8_000, values));
    }

    private Dataset people() {
        return dataset(
                new PrivacyUnit.Row(),
                integer("age", 0, 125),
                decimal("hours", "0.25", 0, 400, 160L),
                category("sex", null, "F", "M"));
    }

    private Dataset visits() {
        return dataset(new PrivacyUnit.Column("user", 1, PrivacyUnit.IdType.TEXT), integer("n", 0, 1_000_000));
    }

    private Dataset dataset(PrivacyUnit unit, Column... columns) {
        return instance.insert(DatasetsForTests.of("d" + datasets++, unit, 100_000_000, List.of(columns)));
    }

    private static Column[] columns(int count, java.util.function.Function<String, Column> column) {
        return IntStream.range(0, count).mapToObj(i -> column.apply("c" + i)).toArray(Column[]::new);
    }

    private static String names(int count) {
        return String.join(",", IntStream.range(0, count).mapToObj(i -> "c" + i).toList());
    }

    private static InputStream text(String text) {
        return new ByteArrayInputStream(text.getBytes(UTF_8));
    }

    /** A file of which at most a line is in memory. */
    private static InputStream lines(String header, int rows, IntFunction<String> row) {
        Iterator<InputStream> rest = IntStream.range(0, rows)
                .mapToObj(i -> text(row.apply(i) + "\n"))
                .iterator();
        return new SequenceInputStream(text(header + "\n"), new SequenceInputStream(new java.util.Enumeration<>() {
            @Override
            public boolean hasMoreElements() {
                return rest.hasNext();
            }

            @Override
            public InputStream nextElement() {
                return rest.next();
            }
        }));
    }

    private void take(String name, Dataset dataset, InputStream csv) throws IOException {
        // Makes the kernel count the most resident memory of this process anew: proc(5), clear_refs.
        Files.writeString(Path.of("/proc/self/clear_refs"), "5");
        long before = memory("VmRSS");
        long start = SYSTEM.getProcessCpuTime();
        String outcome;
        try {
            uploads.take(dataset, new SentFile(OptionalInt.empty(), UploadFormat.CSV, csv, -1, null, false), () -> {});
            outcome = "taken";
        } catch (ProblemException refusal) {
            outcome = refusal.type().slug();
        }
        long millis = (SYSTEM.getProcessCpuTime() - start) / 1_000_000;
        System.out.printf("%s: %s, %d ms, %d MB%n", name, outcome, millis, (memory("VmHWM") - before) >> 20);
    }

    private static long memory(String line) throws IOException {
        List<String> lines = new ArrayList<>(Files.readAllLines(Path.of("/proc/self/status")));
        lines.removeIf(each -> !each.startsWith(line));
        return Long.parseLong(lines.getFirst().replaceAll("\\D", "")) << 10;
    }
}
