package dev.purser.synopsis.web;

import dev.purser.dataset.ColumnValue;
import dev.purser.http.CsvConverter;
import dev.purser.http.CsvTable;
import dev.purser.query.AggregateKey;
import dev.purser.synopsis.FreeAnswer;
import dev.purser.synopsis.TableView;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.util.Objects;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;

/** Sends a table of a synopsis as CSV, a line for each cell. */
@Component
class TableCsvWriter extends CsvConverter<TableView> {
    TableCsvWriter() {
        super(TableView.class);
    }

    @Override
    protected void write(TableView table, OutputStream csv) throws IOException {
        CsvTable.write(table.headers().stream().map(CsvTable::cell), csv);
        for (FreeAnswer.Cell cell : table.cells()) {
            CsvTable.write(
                    Stream.concat(
                            cell.key().stream().flatMap(TableCsvWriter::place),
                            Stream.of(
                                            cell.count(),
                                            cell.interval().low(),
                                            cell.interval().high())
                                    .map(BigDecimal::toPlainString)),
                    csv);
        }
    }

    private static Stream<String> place(AggregateKey.Value value) {
        return value.category() != null
                ? Stream.of(CsvTable.cell(value.category()))
                : Stream.of(value.lower(), value.upper())
                        .map(Objects::requireNonNull)
                        .map(TableCsvWriter::number);
    }

    /** Numbers are written as they are. Only a text could be taken for a formula by a spreadsheet. */
    private static String number(ColumnValue value) {
        return value.json() instanceof BigDecimal ? value.toString() : CsvTable.cell(value.toString());
    }
}
