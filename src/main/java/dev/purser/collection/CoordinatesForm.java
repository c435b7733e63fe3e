package dev.purser.collection;

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
