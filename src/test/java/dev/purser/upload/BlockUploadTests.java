package dev.purser.upload;

import dev.purser.web.RunningService;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/** The rows of blocks over HTTP: the file that has them, that each block is put once, and what is refused. */
class BlockUploadTests extends RunningService {
    private static final String AR = "add-or-remove-one";
    private static final String DAY = """
            {"name":"day","type":"date","lower":"2024-02-01","upper":"2026-12-31"}""";
    private static final String N = """
            {"name":"n","type":"integer","lower":0,"upper":1000,"resolution":10,"missing":500}""";

    private String divided(String column, String width) throws Exception {
        return registered(
                "[" + DAY + "," + N + "]",
                "1",
                AR,
                ",'declaredPublic':true,'blocks':{'column':'" + column + "','width':" + width + "}");
    }

    private HttpResponse<String> put(String id, String label, String csv, String... headers) throws Exception {
        return putWith("", id, label, csv, headers);
    }

    private HttpResponse<String> putWith(String query, String id, String label, String csv, String... headers)
            throws Exception {
        String[] all = headers.length > 0 ? headers : new String[] {"Content-Type", "text/csv"};
        return send("PUT", "/v1/datasets/" + id + "/blocks/" + label + "/data" + query, csv, all);
    }

    private static String csv(String... rows) {
        return "day,n\n" + String.join("\n", rows) + "\n";
    }

    /** 2026-03-01 is a Sunday, 2024-02-29 a leap day; 250 is in the hundred of 200. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "day | 'day' | 2024-02-29 | 2024-02-29,0 | 2024-02-28,0 2024-03-01,0",
                "day | 'day' | 2026-03-01 | 2026-03-01,0 | 2026-02-28,0 2026-03-02,0",
                "day | 'week' | 2026-02-23 | 2026-02-23,0 2026-03-01,0 | 2026-02-22,0 2026-03-02,0",
                "day | 'week' | 2024-01-29 | 2024-02-01,0 2024-02-04,0 | 2024-02-05,0",
                "day | 'month' | 2024-02 | 2024-02-01,0 2024-02-29,0 | 2024-03-01,0",
                "day | 'month' | 2026-02 | 2026-02-28,0 | 2026-03-01,0 2026-01-31,0",
                "n | 100 | 200 | 2026-03-01,200 2026-03-01,250 2026-03-01,294"
                        + " | 2026-03-01,194 2026-03-01,300 2026-03-01,295",
                "n | 100 | 500 | 2026-03-01, 2026-03-01,NA 2026-03-01,499 | 2026-03-01,490",
                "n | 100 | 1000 | 2026-03-01,1000 | 2026-03-01,990 2026-03-01,994"
            })
    void rowsAreInTheBlockOfTheirStoredValue(String column, String width, String label, String own, String others)
            throws Exception {
        String id = divided(column, width);
        JsonNode report = json(assertStatus(200, put(id, label, csv(own.split(" ")))));
        assertThat(report.get("block").asString()).isEqualTo(label);
        assertThat(report.get("state").asString()).isEqualTo("ready");
        assertThat(report.get("rowsStored").asInt()).isEqualTo(own.split(" ").length);
        String again = divided(column, width);
        for (String other : others.split(" ")) {
            JsonNode problem = assertProblem(422, "invalid-data", put(again, label, csv(own.split(" ")[0], other)));
            assertThat(problem.at("/errors/0/line").asInt()).isEqualTo(3);
            assertThat(problem.at("/errors/0/column").asString()).isEqualTo(column);
        }
        assertThat(filesOf(again)).isEmpty();
        assertStatus(200, put(again, label, csv(own.split(" "))));
    }

    @Test
    void namesTheRuleAndTheLabel() throws Exception {
        String id = divided("day", "'day'");
        JsonNode problem = assertProblem(
                422,
                "invalid-data",
                put(id, "2026-03-02", csv("2026-03-03,0", "2023-01-01,0", "x,0", "2026-03-02,99999")));
        assertThat(problem.get("errors")).hasSize(3);
        assertThat(problem.at("/errors/0/detail").asString())
                .isEqualTo("the row is not of the block \"2026-03-02\": send it with the block of its own value");
        assertThat(problem.at("/errors/1/detail").asString())
                .isEqualTo("the value is outside the column's bounds, so the row is of no block: correct it, or leave"
                        + " the row out of \"2026-03-02\"");
        assertThat(problem.at("/errors/2/line").asInt()).isEqualTo(4);
    }

    /** If they were clamped, such rows would become rows of the first or the last block. */
    @Test
    void whatIsOutsideTheBoundsIsNotClamped() throws Exception {
        String id = divided("n", "100");
        for (String outside : List.of("0|-1", "1000|1001", "1000|99999999999999999999", "0|-1e30")) {
            String[] parts = outside.split("\\|");
            JsonNode problem = assertProblem(422, "invalid-data", put(id, parts[0], csv("2026-03-01," + parts[1])));
            assertThat(problem.at("/errors/0/column").asString()).as(outside).isEqualTo("n");
        }
        JsonNode report = json(assertStatus(200, put(id, "0", csv("1999-01-01,0"))));
        assertThat(report.get("clamped")).as("of other columns").hasToString(quoted("[{'column':'day','values':1}]"));
    }

