package dev.purser.access;

import dev.purser.web.RunningService;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/** Pages are limited by bytes as well as by items, and lists of datasets contain no registration. */
class PagesOverHttpTests extends RunningService {
    private static final int MEBIBYTE = 1 << 20;

    /** All pages of a list, read with the largest limit. */
    private List<JsonNode> pages(String key, String path) throws Exception {
        List<JsonNode> pages = new ArrayList<>();
        String after = "";
        do {
            HttpResponse<String> response = assertStatus(200, getAs(key, path + "?limit=1000" + after));
            assertThat(response.body().getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(MEBIBYTE + 10_000);
            JsonNode page = json(response);
            pages.add(page);
            after = page.get("next").isNull()
                    ? ""
                    : "&after=" + page.get("next").asString();
        } while (!after.isEmpty());
        return pages;
    }

    private static List<String> all(List<JsonNode> pages, String name) {
        List<String> found = new ArrayList<>();
        pages.forEach(page ->
                page.get("items").forEach(item -> found.add(item.get(name).asString())));
        return found;
    }

    @Test
    void keysWithManyGrantsAreListedInPagesOfAMebibyte() throws Exception {
        String grants = IntStream.range(0, Grants.MAX_IDS)
                .mapToObj(i -> "'d%04d".formatted(i) + "x".repeat(58) + "'")
                .collect(Collectors.joining(",", "[", "]"));
        List<String> made = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            made.add(json(assertStatus(201, makeKey(newName(), "analyst", grants, ",'collections':" + grants)))
                    .get("keyId")
                    .asString());
        }
        List<JsonNode> pages = pages(key(), "/v1/keys");
        assertThat(pages).hasSizeGreaterThan(2);
        assertThat(all(pages, "keyId")).isSorted().doesNotHaveDuplicates().containsAll(made);
    }

    @Test
    void listsOfDatasetsCarryNoRegistration() throws Exception {
        String custodian = keyFor("custodian", "[]");
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            ids.add(newId());
            assertStatus(201, postAs(custodian, "/v1/datasets", large(ids.getLast())));
        }
        ids.sort(null);
        List<JsonNode> pages = pages(custodian, "/v1/datasets");
        assertThat(pages).hasSize(1);
        assertThat(all(pages, "id")).isEqualTo(ids);
        JsonNode listed = pages.getFirst().at("/items/0");
        assertThat(listed.propertyNames())
                .containsExactly(
                        "id",
                        "title",
                        "account",
                        "accountant",
                        "budget",
                        "remaining",
                        "state",
                        "rowsSoFar",
                        "registeredAt");
        assertThat(listed.get("account").asString()).isEqualTo(ids.getFirst());
        JsonNode single = shownTo(custodian, "/v1/datasets/" + ids.getFirst());
        assertThat(single.get("columns").get(0).get("categories").size()).isGreaterThan(9_000);
        for (String shared : List.of("id", "accountant", "budget", "state", "rowsSoFar", "registeredAt")) {
            assertThat(listed.get(shared)).as(shared).isEqualTo(single.get(shared));
        }
    }

    @Test
    void aDatasetThatSharesAnAccountIsListedWithIt() throws Exception {
        String custodian = keyFor("custodian", "[]");
        String first = newId();
        String second = newId();
        assertStatus(201, postAs(custodian, "/v1/datasets", registration(first, COLUMNS, "1", "replace-one", "")));
        assertStatus(
                201,
                postAs(
                        custodian,
                        "/v1/datasets",
                        registration(second, COLUMNS, "1", "replace-one", ",'sharesAccountWith':'" + first + "'")));
        assertThat(all(pages(custodian, "/v1/datasets"), "account")).containsExactly(first, first);
    }

    /** A registration of about 0.9 MB. */
    private static String large(String id) {
        String categories = IntStream.range(0, 9_500)
                .mapToObj(i -> "\"c%05d".formatted(i) + "x".repeat(86) + '"')
                .collect(Collectors.joining(","));
        String columns =
                quoted("[{'name':'c','type':'category','categories':[%s]}]").formatted(categories);
        return registration(id, columns, "1", "add-or-remove-one", "");
    }
}
