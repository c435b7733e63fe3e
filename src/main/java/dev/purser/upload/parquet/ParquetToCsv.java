package dev.purser.upload.parquet;

import dev.hardwood.InputFile;
import dev.hardwood.internal.reader.ParquetMetadataReader;
import dev.hardwood.metadata.FileMetaData;
import dev.hardwood.metadata.RowGroup;
import dev.hardwood.schema.FileSchema;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Writes a Parquet file as CSV (RFC 4180) to standard output: a header, then its rows in order, each value as the text
 * that {@link ColumnText} defines. A missing value is an empty field.
 *
 * <p>It is the program of a child process. Only the exit status says what became of the file. A message contains no
 * byte of the file, except the name of a column that has no text. The program ends when its standard input ends, so
 * that no child outlives the service.
 */
public final class ParquetToCsv {
    /** The first argument of the jar that runs this program. The second argument is the file. */
    public static final String COMMAND = "parquet-to-csv";

    /** All rows were written. */
    public static final int DONE = 0;

    /** The file is damaged, or not Parquet, or of a kind that cannot be read. */
    public static final int UNREADABLE = 65;

    /** A column has no text. Its name is the last line on standard error. */
    public static final int UNSUPPORTED_COLUMN = 66;

    /**
     * The most characters of a name in the file that are reported. It is the longest name that a registration can have.
     */
    private static final int MOST_CHARACTERS = 128;

    /** The file is compressed with a codec that is not read. */
    public static final int UNSUPPORTED_CODEC = 67;

    /**
     * The file cannot be found, or the native library of a codec cannot be loaded here, because the disk is full or the
     * platform has no such library.
     */
    public static final int NOT_READY = 70;

    private ParquetToCsv() {}

    /** Runs the program and ends the process. */
    public static void run(String... arguments) {
        Thread.ofPlatform().daemon().start(ParquetToCsv::endWithStandardInput);
        // Halting runs no hooks: a hostile file could make them wait.
        Runtime.getRuntime().halt(statusOf(Path.of(arguments[1])));
    }

    private static void endWithStandardInput() {
        try {
            while (System.in.read() >= 0) {
                // The service sends nothing on this stream.
            }
        } catch (IOException closed) {
            // As above.
        }
        Runtime.getRuntime().halt(UNREADABLE);
    }

    private static int statusOf(Path file) {
        if (!Files.isReadable(file)) {
            // A sandbox hides the file, or the folder has a name that Java cannot read without a locale.
            return NOT_READY;
        }
        try (OutputStream out = new FileOutputStream(FileDescriptor.out)) {
            write(file, out);
            return DONE;
        } catch (RefusedFileException refusal) {
            String said = String.valueOf(refusal.getMessage());
            System.err.println(said.substring(0, Math.min(said.length(), MOST_CHARACTERS)));
            return refusal.status();
        } catch (Throwable whateverTheFileCaused) {
            return UNREADABLE;
        }
    }

    /**
     * Writes all rows of {@code file}.
     *
     * @throws RefusedFileException if a column has no text, or a codec cannot be used
     * @throws IOException if rows are missing, or cannot be read or written
     */
    static void write(Path file, OutputStream out) throws IOException, RefusedFileException {
        try (InputFile input = InputFile.of(file)) {
            input.open();
            FileMetaData metaData = ParquetMetadataReader.readMetadata(input);
            FileSchema schema = FileSchema.fromSchemaElements(metaData.schema());
            List<ColumnText> columns = ColumnText.of(schema);
            Codecs.load(metaData);
            try (SparePages spare =
                    new SparePages(columns.size(), Runtime.getRuntime().maxMemory())) {
                List<PagedValues> values = columns.stream()
                        .map(column -> new PagedValues(input, schema.getColumn(column.position()), spare))
                        .toList();
                write(metaData, columns, values, new CsvWriter(out));
            }
        }
    }

    private static void write(FileMetaData metaData, List<ColumnText> columns, List<PagedValues> values, CsvWriter csv)
            throws IOException {
        for (ColumnText column : columns) {
            csv.text(column.name().getBytes(StandardCharsets.UTF_8));
        }
        csv.endRecord();
        long written = 0;
        for (RowGroup group : metaData.rowGroups()) {
            for (int i = 0; i < values.size(); i++) {
                values.get(i).open(group.columns().get(i), group.numRows());
            }
            for (long row = 0; row < group.numRows(); row++) {
                for (int i = 0; i < values.size(); i++) {
                    values.get(i).next();
                    columns.get(i).write(values.get(i), csv);
                }
                csv.endRecord();
            }
            written += group.numRows();
        }
        if (written != metaData.numRows()) {
            throw new IOException("rows are missing");
        }
        csv.flush();
    }
}
