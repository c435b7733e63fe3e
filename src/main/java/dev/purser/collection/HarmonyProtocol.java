package dev.purser.collection;

import dev.purser.local.SampledCoordinates;
import dev.purser.local.Sign;

/** A sign for a number. */
final class HarmonyProtocol extends SampledProtocol<Sign> {
    HarmonyProtocol() {
        super("harmony", SampledCoordinates::harmony, ReportForm.SIGN, false, "sign", "coordinate");
    }
}
