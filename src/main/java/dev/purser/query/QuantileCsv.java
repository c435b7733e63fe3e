package dev.purser.query;

import dev.purser.http.CsvForm;
import dev.purser.http.CsvTable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;

/** Quantiles as CSV, with one line for each quantile. For groups, the line begins with the columns of the keys. */
final class QuantileCsv implements CsvForm {
    static final List<String> COLUMNS = List.of("probability", "value", "interval.low", "interval.high");

    @Override
    public void render(InputStream document, OutputStream csv) throws IOException {
        try (JsonParser in = CsvTable.parser(document)) {
            CsvTable.enter(in, "/answer/quantiles");
            boolean isOfGroups = in.nextToken() == JsonToken.END_ARRAY;
            if (!isOfGroups) {
                CsvTable.write(COLUMNS.stream(), csv);
                for (; in.currentToken() == JsonToken.START_OBJECT; in.nextToken()) {
                    CsvTable.write(cells(List.of(), in.readValueAsTree()), csv);
                }
                return;
            }
            List<String> keys = AggregateCsv.texts(in, "/answer/keys");
            CsvTable.enter(in, "/answer/groups");
            boolean isFirst = true;
            while (in.nextToken() == JsonToken.START_OBJECT) {
                JsonNode group = in.readValueAsTree();
                if (isFirst) {
                    CsvTable.write(
                            Stream.concat(AggregateCsv.ofKeys(keys, group.get("key")).stream(), COLUMNS.stream())
                                    .map(CsvTable::cell),
                            csv);
                    isFirst = false;
                }
                for (JsonNode quantile : group.get("quantiles")) {
                    CsvTable.write(cells(AggregateCsv.ofPlace(group), quantile), csv);
                }
            }
        }
    }

    private static Stream<String> cells(List<String> place, JsonNode quantile) {
        JsonNode interval = quantile.get("interval");
        return Stream.concat(
                place.stream(),
                Stream.of(quantile.get("probability"), quantile.get("value"), interval.get("low"), interval.get("high"))
                        .map(CsvTable::cell));
    }
}
