package dev.purser.collection;

import dev.purser.local.SampledCoordinates;
import dev.purser.local.Sign;
import dev.purser.privacy.Epsilon;
import java.util.List;

/** A sign for a number. */
final class HarmonyProtocol extends SampledProtocol<Sign> {
    HarmonyProtocol() {
        super("harmony");
    }

    @Override
    List<Field> reportFields() {
        return List.of(ReportForm.SIGN_FIELD, CoordinatesForm.COORDINATE);
    }

    @Override
    CoordinatesForm<Sign> form(int dimensions, int sampled) {
        return new CoordinatesForm<>(dimensions, sampled, false, ReportForm.SIGN);
    }

    @Override
    SampledCoordinates<Sign> randomizer(int dimensions, Epsilon epsilon) {
        return SampledCoordinates.harmony(dimensions, epsilon);
    }
}
