package dev.purser.collection;

import dev.purser.json.ObjectReader;
import dev.purser.local.Hybrid;
import dev.purser.local.NumericRandomizer;
import dev.purser.local.Point;
import dev.purser.local.SampledCoordinates;
import dev.purser.local.Sign;
import dev.purser.local.SignOrPoint;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** A report of a number is a sign or a point. */
final class HybridProtocol extends SampledProtocol<SignOrPoint> {
    static final String NAME = "hybrid";

    static final ReportForm<SignOrPoint> SIGN_OR_POINT =
            written(in -> in.exactlyOne(List.of(ReportForm.SIGN, ReportForm.POINT))
                    .flatMap(name -> name.equals(ReportForm.SIGN)
                            ? ReportForm.OF_SIGN.read(in).map(sign -> sign)
                            : ReportForm.OF_POINT.read(in).map(point -> point)));

    /** The form at a low epsilon, where reports have no points. */
    private static final ReportForm<SignOrPoint> SIGN_ALONE =
            written(in -> ReportForm.OF_SIGN.read(in).map(sign -> sign));

    private static ReportForm<SignOrPoint> written(Function<ObjectReader, Optional<SignOrPoint>> read) {
        return new ReportForm<>() {
            @Override
            public Optional<SignOrPoint> read(ObjectReader in) {
                return read.apply(in);
            }

            @Override
            public Map<String, Object> write(SignOrPoint report) {
                return switch (report) {
                    case Sign sign -> ReportForm.OF_SIGN.write(sign);
                    case Point point -> ReportForm.OF_POINT.write(point);
                };
            }
        };
    }

    HybridProtocol() {
        super(NAME, SampledCoordinates::hybrid, SIGN_OR_POINT, true, ReportForm.SIGN, ReportForm.POINT);
    }

    @Override
    ReportForm<SignOrPoint> form(NumericRandomizer<SignOrPoint> each) {
        return ((Hybrid) each).points().isPresent() ? SIGN_OR_POINT : SIGN_ALONE;
    }

    @Override
    Map<String, Object> constants(NumericRandomizer<SignOrPoint> each) {
        Hybrid hybrid = (Hybrid) each;
        Map<String, Object> constants = new LinkedHashMap<>(
                hybrid.points().map(PiecewiseProtocol::constants).orElse(Map.of()));
        constants.put("signExponent", Protocol.constant(hybrid.signExponent()));
        return constants;
    }
}
