package dev.purser.collection;

import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.local.CoordinateReport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * One coordinate as {@code "coordinate"} beside its report's fields, or several as {@code "coordinates"}. Without
 * dimensions there is no coordinate.
 *
 * @param dimensions d, how many coordinates a value has
 * @param sampled k, how many of them a report has
 * @param isList whether a report lists its coordinates even if it has one
 */
record CoordinatesForm<R>(int dimensions, int sampled, boolean isList, ReportForm<R> each)
        implements ReportForm<List<CoordinateReport<R>>> {
    static final Field COORDINATE =
            Field.optional("coordinate", FieldType.INTEGER, "Of %s with several dimensions: from 0.");

    static final Field COORDINATES = Field.optional(
                    "coordinates",
                    new FieldType.ListOf(new FieldType.ObjectOf(
                            "CoordinateReport",
                            Field.required("coordinate", FieldType.INTEGER, "From 0.")
                                    .withExample(3),
                            Field.optional("sign", FieldType.INTEGER, "-1 or 1."),
                            Field.optional("point", FieldType.INTEGER, "0 to 65535."))),
                    "Of %s with several dimensions, ascending.")
            .withExample(List.of());

    @Override
    public Optional<List<CoordinateReport<R>>> read(ObjectReader in) {
        if (!isList || dimensions == 1) {
            return one(in).map(List::of);
        }
        return in.required("coordinates")
                .objects(sampled, sampled, coordinate -> {
                    Optional<CoordinateReport<R>> report = one(coordinate);
                    return coordinate.complete(report::orElseThrow);
                })
                .filter(reports -> {
                    boolean ascend = IntStream.range(1, reports.size())
                            .allMatch(i -> reports.get(i - 1).coordinate()
                                    < reports.get(i).coordinate());
                    if (!ascend) {
                        in.refuse("coordinates", "coordinates must ascend, each at most once");
                    }
                    return ascend;
                });
    }

    private Optional<CoordinateReport<R>> one(ObjectReader in) {
        Optional<Long> coordinate =
                dimensions == 1 ? Optional.of(0L) : in.required("coordinate").integer(0, dimensions - 1L);
        return each.read(in).flatMap(report -> coordinate.map(sent -> new CoordinateReport<>(sent.intValue(), report)));
    }

    @Override
    public Map<String, Object> write(List<CoordinateReport<R>> reports) {
        if (dimensions == 1) {
            return each.write(reports.getFirst().report());
        }
        List<Map<String, Object>> all = new ArrayList<>();
        for (CoordinateReport<R> report : reports) {
            Map<String, Object> fields = new HashMap<>(each.write(report.report()));
            fields.put("coordinate", report.coordinate());
            all.add(fields);
        }
        return isList ? Map.of("coordinates", all) : all.getFirst();
    }
}