    @Test
    void eachBlockIsPutOnce() throws Exception {
        String id = divided("day", "'day'");
        assertStatus(200, put(id, "2026-03-02", csv("2026-03-02,0")));
        assertStatus(200, put(id, "2024-12-31", csv("2024-12-31,0")));
        assertProblem(409, "already-exists", put(id, "2026-03-02", csv("2026-03-02,0")));
        assertProblem(409, "already-exists", putWith("?check=true", id, "2026-03-02", csv("2026-03-02,0")));
        Path folder = folder(id);
        assertThat(filesOf(id))
                .containsExactlyInAnyOrder(folder.resolve("block-760.columns"), folder.resolve("block-334.columns"));
        assertStatus(204, send("DELETE", "/v1/datasets/" + id, ""));
        assertThat(filesOf(id)).isEmpty();
        assertProblem(404, "not-found", put(id, "2026-03-03", csv("2026-03-03,0")));
    }

    @Test
    void aFileWithoutRowsIsAnEmptyBlock() throws Exception {
        String id = registered("[" + DAY + "," + N + "]", "1", AR, ",'blocks':{'column':'n','width':100}");
        assertThat(json(assertStatus(200, put(id, "0", "day,n\n")))
                        .get("rowsRead")
                        .asInt())
                .isZero();
        assertStatus(200, put(id, "100", "day,n\n"));
        assertProblem(409, "already-exists", put(id, "0", "day,n\n"));
        assertThat(invalidPlaces(putWith("?allowEmpty=true", id, "200", "day,n\n")))
                .containsExactly("allowEmpty");
    }

    @Test
    void aCheckKeepsNothing() throws Exception {
        String id = divided("day", "'day'");
        JsonNode sound = json(assertStatus(200, putWith("?check=true", id, "2026-03-02", csv("2026-03-02,0"))));
        assertThat(sound.get("wouldLoad").asBoolean()).isTrue();
        assertThat(sound.get("block").asString()).isEqualTo("2026-03-02");
        JsonNode unsound = json(assertStatus(200, putWith("?check=true", id, "2026-03-02", csv("2026-03-03,0"))));
        assertThat(unsound.get("wouldLoad").asBoolean()).isFalse();
        assertThat(unsound.at("/errors/0/column").asString()).isEqualTo("day");
        assertThat(filesOf(id)).isEmpty();
        assertStatus(200, put(id, "2026-03-02", csv("2026-03-02,0")));
    }

