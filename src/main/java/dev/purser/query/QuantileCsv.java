package dev.purser.query;

import dev.purser.http.CsvForm;
import dev.purser.http.CsvTable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;

/** Quantiles as CSV: a line for each quantile; of groups, with the columns of the keys before it. */
final class QuantileCsv implements CsvForm {
    static final List<String> COLUMNS = List.of("probability", "value", "interval.low", "interval.high");

    @Override
    public void render(InputStream document, OutputStream csv) throws IOException {
        try (JsonParser in = CsvTable.parser(document)) {
            CsvTable.enterObject(in, "/answer");
            in.nextToken();
            if (in.currentName().equals("quantiles")) {
                CsvTable.write(COLUMNS.stream(), csv);
                in.nextToken();
                while (in.nextToken() == JsonToken.START_OBJECT) {
                    CsvTable.write(cells(List.of(), in.readValueAsTree()), csv);
                }
                return;
            }
            in.nextToken();
            List<String> keys = new ArrayList<>();
            while (in.nextToken() != JsonToken.END_ARRAY) {
                keys.add(in.getString());
            }
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
