package dev.purser.collection;

import dev.purser.local.NumericRandomizer;
import dev.purser.local.Piecewise;
import dev.purser.local.Point;
import dev.purser.local.SampledCoordinates;
import dev.purser.privacy.Epsilon;
import java.util.List;
import java.util.Map;

/** A point for a number. */
final class PiecewiseProtocol extends SampledProtocol<Point> {
    PiecewiseProtocol() {
        super("piecewise");
    }

    @Override
    List<Field> reportFields() {
        return List.of(ReportForm.POINT_FIELD, CoordinatesForm.COORDINATES);
    }

    @Override
    CoordinatesForm<Point> form(int dimensions, int sampled) {
        return new CoordinatesForm<>(dimensions, sampled, true, ReportForm.POINT);
    }

    @Override
    SampledCoordinates<Point> randomizer(int dimensions, Epsilon epsilon) {
        return SampledCoordinates.piecewise(dimensions, epsilon);
    }

    @Override
    Map<String, Object> constants(NumericRandomizer<Point> each) {
        return constants((Piecewise) each);
    }

    static Map<String, Object> constants(Piecewise piecewise) {
        return Map.of("points", Piecewise.POINTS, "band", piecewise.band());
    }
}
