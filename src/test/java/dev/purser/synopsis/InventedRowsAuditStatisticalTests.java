package dev.purser.synopsis;

import dev.purser.privacy.AuditOutcome;
import dev.purser.web.RunningService;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * An audit of invented rows, over HTTP: six men against six men and a woman, with a synopsis at epsilon 1 for each
 * file. The event is that a file has a woman. The broken twin takes the conditionals of its pairs from the exact rows:
 * it shows a woman where there is one, and never where there is none. By chance the bound on the loss is too large with
 * probability 2e-6.
 */
@Tag("full")
class InventedRowsAuditStatisticalTests extends RunningService {
    private static final int FILES = 200;
    private static final int MEN = 6;
    private static final String BOUGHT = quoted(
            "{'epsilon':'1','marginals':2,'columns':[" + "{'column':'age','edges':[0,65,126]},{'column':'sex'}]}");
    private static final String AGES = quoted("{'questions':[{'table':{'columns':['age']}}]}");

    @Test
    void showsNoLossAboveEpsilonUntilConditionalsAreThoseOfTheRows() throws Exception {
        String men = dataset("100000", "sex,age,hours\n" + "Male,30,40\n".repeat(MEN));
        String all = dataset("100000", "sex,age,hours\nFemale,30,40\n" + "Male,30,40\n".repeat(MEN));

        AuditOutcome seen = new AuditOutcome(
                often(() -> hasWoman(shown(synopsis(men) + "/rows?count=" + MEN).get("rows"))),
                often(() -> hasWoman(shown(synopsis(all) + "/rows?count=" + MEN).get("rows"))),
                FILES);
        AuditOutcome broken = new AuditOutcome(
                often(() -> twinHasWoman(synopsis(men), 0)), often(() -> twinHasWoman(synopsis(all), 1)), FILES);

        assertThat(seen.hits()).as("files of men that have a woman, by noise").isBetween(20L, FILES - 1L);
        assertThat(seen.lossLowerBound()).as("%s", seen).isLessThanOrEqualTo(1);
        assertThat(broken.lossLowerBound()).as("%s", broken).isGreaterThan(1);
        assertThat(spent(men))
                .as("a purchase for each file, and nothing for its rows")
                .isEqualTo("" + 2 * FILES);
    }

    private String synopsis(String dataset) throws Exception {
        JsonNode bought = json(assertStatus(201, post("/v1/datasets/" + dataset + "/synopses", BOUGHT)));
        return "/v1/synopses/" + bought.at("/answer/synopsisId").asString();
    }

    private static boolean hasWoman(JsonNode rows) {
        return rows.valueStream().anyMatch(row -> row.get(1).asString().equals("Female"));
    }

    /** The root has the right noise. The exact rows determine how each of its cells is divided. */
    private boolean twinHasWoman(String synopsis, int women) throws Exception {
        double[] ages = json(assertStatus(200, post(synopsis + "/answers", AGES)))
                .at("/items/0/cells")
                .valueStream()
                .mapToDouble(cell -> cell.get("count").asDouble())
                .toArray();
        assertThat(ages).hasSize(2);
        double[] exact = {women, MEN, 0, 0, 0, 0};
        InventedRows rows = new InventedRows(
                new int[] {2, 3},
                table -> table.size() == 2 ? exact : table.contains(0) ? ages : new double[] {women, MEN, 0},
                MEN + 1,
                0);
        return rows.counted(List.of(0, 1))[0] > 0;
    }

    private static long often(Callable<Boolean> event) throws Exception {
        List<Future<Boolean>> files = new ArrayList<>();
        try (ExecutorService askers = Executors.newFixedThreadPool(8)) {
            IntStream.range(0, FILES).forEach(_ -> files.add(askers.submit(event)));
        }
        long hits = 0;
        for (Future<Boolean> file : files) {
            hits += file.get() ? 1 : 0;
        }
        return hits;
    }
}
