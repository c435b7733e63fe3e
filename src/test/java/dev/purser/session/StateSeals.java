package dev.purser.session;

import dev.purser.store.KeyList;
import java.util.List;

/** Seals with the keys that a test gives. */
final class StateSeals {
    private StateSeals() {}

    /** @param keys newest first */
    static StateSeal of(byte[]... keys) {
        return new StateSeal(KeyList.configured("of a test", "OF_A_TEST", "", text -> List.of(keys)));
    }
}
