package dev.purser;

import dev.purser.lab.Figure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class FigureTests {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"mean", "reuse", "regression"})
    void thePicturesOfLocalPrivacyShowItsTables(String name) throws Exception {
        Path committed = Path.of("docs/local-privacy");
        Path drawn = folder.resolve("drawn.svg");

        Figure.draw(committed.resolve(name + ".csv"), drawn, name);

        assertThat(drawn).hasSameTextualContentAs(committed.resolve(name + ".svg"));
    }

    @Test
    void drawsALineThroughItsPointsUnderTheTitleOfItsPanel() throws Exception {
        List<Figure.Point> points = List.of(new Figure.Point(1, 10), new Figure.Point(10, 100));
        Path drawn = folder.resolve("drawn.svg");

        Figure.draw(Map.of("1,000 ranges, ms", Map.of("an engine", points)), "rows", "µs", drawn);

        // The axes end a tenth below the least value and a tenth above the greatest value.
        assertThat(Files.readString(drawn))
                .contains(">1,000 ranges, ms<", ">an engine<", ">rows<", ">µs<", "\"M81.1 261.2 L348.9 48.8\"");
    }

    @Test
    void failsWithTheScript() {
        assertThatThrownBy(
                        () -> Figure.draw(Path.of("docs/local-privacy/mean.csv"), folder.resolve("drawn.svg"), "pie"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("status 1");
    }
}
