package dev.purser.console;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.purser.ServiceProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * The console of the packaged service in a real browser, from the first start to an exhausted budget. Whatever a test
 * looks at, no page may report an error, break its content policy or ask another server.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ConsoleIntegrationTests {
    private static final String MARKUP = "<img src=x onerror=alert(1)>";
    private static final String SOME_TEXT = "<img src=x";
    private static final int PHONE = 360;
    private static final int DESK = 1280;

    @TempDir
    static Path folder;

    private static ServiceProcess service;
    private static Chromium chromium;

    /** The last tab of a test. Every test opens one. */
    @SuppressWarnings("NullAway.Init")
    private ConsoleTab tab;

    @BeforeAll
    static void starts() throws IOException, InterruptedException {
        assumeTrue(
                Chromium.missing().isEmpty(),
                () -> "left out: " + Chromium.missing().orElseThrow());
        service = new ServiceProcess(folder);
        chromium = new Chromium();
    }

    @AfterAll
    static void stops() throws InterruptedException {
        if (chromium != null) {
            chromium.close();
            service.close();
        }
    }

    private void opens(int width, ColorScheme theme) throws IOException {
        tab = chromium.tab(service.address(), width, theme);
        tab.signIn(service.key());
    }

    @AfterEach
    void nothingForbiddenHappened() throws IOException {
        assertThat(tab.findings()).isEmpty();
        String key = service.key();
        assertThat(tab.requests()).noneMatch(request -> request.url().contains(key));
        assertThat(tab.stored()).isEqualTo("[0,0,\"\",[],[],null][]");
        assertThat(service.log()).doesNotContain(key);
        tab.close();
    }

    @Test
    @Order(1)
    void theFirstPageIsSmall() {
        tab = chromium.tab(service.address(), DESK, ColorScheme.LIGHT);
        Object sent = tab.page().evaluate("""
                () => ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type))
                  .reduce((sum, each) => sum + each.transferSize, 0)""");
        assertThat(((Number) sent).intValue()).isBetween(20_000, 120_000);
    }

    @Test
    @Order(2)
    void aFewClicksLeadFromAnEmptyHomeToTheMeanOfEachSex() throws IOException {
        Instant begun = Instant.now();
        opens(PHONE, ColorScheme.DARK);
        tab.click(tab.button("Load the invented clinic"));
        tab.heading("Visits to a clinic (invented)");
        tab.choose("What do you want to know?", "aggregate");
        ask();
        assertThat(answer().locator("svg.picture text").allTextContents()).contains("Female", "Male");
        assertThat(answer().locator("td").allInnerTexts()).contains("Female, mean(age)", "Male, mean(age)");
        assertThat(tab.clicks()).isLessThanOrEqualTo(12);
        assertThat(Duration.between(begun, Instant.now())).isLessThan(Duration.ofMinutes(2));
    }

    @Tag("full")
    @Test
    @Order(3)
    void aQuestionIsPricedAskedRepeatedAndProved() throws IOException {
        opens(DESK, ColorScheme.LIGHT);
        tab.open("#/datasets/visits", "Visits to a clinic (invented)");
        tab.see("It costs");
        tab.page().getByLabel("Epsilon", exactly()).fill("0.25");
        tab.see("Leaves epsilon 4.65.");
        ask();
        assertThat(answer().innerText()).contains("epsilon 0.25", "95 % probability");
        tab.open("#/datasets/visits/history", "History");
        tab.open("#/datasets/visits", "Visits to a clinic (invented)");
        tab.page().getByLabel("Epsilon", exactly()).fill("0.25");
        tab.click(tab.button("Show the stored answer"));
        tab.see("Cost: nothing; stored since");
        tab.see("epsilon 4.65 left of epsilon 5");
        tab.click(answer().locator("summary").getByText("Receipt"));
        tab.click(tab.button("Check the receipt"));
        tab.see("Consistent; the issuer is not verified");
        tab.page().getByLabel("Public key").fill(Files.readString(service.home().resolve("signing.pub")));
        tab.click(tab.button("Check the receipt"));
        tab.see("Verified: signed with your key");
    }

    @Tag("full")
    @Test
    @Order(4)
    void aSliderIsFollowedByFewQuotesAndNoneIsShownForAnotherEpsilon() throws IOException {
        opens(DESK, ColorScheme.LIGHT);
        tab.open("#/datasets/visits", "Visits to a clinic (invented)");
        tab.see("It costs");
        Page page = tab.page();
        page.evaluate("""
                () => {
                  window.prices = new Set();
                  window.stale = [];
                  const look = () => {
                    const asked = document.querySelector('input[inputmode=decimal]').value;
                    const shown = [...document.querySelectorAll('.price strong, .actions button')]
                      .map((each) => /epsilon ([0-9.]+)/.exec(each.textContent)?.[1]).filter(Boolean);
                    shown.forEach((price) => prices.add(price));
                    if (shown.some((price) => price !== asked)) {
                      stale.push(`${shown} while ${asked} is set`);
                    }
                  };
                  new MutationObserver(look).observe(document.body, { subtree: true, childList: true,
                    characterData: true, attributes: true });
                }""");
        int before = quotes();
        page.locator("input[type=range]").focus();
        Instant end = Instant.now().plusSeconds(10);
        for (int move = 0; Instant.now().isBefore(end); move++) {
            page.keyboard().press(move % 40 < 20 ? "ArrowRight" : "ArrowLeft");
            page.waitForTimeout(move % 10 == 9 ? 500 : 20);
        }
        tab.see("It costs");
        assertThat(quotes() - before).isBetween(10, 30);
        assertThat((List<?>) page.evaluate("() => stale")).isEmpty();
        assertThat((int) page.evaluate("() => prices.size")).isGreaterThan(3);
    }

    private int quotes() {
        return Math.toIntExact(tab.requests().stream()
                .filter(request -> request.url().contains("/quotes/"))
                .count());
    }

    @Tag("full")
    @Test
    @Order(5)
    void aSessionAnswersInSequence() throws IOException {
        opens(DESK, ColorScheme.DARK);
        tab.open("#/datasets/visits/sessions", "Threshold sessions");
        tab.page().getByLabel("Threshold", exactly()).fill("100");
        tab.click(tab.button("Open for epsilon 1"));
        tab.click(tab.button("Ask question 1"));
        tab.see("Question 1: ABOVE.");
        tab.click(tab.button("Ask question 2"));
        tab.see("Question 2: ABOVE.");
        tab.page().getByText(Pattern.compile("1\\s+of\\s+3 ABOVE left")).waitFor();
    }

    @Tag("full")
    @Test
    @Order(6)
    void aCollectionCountsTheReportOfThisBrowser() throws IOException {
        opens(PHONE, ColorScheme.LIGHT);
        tab.open("#/collections", "Collections");
        tab.page().locator("[name='/id']").fill("commute-minutes");
        tab.click(tab.button("Open it"));
        tab.heading("commute-minutes");
        tab.click(tab.button("Draw a report and send it"));
        tab.see("The report was counted.");
        tab.page().getByText(Pattern.compile("^1\\s+report so far")).waitFor();
        tab.click(tab.button("Send the same report again"));
        tab.see("It was counted before");
    }

    @Tag("full")
    @Test
    @Order(7)
    void theBudgetIsShownSpentAndAnExhaustedOneIsNotOffered() throws IOException {
        opens(DESK, ColorScheme.LIGHT);
        tab.open("#/datasets/visits", "Visits to a clinic (invented)");
        Matcher left = Pattern.compile("epsilon ([0-9.]+) left")
                .matcher(tab.page().locator(".budget-bar").innerText());
        assertThat(left.find()).isTrue();
        tab.page().getByLabel("Epsilon", exactly()).fill(left.group(1));
        tab.see("Leaves epsilon 0.");
        ask();
        tab.page().getByLabel("Epsilon", exactly()).fill("0.1");
        tab.see("Too much: epsilon 0 left.");
        assertThat(tab.button("Ask for").isDisabled()).isTrue();
        tab.open("#/datasets/visits/budget", "Budget");
        tab.click(tab.button("Recompute the chain"));
        tab.see("entries have their hashes, recomputed in this browser");
    }

    @Tag("full")
    @Test
    @Order(8)
    void textOfOthersIsNeverMarkup() throws Exception {
        String analyst = JsonMapper.shared()
                .readTree(service.post(
                                "/v1/keys",
                                service.key(),
                                "{\"name\": \"o.neil-_\", \"role\": \"analyst\", \"datasets\": [\"*\"]}")
                        .body())
                .get("key")
                .asString();
        service.post("/v1/datasets", service.key(), """
                {"id": "markup", "title": "%1$s", "columns": [
                   {"name": "word", "type": "category", "categories": ["%1$s", "other"]}],
                 "privacyUnit": {"type": "row"}, "neighboringRelation": "add-or-remove-one", "maxRows": 10,
                 "budget": {"epsilon": "5", "delta": "0"}, "accountant": "pure", "source": {"type": "upload"}}
                """.formatted(MARKUP));
        assertThat(service.putCsv("/v1/datasets/markup/data", service.key(), "word\n" + MARKUP + "\n")
                        .statusCode())
                .isEqualTo(200);
        tab = chromium.tab(service.address(), DESK, ColorScheme.LIGHT);
        tab.signIn(analyst);
        isText();
        tab.open("#/datasets/markup", MARKUP);
        tab.choose("What do you want to know?", "histogram");
        ask();
        isText();
        tab.click(answer().getByText("Address of this answer"));
        tab.heading("Answer");
        isText();
        tab.open("#/datasets/markup/sessions", "Threshold sessions");
        tab.open("#/datasets/markup/history", "History");
        tab.close();
        opens(DESK, ColorScheme.LIGHT);
        tab.see(MARKUP);
        tab.open("#/datasets/markup/budget", "Budget");
        tab.see("o.neil-_");
        tab.open("#/keys", "Keys");
        tab.see("o.neil-_");
        tab.open("#/datasets/markup/rows", "Rows and limits");
        isText();
    }

    private void isText() {
        tab.see(SOME_TEXT);
        assertThat(tab.page().locator("img").count()).isZero();
    }

    @Tag("full")
    @ParameterizedTest
    @Order(9)
    @CsvSource({"360, LIGHT", "360, DARK", "1280, LIGHT", "1280, DARK"})
    void everyPageIsAccessibleAndFitsIntoItsWindow(int width, ColorScheme theme) throws IOException {
        tab = chromium.tab(service.address(), width, theme);
        isAccessible("the first page");
        tab.signIn(service.key());
        isAccessible("datasets");
        Map<String, String> headings = new LinkedHashMap<>();
        headings.put("#/datasets/visits", "Visits to a clinic (invented)");
        headings.put("#/datasets/visits/sessions", "Threshold sessions");
        headings.put("#/datasets/visits/history", "History");
        headings.put("#/datasets/visits/budget", "Budget");
        headings.put("#/datasets/visits/rows", "Rows and limits");
        headings.put("#/register", "Register a dataset");
        headings.put("#/keys", "Keys");
        headings.put("#/collections", "Collections");
        headings.put("#/collections/commute-minutes", "commute-minutes");
        headings.forEach((place, heading) -> {
            tab.open(place, heading);
            isAccessible(place);
        });
        tab.open("#/datasets/visits/history", "History");
        tab.click(tab.page().locator("td a[href^='#/answers/']").first());
        tab.heading("Answer");
        isAccessible("an answer");
    }

    private void isAccessible(String place) {
        assertThat(tab.brokenRules()).as(place).isEmpty();
        assertThat(tab.overflow()).as(place + " is so much too wide").isLessThanOrEqualTo(0);
    }

    private void ask() {
        tab.see("It costs");
        tab.click(tab.button("Ask for"));
        answer().waitFor();
    }

    private Locator answer() {
        return tab.page().locator("article.answer").first();
    }

    private static Page.GetByLabelOptions exactly() {
        return new Page.GetByLabelOptions().setExact(true);
    }
}
