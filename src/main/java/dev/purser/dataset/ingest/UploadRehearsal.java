package dev.purser.dataset.ingest;

import dev.purser.accounting.PureAccountant;
import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetState;
import dev.purser.dataset.Notation;
import dev.purser.dataset.Registration;
import dev.purser.dataset.Source;
import dev.purser.dataset.parser.ParseUpload;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.Grid;
import dev.purser.privacy.NeighboringRelation;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.PrivacyUnit;
import dev.purser.rows.RowsFileWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.springframework.util.FileSystemUtils;

/**
 * An upload of invented rows that nobody keeps. It has Java compile what takes uploads before the first one comes, which would else
 * take longer than those after it: docs/performance.md. It goes all the way of an upload but for its parser, which
 * runs in a process of its own, and for privacy units that are a column.
 */
public final class UploadRehearsal {
    /** Compiled is what ran some ten thousand times; more rows than these make the first upload no quicker. */
    private static final int ROWS = 100_000;

    private static final int ROWS_BETWEEN_QUESTIONS = 1 << 10;
    private static final int SECONDS_OF_DAY = 86_400;
    private static final long SECONDS_OF_CENTURY = 36_525L * SECONDS_OF_DAY;

    private static final List<String> KINDS = List.of("a", "second", "third and last");

    private UploadRehearsal() {}

    /**
     * Takes the upload.
     *
     * @param folder for what is written meanwhile; deleted before and after
     * @param goesOn asked now and then; once it is false, the rehearsal ends
     * @throws IOException if nothing can be written there
     */
    public static void run(Path folder, BooleanSupplier goesOn) throws IOException {
        FileSystemUtils.deleteRecursively(folder);
        try {
            take(Files.createDirectories(folder).resolve("rows"), goesOn);
        } finally {
            FileSystemUtils.deleteRecursively(folder);
        }
    }

    private static void take(Path target, BooleanSupplier goesOn) throws IOException {
        Dataset dataset = dataset();
        CsvRows rows = new CsvRows(dataset, new Fields(frames()), new FingerprintDigest(new byte[1]));
        try (RowsFileWriter writer = new RowsFileWriter(dataset.shape(), target)) {
            while (rows.next()) {
                writer.add(rows.values());
                if (rows.count() % ROWS_BETWEEN_QUESTIONS == 0 && !goesOn.getAsBoolean()) {
                    return;
                }
            }
            writer.finish();
        }
    }

    private static InputStream frames() throws IOException {
        ByteArrayOutputStream frames = new ByteArrayOutputStream();
        ParseUpload.csv(new ByteArrayInputStream(csv().getBytes(StandardCharsets.US_ASCII)), frames);
        return new ByteArrayInputStream(frames.toByteArray());
    }

    /**
     * Values of every form, some outside their bounds, in columns that are counted and one that is sorted, the moments: what no value here
     * has been through is compiled once more when the first one comes.
     */
    private static String csv() {
        StringBuilder csv = new StringBuilder("count,amount,share,moment,kind\n");
        for (int i = 0; i < ROWS; i++) {
            csv.append(i % 103 - 1).append(',');
            csv.append(i * 7919L % 100_000 / 100.0).append(',');
            csv.append((i % 1601 - 800) / 8.0).append(i % 32 == 0 ? "00000000," : ",");
            csv.append(Instant.ofEpochSecond((long) i % 500 * SECONDS_OF_DAY)).append(',');
            csv.append(KINDS.get(i % KINDS.size())).append('\n');
        }
        return csv.toString();
    }

    private static Dataset dataset() {
        List<Column> columns = List.of(
                new Column.Numeric("count", new Notation.Numbers(true, Grid.ONE), 0, 100, null),
                new Column.Numeric(
                        "amount", new Notation.Numbers(false, new Grid(new BigDecimal("0.01"))), 0, 90_000, null),
                new Column.Numeric(
                        "share", new Notation.Numbers(false, new Grid(new BigDecimal("0.25"))), -380, 400, null),
                new Column.Numeric("moment", new Notation.Timestamps(Grid.ONE), 0, SECONDS_OF_CENTURY, null),
                Column.Category.ofNames("kind", KINDS));
        Registration registration = new Registration(
                "rehearsal",
                Optional.empty(),
                columns,
                new PrivacyUnit.Row(),
                NeighboringRelation.ADD_OR_REMOVE_ONE,
                ROWS,
                PrivacyAmount.pure(Epsilon.parse("1")),
                new PureAccountant(),
                new Source.Upload(),
                false,
                Optional.empty());
        return new Dataset(registration, "rehearsal", DatasetState.LOADING, "rehearsal", Instant.EPOCH);
    }
}
