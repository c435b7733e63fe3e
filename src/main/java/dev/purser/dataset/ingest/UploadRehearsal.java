package dev.purser.dataset.ingest;

import dev.purser.accounting.PureAccountant;
import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetState;
import dev.purser.dataset.Notation;
import dev.purser.dataset.Registration;
import dev.purser.dataset.Source;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.Grid;
import dev.purser.privacy.NeighboringRelation;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.PrivacyUnit;
import dev.purser.rows.RowsFileWriter;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.springframework.util.FileSystemUtils;

/**
 * An upload of invented rows that nobody keeps. It has Java compile what takes uploads before the first one comes, which would else
 * take longer than those after it: docs/performance.md. It goes all the way of an upload but for its parser, which
 * runs in a process of its own, and for privacy units that are a column.
 */
public final class UploadRehearsal {
    /** Compiled is what ran some ten thousand times. */
    private static final int ROWS = 100_000;

    /** How often rows are stored that were read once, which takes longer. */
    private static final int STORED = 8;

    /** More than there are: so that amounts are counted, of which there are many. */
    private static final int MAX_ROWS = 1 << 20;

    private static final long MOST_CENTS = 1 << 20;

    private static final Duration TO_COMPILE = Duration.ofMillis(300);

    private static final long SECONDS_OF_CENTURY = 36_525L * 86_400;

    private UploadRehearsal() {}

    /**
     * Takes the upload, and some time later once more: only so many things are compiled at a time, and what was not when the first one ended is
     * not until the next one runs.
     *
     * @param folder for what is written meanwhile; deleted before and after
     * @param goesOn asked now and then; once it is false, the rehearsal ends
     * @throws IOException if nothing can be written there
     */
    public static void run(Path folder, BooleanSupplier goesOn) throws IOException {
        FileSystemUtils.deleteRecursively(folder);
        try {
            if (take(Files.createDirectories(folder), goesOn)) {
                Thread.sleep(TO_COMPILE);
                take(folder, goesOn);
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        } finally {
            FileSystemUtils.deleteRecursively(folder);
        }
    }

    /** Whether the rehearsal goes on. */
    private static boolean take(Path folder, BooleanSupplier goesOn) throws IOException {
        Dataset dataset = dataset();
        FingerprintDigest digest = new FingerprintDigest(new byte[1]);
        Fields csv = new Fields(new FrameBuffer(unbounded(RehearsedFrames.ofCsv(ROWS))));
        return goesOn.getAsBoolean()
                && take(dataset, new CsvRows(dataset, csv, digest), folder.resolve("csv"), goesOn)
                && takeParquet(dataset, digest, folder, goesOn);
    }

    private static boolean takeParquet(Dataset dataset, FingerprintDigest digest, Path folder, BooleanSupplier goesOn)
            throws IOException {
        Path file = folder.resolve("batches");
        try (Arena arena = Arena.ofShared()) {
            BoundedFrames frames = unbounded(RehearsedFrames.ofParquet(ROWS));
            SharedBatches batches = new SharedBatches(RehearsedFrames.slots(file, arena), frames);
            Files.delete(file);
            UploadRows rows = new ParquetColumns(dataset, new FrameBuffer(frames), batches, digest);
            return take(dataset, rows, folder.resolve("parquet"), goesOn);
        }
    }

    private static BoundedFrames unbounded(InputStream frames) {
        return new BoundedFrames(frames, new AtomicLong(), 0, Long.MAX_VALUE);
    }

    private static boolean take(Dataset dataset, UploadRows rows, Path target, BooleanSupplier goesOn)
            throws IOException {
        try (RowsFileWriter writer = new RowsFileWriter(dataset.shape(), target)) {
            while (rows.next()) {
                for (int i = 0; i < STORED; i++) {
                    writer.add(rows.batch().columns(), rows.batch().size());
                }
                if (!goesOn.getAsBoolean()) {
                    return false;
                }
            }
            writer.finish();
        }
        Files.delete(target);
        return true;
    }

    private static Dataset dataset() {
        List<Column> columns = List.of(
                new Column.Numeric("count", new Notation.Numbers(true, Grid.ONE), 0, 100, null),
                new Column.Numeric(
                        "amount", new Notation.Numbers(false, new Grid(new BigDecimal("0.01"))), 0, MOST_CENTS, null),
                new Column.Numeric(
                        "share", new Notation.Numbers(false, new Grid(new BigDecimal("0.25"))), -380, 400, null),
                new Column.Numeric("moment", new Notation.Timestamps(Grid.ONE), 0, SECONDS_OF_CENTURY, null),
                Column.Category.ofNames("kind", RehearsedFrames.KINDS));
        Registration registration = new Registration(
                "rehearsal",
                Optional.empty(),
                columns,
                new PrivacyUnit.Row(),
                NeighboringRelation.ADD_OR_REMOVE_ONE,
                MAX_ROWS,
                PrivacyAmount.pure(Epsilon.parse("1")),
                new PureAccountant(),
                new Source.Upload(),
                false,
                Optional.empty());
        return new Dataset(registration, "rehearsal", DatasetState.LOADING, "rehearsal", Instant.EPOCH);
    }
}
