package dev.purser.collection;

import dev.purser.json.Field;
import dev.purser.local.SampledCoordinates;
import dev.purser.local.Sign;
import java.util.List;

/** A report of a number is a sign. */
final class HarmonyProtocol extends SampledProtocol<Sign> {
    HarmonyProtocol() {
        super("harmony", SampledCoordinates::harmony, ReportForm.OF_SIGN, false, ReportForm.SIGN);
    }

    @Override
    public List<Field<?>> gradientFields() {
        return List.of(COORDINATE, SIGN);
    }
}