    @Test
    void rowsAndUnitsAreBoundedInEachBlock() throws Exception {
        String id = newId();
        String changes = ",'declaredPublic':true,'blocks':{'column':'n','width':100}";
        String four = withMaxRows(registration(id, "[" + DAY + "," + N + "]", "1", AR, changes), 4);
        assertStatus(201, register(withUnit(four, "{'type':'column','column':'who','maxRows':2}")));
        String rows = "day,n,who\n2026-03-01,%1$s,a\n2026-03-02,%1$s,a\n2026-03-03,%1$s,a\n2026-03-03,%1$s,b\n";
        for (String label : List.of("100", "200")) {
            JsonNode report = json(assertStatus(200, put(id, label, rows.formatted(label))));
            assertThat(report.get("rowsRead").asInt()).isEqualTo(4);
            assertThat(report.get("rowsStored").asInt()).isEqualTo(3);
        }
        JsonNode tooMany =
                assertProblem(422, "invalid-data", put(id, "300", rows.formatted("300") + "2026-03-01,300,c\n"));
        assertThat(tooMany.get("detail").asString()).contains("maxRows");
    }

    @ParameterizedTest
    @CsvSource({"2027-01-01", "2024-01-31", "2026-02-30", "2026-03", "x", "2026-3-1", "2026-03-01%20"})
    void refusesALabelOfNoBlock(String label) throws Exception {
        JsonNode problem =
                assertProblem(422, "validation-failed", put(divided("day", "'day'"), label, csv("2026-03-01,0")));
        assertThat(places(problem)).containsExactly("label");
        assertThat(problem.get("detail").asString())
                .isEqualTo("label must be the label of a block, from \"2024-02-01\" to \"2026-12-31\" by day");
    }

    @Test
    void aDatasetTakesItsRowsByBlockOrAtOnce() throws Exception {
        String id = divided("day", "'month'");
        JsonNode divided = assertProblem(422, "validation-failed", upload(id, csv("2026-03-02,0")));
        assertThat(divided.get("detail").asString())
                .isEqualTo("the dataset has blocks: put the rows of each to /v1/datasets/" + id
                        + "/blocks/{label}/data, such as /v1/datasets/" + id + "/blocks/2024-02/data");
        String whole = registered("[" + DAY + "]", "1", AR, "");
        assertThat(assertProblem(422, "validation-failed", put(whole, "2026-03", csv("2026-03-02,0")))
                        .get("detail")
                        .asString())
                .isEqualTo("the dataset has no blocks: put all its rows to /v1/datasets/" + whole + "/data");
        assertThat(filesOf(id)).isEmpty();
    }

    @Test
    void aBlockIsVerifiedLikeADataset() throws Exception {
        String id = divided("day", "'day'");
        JsonNode problem = assertProblem(
                422,
                "invalid-data",
                put(
                        id,
                        "2026-03-02",
                        csv("2026-03-02,0"),
                        "Content-Type",
                        "text/csv",
                        "Content-Digest",
                        "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:"));
        assertThat(problem.get("detail").asString()).contains("digest");
        assertProblem(415, "unsupported-media-type", put(id, "2026-03-02", "{}", "Content-Type", "application/json"));
    }

    /** The rows of a block belong to one account for ever, like the rows of a dataset. */
    @Test
    void rowsOfABlockOfAnotherAccountAreRefused() throws Exception {
        String blocks = ",'blocks':{'column':'n','width':100}";
        String first = registered("[" + DAY + "," + N + "]", "1", AR, blocks);
        String second = registered("[" + DAY + "," + N + "]", "1", AR, blocks);
        String rows = "day,n,note\n2026-03-01,110," + first + "\n2026-03-02,150," + first + "\n";
        String turned = "day,n,note\n2026-03-02,150," + first + "\n2026-03-01,110," + first + "\n";
        assertStatus(200, put(first, "100", rows));
        assertProblem(409, "already-exists", put(second, "100", turned));
        assertThat(filesOf(second)).isEmpty();
        assertStatus(200, put(second, "100", turned + "2026-03-03,150," + first + "\n"));
    }

