package dev.purser.local;

import dev.purser.noise.SecureBits;
import dev.purser.privacy.Epsilon;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** The example in {@code docs/devices.md}. */
class DevicesPageTests {
    private static final Path PAGE = Path.of("docs/devices.md");
    private static final Path SOURCE = Path.of("src/test/java/dev/purser/local/DevicesPageTests.java");

    @Test
    void showsAnExampleThatEstimatesAMean() {
        // begin
        Harmony harmony = new Harmony(Epsilon.parse("1"));
        long[] sums = new long[harmony.tallies()];
        for (int device = 0; device < 10_000; device++) {
            Position own = Position.clamped(30, 0, 40); // private: 30 of 0 … 40, or 0.5 of [-1, 1]
            Sign report = harmony.report(own, new SecureBits()); // all that leaves the device
            harmony.add(report, sums, 0);
        }
        double mean = harmony.contributions(sums, 0, 10_000) / 10_000; // near 0.5
        // end
        // 5 standard errors: fails by chance once in 1.7 million runs.
        assertThat(mean).isEqualTo(0.5, within(5 * Math.sqrt(harmony.variance(0.5) / 10_000)));
    }

    @Test
    void showsTheExampleAsItStandsHere() throws IOException {
        String source = Files.readString(SOURCE);
        String example = source.substring(source.indexOf("// begin\n") + 9, source.indexOf("// end\n"));
        assertThat(PAGE).content().contains("```java\n" + example.stripIndent() + "```\n");
    }
}
