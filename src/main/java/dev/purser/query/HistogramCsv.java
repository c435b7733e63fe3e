package dev.purser.query;

import dev.purser.http.CsvForm;
import dev.purser.http.CsvTable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;

/** The bins of a histogram as CSV, one line for each bin. A bin that is a block has a label in place of its ends. */
final class HistogramCsv implements CsvForm {
    private static final String BINS = "/answer/bins";
    private static final String BLOCK = "block";
    private static final CsvTable OF_BLOCKS =
            new CsvTable(BINS, List.of(BLOCK, "count", "interval.low", "interval.high"));
    private static final CsvTable OF_OTHERS =
            new CsvTable(BINS, List.of("lower", "upper", "category", "count", "interval.low", "interval.high"));

    @Override
    public void render(InputStream document, OutputStream csv) throws IOException {
        try (JsonParser in = CsvTable.parser(document)) {
            CsvTable.enter(in, BINS);
            boolean isFirst = true;
            while (in.nextToken() == JsonToken.START_OBJECT) {
                JsonNode bin = in.readValueAsTree();
                CsvTable table = bin.has(BLOCK) ? OF_BLOCKS : OF_OTHERS;
                if (isFirst) {
                    table.writeHeader(csv);
                    isFirst = false;
                }
                table.writeRow(bin, csv);
            }
        }
    }
}