    @Test
    void showsTheBlocksOfADataset() throws Exception {
        String id = divided("n", "100");
        JsonNode shown = shown("/v1/datasets/" + id);
        assertThat(shown.get("state").asString()).isEqualTo("ready");
        assertThat(shown.get("blocks")).hasToString(quoted("{'column':'n','width':100,'first':'0','last':'1000'}"));
        assertThat(json(get("/v1/datasets/" + divided("day", "'week'"))).get("blocks"))
                .hasToString(quoted("{'column':'day','width':'week','first':'2024-01-29','last':'2026-12-28'}"));
        String whole = registered("[" + DAY + "]", "1", AR, "");
        assertThat(json(get("/v1/datasets/" + whole)).get("blocks").isNull()).isTrue();
    }

    @Test
    void asksForBlocksOnlyWhereThereAreSome() throws Exception {
        String whole = registered("[" + DAY + "]", "1", AR, "");
        for (String parameter : List.of("from", "to")) {
            assertThat(invalidPlaces(get("/v1/datasets/" + whole + "/budget?" + parameter + "=2026-03")))
                    .containsExactly(parameter);
        }
        assertThat(invalidPlaces(get("/v1/datasets/" + whole + "/blocks"))).containsExactly("id");
        String id = divided("day", "'month'");
        for (String path : List.of("/blocks", "/budget")) {
            String url = "/v1/datasets/" + id + path;
            assertThat(invalidPlaces(get(url + "?from=2026-13"))).containsExactly("from");
            assertThat(invalidPlaces(get(url + "?to=2027-01"))).containsExactly("to");
            assertThat(invalidPlaces(get(url + "?from=2026-03&to=2026-02"))).containsExactly("to");
        }
    }

    @Test
    void aDatasetWithoutBlocksHasTheBudgetThatItHad() throws Exception {
        String whole = registered("[" + DAY + "]", "1", AR, "");
        assertThat(get("/v1/datasets/" + whole + "/budget").body()).isEqualTo("""
                {"accountant":"pure","limit":{"epsilon":"1","delta":"0"},"spent":{"epsilon":"0","delta":"0"},\
                "remaining":{"epsilon":"1","delta":"0"},"remainingIn":"dataset","allotments":[]}""");
    }

    /** Nothing is spent here. */
    @Test
    void showsTheStateAndTheAmountsOfBlocks() throws Exception {
        String id = divided("day", "'month'");
        assertStatus(200, put(id, "2026-03", "day,n\n"));
        assertStatus(200, put(id, "2026-04", "day,n\n"));
        String url = "/v1/datasets/" + id + "/blocks?from=2026-02&to=2026-05";
        String amounts =
                "\"spent\":{\"epsilon\":\"0\",\"delta\":\"0\"},\"remaining\":{\"epsilon\":\"1\",\"delta\":\"0\"}";
        assertThat(assertStatus(200, get(url)).body()).isEqualTo("""
                {"items":[{"from":"2026-02","to":"2026-02","state":"not-ready",%1$s},\
                {"from":"2026-03","to":"2026-04","state":"ready",%1$s},\
                {"from":"2026-05","to":"2026-05","state":"not-ready",%1$s}]}""".formatted(amounts));
        assertThat(assertStatus(200, get(url, "Accept", "text/csv")).body()).isEqualTo("""
                from,to,state,spent.epsilon,spent.delta,spent.rho,remaining.epsilon,remaining.delta,remaining.rho\r
                2026-02,2026-02,not-ready,0,0,,1,0,\r
                2026-03,2026-04,ready,0,0,,1,0,\r
                2026-05,2026-05,not-ready,0,0,,1,0,\r
                """);
        assertThat(json(get("/v1/datasets/" + id + "/budget")).get("perBlock").asBoolean())
                .isTrue();
    }
}
