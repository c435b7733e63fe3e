package dev.purser.engine;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetFiles;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.dataset.InstanceId;
import dev.purser.dataset.Notation;
import dev.purser.dataset.RowsPart;
import dev.purser.lab.Options;
import dev.purser.ledger.CommittedDebit;
import dev.purser.ledger.DebitsForTests;
import dev.purser.mechanism.Buckets;
import dev.purser.mechanism.ExactForTests;
import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.Blocks;
import dev.purser.rows.RowsFileWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.LongStream;
import org.springframework.util.FileSystemUtils;

/**
 * The time of a question over the daily files of a year beside the same rows in one file, in one run. Options: {@code
 * folder} on the disk to measure, the number of {@code rows} of a day.
 */
final class BlockSpeed {
    private static final int ROUNDS = 15;
    private static final int DAYS = 365;
    private static final Column.Numeric DAY = new Column.Numeric("day", new Notation.Dates(), 0, DAYS - 1, null);
    private static final Column.Numeric WEIGHT = DatasetsForTests.integer("weight", 0, 2_000_000);
    private static final Column.Numeric AGE = DatasetsForTests.integer("age", 0, 125);
    private static final Filter MIDDLE_AGED = new Filter(List.of(new Filter.Between(AGE, 30, 50)));
    private static final GroupKey AGES =
            new GroupKey(AGE, LongStream.rangeClosed(0, 126).toArray());

    private BlockSpeed() {}

    private record Shape(String name, BucketRequest request) {}

    private static final List<Shape> SHAPES = List.of(
            new Shape("count of all rows, looked up", BucketRequest.rowCount(Filter.ALL_ROWS)),
            new Shape("1,000 edges of weight, looked up", BucketRequest.of(WEIGHT, Filter.ALL_ROWS, thousand())),
            new Shape("1,000 edges of weight, filtered", BucketRequest.of(WEIGHT, MIDDLE_AGED, thousand())),
            new Shape(
                    "sums and squares of weight by age",
                    new BucketRequest(WEIGHT, Filter.ALL_ROWS, List.of(AGES), new long[0], true)));

    private static long[] thousand() {
        return LongStream.range(0, 1000).map(i -> i * 2000).toArray();
    }

    public static void main(String[] arguments) throws Exception {
        Options options = new Options(arguments, "folder", "rows");
        Path folder = options.newFolder("block-speed");
        try {
            measure(folder, (int) options.number("rows", 10_000));
        } finally {
            FileSystemUtils.deleteRecursively(folder);
        }
    }

    private static void measure(Path folder, int rowsOfADay) throws IOException {
        DatasetFiles files = new DatasetFiles(folder.resolve("data"), InstanceId.draw());
        Dataset whole = DatasetsForTests.rows("whole", DAY, WEIGHT, AGE);
        Dataset divided = DatasetsForTests.divided(
                DatasetsForTests.rows("divided", DAY, WEIGHT, AGE), Blocks.over("day", new Blocks.Day(), 0, DAYS - 1));
        Random random = new Random(1);
        try (RowsFileWriter all = new RowsFileWriter(whole.shape(), files.upload(RowsPart.all(whole.id())))) {
            for (int day = 0; day < DAYS; day++) {
                List<long[]> rows = new ArrayList<>();
                for (int i = 0; i < rowsOfADay; i++) {
                    long[] row = {day, random.nextLong(2_000_001), random.nextLong(126)};
                    rows.add(row.clone());
                    all.add(row);
                }
                BlockFiles.write(files, divided, day, rows);
            }
            all.finish();
        }
        files.commit(RowsPart.all(whole.id()));
        CommittedDebit ofWhole = DebitsForTests.committed("speed");
        CommittedDebit ofYear = DebitsForTests.committed("speed", new BlockWindow(0, DAYS - 1));
        for (int maxOpen : new int[] {EmbeddedEngine.Settings.DEFAULT.maxOpen(), 2 * DAYS}) {
            EmbeddedEngine.Settings settings = new EmbeddedEngine.Settings(2, maxOpen, Duration.ofSeconds(120));
            try (EmbeddedEngine engine = new EmbeddedEngine(files, BlockFiles.digests(files), settings)) {
                say("%,d rows, one file beside %d, of which %d stay open:", DAYS * rowsOfADay, DAYS, maxOpen);
                for (Shape shape : SHAPES) {
                    compare(shape, engine, ofWhole, whole, ofYear, divided);
                }
            }
        }
    }

    /** Measures both in turn, so that other work of the machine slows both. The median counts. */
    private static void compare(
            Shape shape,
            EmbeddedEngine engine,
            CommittedDebit ofWhole,
            Dataset whole,
            CommittedDebit ofYear,
            Dataset divided) {
        double[] one = new double[ROUNDS];
        double[] many = new double[ROUNDS];
        for (int round = -2; round < ROUNDS; round++) {
            long start = System.nanoTime();
            Buckets expected = collect(engine, ofWhole, whole, shape.request());
            long middle = System.nanoTime();
            Buckets found = collect(engine, ofYear, divided, shape.request());
            long end = System.nanoTime();
            requireEqual(expected, found, shape.request());
            if (round >= 0) {
                one[round] = (middle - start) / 1e6;
                many[round] = (end - middle) / 1e6;
            }
        }
        Arrays.sort(one);
        Arrays.sort(many);
        say(
                "  %-40s one file %7.1f ms (%.1f to %.1f), daily files %7.1f ms (%.1f to %.1f)",
                shape.name(), one[ROUNDS / 2], one[0], one[ROUNDS - 1], many[ROUNDS / 2], many[0], many[ROUNDS - 1]);
    }

    private static Buckets collect(
            EmbeddedEngine engine, CommittedDebit debit, Dataset dataset, BucketRequest request) {
        return ExactForTests.open(engine.collect(debit, dataset, List.of(request)))
                .getFirst();
    }

    private static void requireEqual(Buckets expected, Buckets found, BucketRequest request) {
        List<Buckets> groups = ExactForTests.groups(expected);
        for (int i = 0; i < groups.size(); i++) {
            if (!ExactForTests.prefixes(groups.get(i), request.edges())
                    .equals(ExactForTests.prefixes(ExactForTests.groups(found).get(i), request.edges()))) {
                throw new AssertionError("not the statistics of the same rows");
            }
        }
    }

    private static void say(String form, Object... values) {
        System.out.println(String.format(Locale.ROOT, form, values));
    }
}
