package dev.purser.upload;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetFiles;
import dev.purser.dataset.RowsPart;
import dev.purser.rows.RowsFileWriter;
import java.io.IOException;
import java.io.InputStream;
import java.util.OptionalInt;

/** Uploads without a request, a ledger and a fingerprint. */
public final class CsvForTests {
    private CsvForTests() {}

    /** Makes a CSV file the rows of a dataset, each row of which is a privacy unit. */
    public static void store(Dataset dataset, InputStream csv, DatasetFiles files) throws IOException {
        CsvRows rows = new CsvRows(dataset, OptionalInt.empty(), UploadFormat.CSV, csv, null, new InvalidData());
        try (RowsFileWriter writer = new RowsFileWriter(dataset.shape(), files.upload(RowsPart.all(dataset.id())))) {
            while (rows.next()) {
                writer.add(rows.values());
            }
            if (!rows.areSound()) {
                throw new IllegalArgumentException("rows that break a rule");
            }
            writer.finish();
        }
        files.commit(RowsPart.all(dataset.id()));
    }
}
