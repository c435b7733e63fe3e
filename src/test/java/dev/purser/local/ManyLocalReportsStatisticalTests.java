package dev.purser.local;

import org.junit.jupiter.api.Tag;

/** The same tests with four times as many reports. */
@Tag("full")
class ManyLocalReportsStatisticalTests extends LocalReportsStatisticalTests {
    @Override
    int draws() {
        return 100_000;
    }
}
