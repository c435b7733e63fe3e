package dev.purser.upload;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetFiles;
import dev.purser.dataset.RowsPart;
import dev.purser.rows.RowsFileWriter;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.OptionalInt;

/** Uploads without a request, a ledger and a fingerprint. */
public final class CsvForTests {
    private CsvForTests() {}

    /** Stores the rows of a CSV file as the rows of a dataset, each row of which is a privacy unit. */
    public static void store(Dataset dataset, InputStream csv, DatasetFiles files) throws IOException {
        store(dataset, csv, files, false);
    }

    /** The same as for a table of a database: a value that an upload refuses is stored as missing. */
    public static void storeAsTable(Dataset dataset, InputStream csv, DatasetFiles files) throws IOException {
        store(dataset, csv, files, true);
    }

    private static void store(Dataset dataset, InputStream csv, DatasetFiles files, boolean isTable)
            throws IOException {
        CsvRows rows = new CsvRows(dataset, OptionalInt.empty(), UploadFormat.CSV, csv, null, new InvalidData());
        try (RowsFileWriter writer = new RowsFileWriter(dataset.shape(), files.upload(RowsPart.all(dataset.id())))) {
            while (rows.next()) {
                long[] values = rows.values();
                for (int i = 0; isTable && i < values.length; i++) {
                    Number missing =
                            Objects.requireNonNull(dataset.columns().get(i).missing());
                    values[i] = values[i] == FieldReader.REFUSED ? missing.longValue() : values[i];
                }
                writer.add(values);
            }
            if (!isTable && !rows.areSound()) {
                throw new IllegalArgumentException("rows that break a rule");
            }
            writer.finish();
        }
        files.commit(RowsPart.all(dataset.id()));
    }
}
