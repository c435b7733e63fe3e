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

/**
 * A table of groups as CSV, with one line for each group. A key of categories has one column. A key of ranges has two.
 * An aggregate has three: its value and both ends of its interval.
 */
final class AggregateCsv implements CsvForm {
    @Override
    public void render(InputStream document, OutputStream csv) throws IOException {
        try (JsonParser in = CsvTable.parser(document)) {
            List<String> keys = texts(in, "/answer/keys");
            List<String> aggregates = texts(in, "/answer/aggregates");
            CsvTable.enter(in, "/answer/groups");
            boolean isFirst = true;
            while (in.nextToken() == JsonToken.START_OBJECT) {
                JsonNode group = in.readValueAsTree();
                if (isFirst) {
                    CsvTable.write(headers(keys, aggregates, group.get("key")), csv);
                    isFirst = false;
                }
                CsvTable.write(cells(group), csv);
            }
        }
    }

    static List<String> texts(JsonParser in, String pointer) {
        CsvTable.enter(in, pointer);
        List<String> texts = new ArrayList<>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            texts.add(in.getString());
        }
        return texts;
    }

    private static Stream<String> headers(List<String> keys, List<String> aggregates, JsonNode place) {
        List<String> headers = ofKeys(keys, place);
        aggregates.forEach(name -> headers.addAll(List.of(name, name + ".low", name + ".high")));
        return headers.stream().map(CsvTable::cell);
    }

    /** The names of the keys' columns. */
    static List<String> ofKeys(List<String> keys, JsonNode place) {
        List<String> headers = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            String key = keys.get(i);
            parts(place.get(i)).forEach(part -> headers.add(part.equals("category") ? key : key + "." + part));
        }
        return headers;
    }

    /** The names of the members of a key's value that are not null. */
    private static List<String> parts(JsonNode value) {
        return value.propertyStream()
                .filter(member -> !member.getValue().isNull())
                .map(member -> member.getKey())
                .toList();
    }

    /** The cells of a group's place. */
    static List<String> ofPlace(JsonNode group) {
        List<String> cells = new ArrayList<>();
        for (JsonNode value : group.get("key")) {
            parts(value).forEach(part -> cells.add(CsvTable.cell(value.get(part))));
        }
        return cells;
    }

    private static Stream<String> cells(JsonNode group) {
        List<String> cells = ofPlace(group);
        for (JsonNode value : group.get("values")) {
            JsonNode interval = value.get("interval");
            Stream.of(value.get("value"), interval.get("low"), interval.get("high"))
                    .map(CsvTable::cell)
                    .forEach(cells::add);
        }
        return cells.stream();
    }
}
