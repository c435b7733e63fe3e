package dev.purser.collection;

import dev.purser.json.ObjectReader;
import dev.purser.local.Hybrid;
import dev.purser.local.NumericRandomizer;
import dev.purser.local.Point;
import dev.purser.local.SampledCoordinates;
import dev.purser.local.Sign;
import dev.purser.local.SignOrPoint;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** A sign or a point for a number. */
final class HybridProtocol extends SampledProtocol<SignOrPoint> {
    static final String NAME = "hybrid";

    static final ReportForm<SignOrPoint> SIGN_OR_POINT = new ReportForm<>() {
        @Override
        public Optional<SignOrPoint> read(ObjectReader in) {
            return in.exactlyOne("sign", "point")
                    .flatMap(name -> name.equals("sign")
                            ? SIGN.read(in).map(sign -> sign)
                            : POINT.read(in).map(point -> point));
        }

        @Override
        public Map<String, Object> write(SignOrPoint report) {
            return switch (report) {
                case Sign sign -> SIGN.write(sign);
                case Point point -> POINT.write(point);
            };
        }
    };

    HybridProtocol() {
        super(NAME, SampledCoordinates::hybrid, SIGN_OR_POINT, true, "sign", "point", "coordinates");
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
