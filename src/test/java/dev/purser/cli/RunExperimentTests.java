package dev.purser.cli;

import dev.purser.lab.Figure;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.w3c.dom.Document;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class RunExperimentTests {
    @TempDir
    Path folder;

    private int run(String name, String request) throws Exception {
        Path file = Files.writeString(folder.resolve("request"), request.replace('\'', '"'));
        Path out = folder.resolve("out");
        return CommandsTests.run("experiment", name, "--request", file.toString(), "--out", out.toString());
    }

    private Document picture(String name) throws Exception {
        Path svg = folder.resolve(name + ".svg");
        Figure.draw(folder.resolve("out").resolve(name + ".csv"), svg, name);
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(svg.toFile());
    }

    /** Each panel has its title, two labels of axes, and lines. A line is a path without fill and with a width. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "mean; {'devices':20,'epsilons':['0.5','1'],'repetitions':3}; 6; 42; nominal epsilon e",
                "reuse; {'devices':20,'distributions':['uniform'],'epsilons':['0.5','1'],'repetitions':3,"
                        + "'methods':['hiera'],'reuse':[1,2]}; 1; 2; reuse",
                "regression; {'records':1500,'epsilons':['1','2'],'repetitions':1,'methods':['hybrid']};"
                        + " 4; 12; nominal epsilon e"
            })
    void writesATableInTwoFormsWhichTheLabDraws(String name, String request, int panels, int lines, String label)
            throws Exception {
        assertThat(run(name, request)).isZero();

        JsonNode result = JsonMapper.shared()
                .readTree(Files.readString(folder.resolve("out").resolve(name + ".json")));
        assertThat(Files.readAllLines(folder.resolve("out").resolve(name + ".csv")))
                .hasSize(1 + result.get("rows").size());
        Document picture = picture(name);
        assertThat(picture.getElementsByTagName("g").getLength()).isEqualTo(panels);
        int drawn = 0;
        for (int i = 0; i < picture.getElementsByTagName("path").getLength(); i++) {
            var path = picture.getElementsByTagName("path").item(i).getAttributes();
            assertThat(path.getNamedItem("d").getNodeValue()).doesNotContain("NaN", "Infinity");
            if (path.getNamedItem("stroke-width") != null) {
                // The line goes through both epsilons, or both reuses.
                assertThat(path.getNamedItem("d").getNodeValue()).contains(" L");
                drawn++;
            }
        }
        assertThat(drawn).isEqualTo(lines);
        assertThat(picture.getDocumentElement().getTextContent()).contains(label);
    }

    @Test
    void namesEveryBrokenRule(CapturedOutput output) throws Exception {
        assertThat(run("mean", "{'devices':0,'epsilons':['9'],'datasetId':'adult'}"))
                .isEqualTo(2);
        assertThat(output.getErr()).contains("devices must be", "epsilons", "repetitions is required", "\"datasetId\"");
    }

    @Test
    void refusesARequestThatBreaksARuleAndAnUnknownName() throws Exception {
        assertThat(run("mean", "{'devices':20}")).isEqualTo(2);
        assertThat(run("median", "{}")).isEqualTo(2);
        assertThat(CommandsTests.run("experiment", "mean")).isEqualTo(2);
        assertThat(CommandsTests.run(
                        "experiment", "mean", "--out", folder.toString(), "--request", folder + "/no such file"))
                .isEqualTo(2);
    }
}
