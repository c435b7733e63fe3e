package dev.purser.collection;

import dev.purser.local.NumericRandomizer;
import dev.purser.local.Piecewise;
import dev.purser.local.Point;
import dev.purser.local.SampledCoordinates;
import java.util.Map;

/** A report of a number is a point. */
final class PiecewiseProtocol extends SampledProtocol<Point> {
    PiecewiseProtocol() {
        super("piecewise", SampledCoordinates::piecewise, ReportForm.OF_POINT, true, ReportForm.POINT);
    }

    @Override
    Map<String, Object> constants(NumericRandomizer<Point> each) {
        return constants((Piecewise) each);
    }

    static Map<String, Object> constants(Piecewise piecewise) {
        return Map.of("points", Piecewise.POINTS, "band", piecewise.band());
    }
}
