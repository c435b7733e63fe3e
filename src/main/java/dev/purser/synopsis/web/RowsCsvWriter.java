package dev.purser.synopsis.web;

import dev.purser.http.CsvConverter;
import dev.purser.http.CsvTable;
import dev.purser.synopsis.RowsView;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.util.List;
import org.springframework.stereotype.Component;

/** Sends invented rows as CSV, as they could be uploaded. */
@Component
class RowsCsvWriter extends CsvConverter<RowsView> {
    RowsCsvWriter() {
        super(RowsView.class);
    }

    @Override
    protected void write(RowsView rows, OutputStream csv) throws IOException {
        CsvTable.write(rows.columns().stream().map(CsvTable::cell), csv);
        for (List<Object> row : rows.rows()) {
            CsvTable.write(row.stream().map(RowsCsvWriter::cell), csv);
        }
    }

    /** Numbers are written as they are. Only a text could be taken for a formula by a spreadsheet. */
    private static String cell(Object value) {
        return value instanceof BigDecimal number ? number.toPlainString() : CsvTable.cell(value.toString());
    }
}
