package dev.purser.engine;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetFiles;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.dataset.InstanceId;
import dev.purser.dataset.RowsDatabase;
import dev.purser.dataset.ingest.CsvIngest;
import dev.purser.dataset.ingest.IngestReport;
import dev.purser.dataset.ingest.ParserInProcess;
import dev.purser.dataset.ingest.Upload;
import dev.purser.dataset.parser.UploadFormat;
import dev.purser.ledger.DebitsForTests;
import dev.purser.privacy.PrivacyUnit;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.util.unit.DataSize;

/**
 * Not a test: measures ingest and questions by hand on a CSV file with the columns {@code age}, {@code fnlwgt},
 * {@code hours-per-week} and {@code sex}.
 *
 * <p>Arguments: the file, a folder to work in, the memory limit of a database in MB, and optionally the name of a column to be
 * the privacy unit. To be run with {@code -Xmx256m}.
 */
final class DataMeasurement {
    private static final Column.Numeric AGE = DatasetsForTests.integer("age", 0, 125);
    private static final Column.Numeric WEIGHT = DatasetsForTests.integer("fnlwgt", 0, 2_000_000);
    private static final Column.Numeric HOURS = DatasetsForTests.decimal("hours-per-week", "0.25", 0, 400, 160L);
    private static final Column.Category SEX = DatasetsForTests.category("sex", 0, "Female", "Male");

    private DataMeasurement() {}

    public static void main(String[] arguments) throws Exception {
        Path csv = Path.of(arguments[0]);
        DatasetFiles files = new DatasetFiles(Path.of(arguments[1]), InstanceId.draw());
        int memory = Integer.parseInt(arguments[2]);
        PrivacyUnit unit = arguments.length > 3 ? new PrivacyUnit.Column(arguments[3], 4) : new PrivacyUnit.Row();
        Dataset dataset = DatasetsForTests.of("measured", unit, 100_000_000, List.of(AGE, WEIGHT, HOURS, SEX));

        System.out.println("idle: " + memory());
        long start = System.nanoTime();
        IngestReport report;
        try (InputStream in = Files.newInputStream(csv)) {
            report = new CsvIngest(
                            new RowsDatabase.Limits(memory, 1),
                            new byte[32],
                            new ParserInProcess(),
                            DataSize.ofMegabytes(1))
                    .load(dataset, new Upload(UploadFormat.CSV, in, null, rows -> {}), files.upload("measured"));
        }
        files.commit("measured");
        double seconds = (System.nanoTime() - start) / 1e9;
        System.out.printf(
                "ingest: %d rows, %d kept, %.1f s, %.0f MB/s, %d MB stored; %s%n",
                report.rowsRead(),
                report.rowsStored(),
                seconds,
                Files.size(csv) / 1e6 / seconds,
                Files.size(files.data("measured")) >> 20,
                memory());

        EmbeddedEngine.Settings settings =
                new EmbeddedEngine.Settings(new RowsDatabase.Limits(memory, 2), 4, Duration.ofSeconds(120));
        try (EmbeddedEngine engine = new EmbeddedEngine(files, settings)) {
            Filter filter = new Filter(
                    List.of(new Filter.Between(AGE, 30, 50), new Filter.OneOf(SEX, new TreeSet<>(List.of(1)))));
            for (int repetition = 0; repetition < 3; repetition++) {
                measure(engine, dataset, "count", BucketRequest.rowCount(Filter.ALL_ROWS));
                measure(engine, dataset, "count, filtered", BucketRequest.rowCount(filter));
                measure(engine, dataset, "age", new BucketRequest(AGE, Filter.ALL_ROWS, new long[] {18, 65}));
                measure(engine, dataset, "age, filtered", new BucketRequest(AGE, filter, new long[] {18, 65}));
                measure(engine, dataset, "weight", new BucketRequest(WEIGHT, Filter.ALL_ROWS, new long[] {100_000}));
                measure(engine, dataset, "weight, filtered", new BucketRequest(WEIGHT, filter, new long[] {100_000}));
            }
        }
        files.delete("measured");
        System.out.println("end: " + memory());
    }

    private static void measure(EmbeddedEngine engine, Dataset dataset, String name, BucketRequest request) {
        long start = System.nanoTime();
        engine.collect(DebitsForTests.committed("measured"), dataset, List.of(request));
        System.out.printf("%s: %.1f ms%n", name, (System.nanoTime() - start) / 1e6);
    }

    private static String memory() throws Exception {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith("VmHWM") || line.startsWith("VmRSS"))
                    .map(line -> line.replaceAll("\\s+", " "))
                    .collect(Collectors.joining(", "));
        }
    }
}
