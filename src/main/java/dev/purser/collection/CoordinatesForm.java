package dev.purser.collection;

import dev.purser.json.Elements;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.json.Shape;
import dev.purser.local.CoordinateReport;
import dev.purser.local.SampledCoordinates;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The form of one coordinate as {@code "coordinate"} beside the report's fields, or of several as
 * {@code "coordinates"}. A value with one dimension has no coordinate.
 *
 * @param dimensions d, how many coordinates a value has
 * @param sampled k, how many coordinates a report has
 * @param isList whether a report lists its coordinates even if it has one
 * @param coordinate the field of one coordinate, of {@code dimensions}
 * @param coordinates the field of {@code sampled} coordinates
 */
record CoordinatesForm<R>(
        int dimensions,
        int sampled,
        boolean isList,
        ReportForm<R> each,
        Field<Integer> coordinate,
        Field<Elements<ObjectReader>> coordinates)
        implements ReportForm<List<CoordinateReport<R>>> {
    /** The largest number includes the intercept of a training, which has one more dimension than features. */
    static final Field<Integer> COORDINATE = Field.optional(
            "coordinate",
            FieldType.integer(0, SampledCoordinates.MAX_DIMENSIONS - 1),
            "Of %s with several dimensions: from 0.");

    static final Field<Elements<ObjectReader>> COORDINATES = Field.optional(
            "coordinates",
            coordinates(1, SampledCoordinates.MAX_DIMENSIONS),
            "Of %s with several dimensions, ascending.",
            List.of());

    CoordinatesForm(int dimensions, int sampled, boolean isList, ReportForm<R> each) {
        this(
                dimensions,
                sampled,
                isList,
                each,
                COORDINATE.of(FieldType.integer(0, dimensions - 1)),
                COORDINATES.of(coordinates(sampled, sampled)));
    }

    private static FieldType<Elements<ObjectReader>> coordinates(int least, int most) {
        return FieldType.elements(
                        FieldType.object(new Shape.ObjectOf(
                                "CoordinateReport",
                                Field.required("coordinate", COORDINATE.type(), "From 0.", 3),
                                SIGN.describedAs("-1 or 1.").withoutExample(),
                                POINT.describedAs("0 to 65535."))),
                        least,
                        most)
                .orNone();
    }

    @Override
    public Optional<List<CoordinateReport<R>>> read(ObjectReader in) {
        if (!isList || dimensions == 1) {
            return one(in).map(List::of);
        }
        return in.required(coordinates)
                .flatMap(all -> all.read(inner -> {
                    Optional<CoordinateReport<R>> report = one(inner);
                    return inner.complete(report::orElseThrow);
                }))
                .filter(reports -> {
                    boolean ascend = IntStream.range(1, reports.size())
                            .allMatch(i -> reports.get(i - 1).coordinate()
                                    < reports.get(i).coordinate());
                    if (!ascend) {
                        in.refuse(COORDINATES, "coordinates must ascend, each at most once");
                    }
                    return ascend;
                });
    }

    private Optional<CoordinateReport<R>> one(ObjectReader in) {
        Optional<Integer> place = dimensions == 1 ? Optional.of(0) : in.required(coordinate);
        return each.read(in).flatMap(report -> place.map(sent -> new CoordinateReport<>(sent, report)));
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
