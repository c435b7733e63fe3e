package dev.purser.console;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.JSHandle;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Response;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.ColorScheme;
import dev.purser.ServiceProcess;
import dev.purser.web.TestIssuer;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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
 * The console of the packaged service in a real browser, from the first start to an exhausted budget. In every test, no
 * page may report an error, break its content policy or send a request to another server.
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
    private static boolean isLoaded;

    /** The key of an analyst with an allotment. */
    private static String ann = "";

    /** The last tab of a test. Every test opens one. */
    @SuppressWarnings("NullAway.Init")
    private ConsoleTab tab;

    @BeforeAll
    static void starts() throws IOException, InterruptedException {
        assumeTrue(
                Chromium.missing().isEmpty(),
                () -> "left out: " + Chromium.missing().orElseThrow());
        service = new ServiceProcess(
                folder,
                Map.of(
                        "PURSER_IDENTITY_ISSUER",
                        TestIssuer.address(),
                        "PURSER_IDENTITY_AUDIENCE",
                        TestIssuer.AUDIENCE));
        chromium = new Chromium();
    }

    @AfterAll
    static void stops() throws InterruptedException {
        if (chromium != null) {
            chromium.close();
            service.close();
        }
    }

    /**
     * Signs in once the clinic is loaded. The first test loads the clinic, or this method does if that test is left
     * out.
     */
    private void opens(int width, ColorScheme theme) throws IOException {
        if (!isLoaded) {
            loads(width, theme);
            tab.close();
        }
        signsIn(width, theme);
    }

    private void signsIn(int width, ColorScheme theme) throws IOException {
        tab = chromium.tab(service.address(), width, theme);
        tab.signIn(service.key());
    }

    /** Goes from an empty home to the mean of each sex. */
    private void loads(int width, ColorScheme theme) throws IOException {
        signsIn(width, theme);
        tab.click(tab.button("Load the invented clinic"));
        tab.heading("Visits to a clinic (invented)");
        tab.choose("What do you want to know?", "aggregate");
        tab.tick("sex");
        ask();
        isLoaded = true;
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
        loads(PHONE, ColorScheme.DARK);
        assertThat(answer().locator("svg.picture text").allTextContents()).contains("Female", "Male");
        assertThat(answer().locator("td").allInnerTexts()).contains("Female, mean of age", "Male, mean of age");
        assertThat(tab.clicks()).isLessThanOrEqualTo(12);
        assertThat(Duration.between(begun, Instant.now())).isLessThan(Duration.ofMinutes(2));
    }

    /**
     * A token is added to every request on its way, whatever page caused the request. A proxy that has signed the
     * person in does the same.
     */
    @Test
    @Order(2)
    void whoeverAProxySignedInNeedsNoKeyAndNoOtherSiteActsForThem() throws Exception {
        assertThat(service.post("/v1/keys", service.key(), """
                {"name": "paula", "role": "administrator", "identity": {"subject": "person-1"}}""").statusCode()).isEqualTo(201);
        tab = chromium.tab(service.address(), DESK, ColorScheme.LIGHT);
        tab.see("Enter the key");
        String credential = "Bearer " + TestIssuer.tokenOf("person-1");
        tab.page().context().route("**/*", route -> {
            Map<String, String> headers = new LinkedHashMap<>(route.request().headers());
            headers.put("authorization", credential);
            route.resume(new Route.ResumeOptions().setHeaders(headers));
        });
        tab.page().reload();
        tab.see("paula, administrator");
        tab.click(tab.button("Sign out"));
        tab.see("Enter the key");

        Page other = tab.page().context().newPage();
        Response refused = other.waitForResponse(
                service.address() + "/v1/keys", () -> other.evaluate("""
                        address => fetch(address, {method: 'POST', mode: 'no-cors', body: '{"name": "eve"}'})""", service.address() + "/v1/keys"));
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.request().allHeaders()).containsEntry("origin", "null");
    }

    @Tag("full")
    @Test
    @Order(12)
    void theGrantsOfAKeyAreChanged() throws Exception {
        analyst("dora");
        opens(DESK, ColorScheme.LIGHT);
        tab.open("#/keys", "Keys");
        tab.click(tab.button("Change dora"));
        tab.see("Change the key of dora");
        tab.page().locator("form [name='/datasets']").last().fill("visits");
        tab.click(tab.button("Save the change"));
        Locator row = tab.page().locator("tr", hasText("dora"));
        tab.page().waitForCondition(() -> row.innerText().contains("visits"));
        assertThat(row.innerText()).doesNotContain("all");
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
        String analyst = analyst("o.neil-_");
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

    private static String analyst(String name) throws IOException, InterruptedException {
        return key(name, "analyst");
    }

    private static String key(String name, String role) throws IOException, InterruptedException {
        String body = "{\"name\": \"%s\", \"role\": \"%s\", \"datasets\": [\"*\"]}".formatted(name, role);
        return JsonMapper.shared()
                .readTree(service.post("/v1/keys", service.key(), body).body())
                .get("key")
                .asString();
    }

    @Tag("full")
    @Test
    @Order(10)
    void whatAColleagueBoughtAndWhatIsLeftOfAnAllotmentIsSaidBeforeTheClick() throws Exception {
        ann = analyst("ann");
        register("wards", "pure", "0");
        opens(DESK, ColorScheme.LIGHT);
        tab.open("#/datasets/wards", "wards");
        tab.see("waits for its rows");
        assertThat(tab.page().innerText("main")).doesNotContain("is waits");
        upload("wards", 0);
        tab.open("#/datasets/wards/rows", "Rows and limits");
        tab.page().locator("[name='/analyst']").fill("ann");
        tab.page().locator("section[aria-label=Allotments] [name='/epsilon']").fill("1");
        tab.click(tab.button("Set the allotment"));
        tab.see("Change ann");
        tab.open("#/datasets/wards/budget", "Budget");
        tab.see("The allotment of ann is set to epsilon 1");
        Download saved = tab.page().waitForDownload(() -> tab.click(tab.button("CSV of all entries")));
        assertThat(Files.readString(saved.path()))
                .isEqualTo(service.getCsv("/v1/datasets/wards/ledger", service.key())
                        .body())
                .contains(",ann,1,0,");
        tab.close();
        String mean = "{\"epsilon\": \"0.2\", \"column\": \"age\"}";
        assertThat(service.post("/v1/datasets/wards/queries/mean", analyst("bob"), mean)
                        .statusCode())
                .isEqualTo(200);
        tab = chromium.tab(service.address(), DESK, ColorScheme.LIGHT);
        tab.signIn(ann);
        tab.see("epsilon 1 left of your own ceiling, epsilon 1");
        tab.open("#/datasets/wards", "wards");
        tab.page().getByLabel("Epsilon", exactly()).fill("0.2");
        tab.see("This was answered on");
        assertThat(tab.page().locator(".price").innerText()).endsWith("It costs nothing.");
        tab.click(tab.button("Show the stored answer"));
        assertThat(answer().innerText()).contains("Cost: nothing; stored since");
    }

    @Tag("full")
    @Test
    @Order(11)
    void theQuoteOfATableIsForTheRowsThatItNamesAndNothingIsTickedByItself() {
        tab = chromium.tab(service.address(), DESK, ColorScheme.LIGHT);
        tab.signIn(ann);
        tab.open("#/datasets/wards", "wards");
        tab.choose("What do you want to know?", "aggregate");
        tab.see("Groups: 1.");
        assertThat(tab.page().locator("input:checked").count()).isZero();
        tab.tick("ward");
        tab.see("Groups: 4.");
        Locator rows = tab.page().getByLabel("Rows in each group, about");
        assertThat(rows.getAttribute("placeholder")).endsWith(": 2500");
        String price = tab.page().locator(".price").innerText();
        assertThat(price)
                .contains(
                        "If each group has 2500 rows or more",
                        "each mean of age will be within ±",
                        "each number of rows");
        rows.fill("2500");
        tab.see("It costs");
        assertThat(tab.page().locator(".price").innerText()).isEqualTo(price);
        tab.click(tab.page().getByText("Only some rows"));
        tab.click(tab.button("One more condition"));
        tab.page().getByLabel("Condition 1: column").selectOption("sex");
        tab.see("Tick the values of sex that count.");
        assertThat(tab.page().locator("details input:checked").count()).isZero();
        tab.tick("Female");
        tab.see("It costs");
        tab.click(tab.button("Remove condition 1"));
        ask();
        assertThat(answer().locator("svg.picture text").allTextContents()).contains("maternity", "surgery");
        tab.see("If each group has 2500 rows or more, within ±");
        tab.choose("What do you want to know?", "quantile");
        ask();
        answer().locator("h2", new Locator.LocatorOptions().setHasText("Median and quantiles"))
                .waitFor();
        assertThat(answer().locator("svg.picture").count()).isEqualTo(1);
        assertThat(answer().locator("path.steps").count()).isZero();
    }

    @Tag("full")
    @Test
    @Order(12)
    void underZcdpWhatIsAskedChargedAndLeftIsStatedInRho() throws Exception {
        register("rho", "zcdp", "0.000001");
        upload("rho", 1);
        opens(DESK, ColorScheme.LIGHT);
        tab.open("#/datasets/rho", "rho");
        tab.see("which is epsilon 0.1 of one answer");
        assertThat(tab.page().locator(".price").innerText()).contains("It costs rho 0.004995837496,");
        assertThat(tab.button("Ask for").innerText()).isEqualTo("Ask for epsilon 0.1 (rho 0.004995837496)");
        ask();
        assertThat(answer().innerText()).contains("Cost: rho 0.004995837496, for the epsilon 0.1 that was asked.");
        assertThat(tab.page().locator(".budget-bar").first().innerText())
                .matches("rho [0-9.]+ left of epsilon 5, delta 0.000001 \\(rho [0-9.]+\\)");
        tab.open("#/datasets/rho/history", "History");
        tab.see("Charged (rho)");
        assertThat(tab.page().locator("td").allInnerTexts()).contains("0.1", "0.004995837496");
    }

    @Tag("full")
    @Test
    @Order(13)
    void peopleAreCountedAndMediansOfGroupsAreDrawn() throws Exception {
        String person = "{\"type\": \"column\", \"column\": \"person\", \"maxRows\": 20}";
        register(registration("stays", "pure", "0").replace("{\"type\": \"row\"}", person));
        upload(
                "stays",
                IntStream.range(0, 60)
                        .mapToObj(i -> i + (i % 2 == 0 ? ",maternity,Female,p" : ",surgery,Male,p") + i / 6 + "\n")
                        .collect(Collectors.joining("", "age,ward,sex,person\n", "")));
        opens(DESK, ColorScheme.LIGHT);
        tab.open("#/datasets/stays", "stays");
        tab.choose("What do you want to know?", "count");
        tab.choose("What is counted", "units");
        ask();
        assertThat(answer().locator("td").allInnerTexts()).contains("units");
        tab.choose("What do you want to know?", "aggregate");
        tab.page().getByLabel("Value 2").first().selectOption("units");
        tab.tick("ward");
        ask();
        answer().locator("h2", new Locator.LocatorOptions().setHasText("Table by groups"))
                .waitFor();
        assertThat(answer().locator("td").allInnerTexts()).contains("maternity, number of people or other units");
        tab.choose("What do you want to know?", "quantile");
        tab.tick("ward");
        tab.see("Groups: 4.");
        ask();
        answer().locator("h2", new Locator.LocatorOptions().setHasText("Median and quantiles"))
                .waitFor();
        assertThat(answer().locator("svg.picture text").allTextContents()).contains("maternity", "surgery");
        assertThat(answer().locator("td").allInnerTexts()).contains("maternity, 50 %");
    }

    @Tag("full")
    @Test
    @Order(20)
    void anAnswerIsMadeSharperTwiceAndItIsSaidWhatBothCost() throws Exception {
        register(registration("beds", "pure", "0"));
        upload("beds", 7);
        opens(DESK, ColorScheme.LIGHT);
        tab.open("#/datasets/beds", "beds");
        tab.choose("What do you want to know?", "count");
        tab.page().getByLabel("Epsilon", exactly()).fill("0.2");
        ask();
        tab.see("epsilon 0.2; 0.4 in all");
        Locator slider = tab.page().locator(".sharper input[type=range]");
        slider.fill("5");
        tab.see("for epsilon 0.063; 0.263 in all");
        slider.fill("10");
        tab.see("for epsilon 0.2; 0.4 in all");
        tab.click(tab.button("Make it sharper"));
        tab.see("Both answers together cost epsilon 0.4.");
        assertThat(tab.page().locator("figure", hasText("Before and now")).allInnerTexts())
                .hasSize(1);
        isAccessible("a sharper answer");
        tab.see("for epsilon 0.4; 0.8 in all");
        tab.click(tab.button("Make it sharper"));
        tab.see("Both answers together cost epsilon 0.8.");
        assertThat(tab.page().locator("figure", hasText("Before and now")).allInnerTexts())
                .hasSize(2);
        tab.open("#/datasets/beds/budget", "Budget");
        tab.see("0.8");
    }

    @Tag("full")
    @Test
    @Order(30)
    void aSynopsisIsDrawnRowsAreInventedFromItAndItIsMadeSharper() throws Exception {
        register(registration("admissions", "pure", "0"));
        upload("admissions", 9);
        HttpResponse<String> bought = service.post("/v1/datasets/admissions/synopses", service.key(), """
                {"epsilon": "1", "marginals": 2, "columns": [
                   {"column": "age", "edges": [0, 40, 80, 111]}, {"column": "ward"}, {"column": "sex"}]}""");
        assertThat(bought.statusCode()).isEqualTo(201);
        opens(DESK, ColorScheme.LIGHT);
        tab.open(
                "#/answers/"
                        + JsonMapper.shared()
                                .readTree(bought.body())
                                .get("queryId")
                                .asString(),
                "Answer");
        tab.see("Questions about age, ward, sex are answered from it for nothing");
        tab.click(tab.page().getByText("Rows to play with"));
        tab.page().getByLabel("Number of rows", exactly()).fill("25");
        tab.click(tab.button("Invent rows"));
        tab.see("The first of them");
        tab.page().locator("svg[aria-label='The largest error in each table']").waitFor();
        tab.see("age, ward");
        isAccessible("invented rows");
        Download rows = tab.page()
                .waitForDownload(
                        () -> tab.click(tab.page().locator(".answer details").getByText("CSV")));
        assertThat(Files.readAllLines(rows.path())).hasSize(26).first().isEqualTo("age,ward,sex");
        tab.see("for epsilon 1; 2 in all");
        tab.click(tab.button("Make it sharper"));
        tab.see("Both answers together cost epsilon 2.");
        tab.open("#/datasets/admissions/budget", "Budget");
        tab.see("2");
    }

    @Tag("full")
    @Test
    @Order(21)
    void aFileThatIsDroppedProposesItsRegistration() throws IOException {
        opens(DESK, ColorScheme.LIGHT);
        tab.open("#/register", "Register a dataset");
        JSHandle dropped = tab.page().evaluateHandle("""
                () => {
                  const dropped = new DataTransfer();
                  dropped.items.add(new File(['ward,age\\nA,30\\nB,40\\n'], 'dropped.csv', { type: 'text/csv' }));
                  return dropped;
                }""");
        tab.page().dispatchEvent(".drop", "drop", Map.of("dataTransfer", dropped));
        tab.see("dropped.csv was read.");
        assertThat(tab.page().locator("[name='/columns/1/upper']").inputValue()).isEqualTo("125");
    }

    private static Page.LocatorOptions hasText(String text) {
        return new Page.LocatorOptions().setHasText(text);
    }

    /** A person goes from a file to a drawn table. Each of the person's actions is a click or a typed text. */
    @Test
    @Order(18)
    void aFileProposesItsRegistrationAndNothingOfItIsSentBeforeItIsConfirmed() throws IOException {
        signsIn(DESK, ColorScheme.LIGHT);
        tab.click(tab.page().getByText("Register a dataset"));
        tab.heading("Register a dataset");
        int before = tab.requests().size();
        tab.choose("Begin with a CSV file", people("people.csv", "F", "M"));
        tab.see("people.csv was read.");
        tab.see("Is this public?");
        assertThat(tab.requests()).hasSize(before);
        assertThat(tab.page().locator("[name='/columns/0/upper']").inputValue()).isEqualTo("125");
        assertThat(tab.page().locator("td.marked").count()).isEqualTo(5);
        assertThat(tab.button("Register and upload").isDisabled()).isTrue();
        tab.click(tab.button("Confirm sex as public"));
        tab.page().locator("[name='/columns/3/upper']").fill("200000");
        tab.page().locator("[name='/columns/3/lower']").fill("0");
        assertThat(tab.button("Register and upload").isDisabled()).isTrue();
        tab.click(tab.button("Confirm all 1 columns as public"));
        tab.click(tab.button("Confirm all 1 columns as public"));
        tab.click(tab.button("Register and upload"));
        tab.see("The rows are loaded.");
        tab.click(tab.page().getByText("To the dataset"));
        tab.heading("people");
        tab.choose("What do you want to know?", "aggregate");
        tab.tick("sex");
        tab.tick("age");
        tab.choose("age is divided", "decade");
        tab.choose("of column (value 1)", "hours-per-week");
        ask();
        assertThat(answer().locator("svg.picture text").allTextContents()).contains("F, 20 to 30", "M, 30 to 40");
        assertThat(tab.clicks()).isLessThanOrEqualTo(25);
    }

    /** A file with the rows of two hundred people. */
    private static Path people(String name, String... sexes) throws IOException {
        return Files.writeString(
                folder.resolve(name),
                IntStream.range(0, 200)
                        .mapToObj(i -> "%d,%s,%d,%d,%s%n"
                                .formatted(20 + i % 40, sexes[i % 2], 30 + i % 20, 1000 * i, i % 9 == 0 ? "" : "x"))
                        .collect(Collectors.joining("", "age,sex,hours-per-week,income,ward\n", "")));
    }

    @Test
    @Order(19)
    void aViewerDrawsWhatAColleagueBoughtInFourClicks() throws Exception {
        String viewer = key("vera", "viewer");
        tab = chromium.tab(service.address(), DESK, ColorScheme.DARK);
        tab.signIn(viewer);
        tab.click(tab.page().locator("h2 a").getByText("people"));
        tab.see("stored answers, the newest first");
        tab.click(tab.button("Show: Mean of hours-per-week"));
        answer().waitFor();
        assertThat(answer().locator("svg.picture text").allTextContents()).contains("F, 20 to 30", "M, 30 to 40");
        assertThat(tab.button("Make it sharper").count()).isZero();
        assertThat(tab.clicks()).isLessThanOrEqualTo(4);
        tab.click(answer().getByText("Address of this answer"));
        tab.heading("Answer: people");
        answer().waitFor();
    }

    @Tag("full")
    @Test
    @Order(14)
    void whereTheSameRowsAreRefusedTheFormHasTheWayOut() throws Exception {
        Path file = people("again.csv", "A", "B");
        register("rows", "pure", "0");
        signsIn(DESK, ColorScheme.LIGHT);
        fromFile(file, "again");
        tab.see("The rows are loaded.");
        fromFile(file, "twice");
        tab.see("the same rows stay with one account for ever");
        tab.see("answer “Were the same rows registered before?” in the form");
        tab.see("the upload failed: send the rows again, or register again");
        tab.see("Nothing was charged, so the new dataset has an account of its own.");
        tab.open("#/datasets/again/rows", "Rows and limits: again");
        tab.see("The new dataset shares the account of this one");
        tab.click(tab.page().getByText("Register again"));
        tab.heading("Register a dataset again: again");
        assertThat(tab.page().locator("[name='/sharesAccountWith']").inputValue())
                .isEqualTo("again");
        tab.page().locator("[name='/columns/0/upper']").fill("10");
        tab.click(tab.page().locator("button[type=submit]"));
        tab.heading("Rows and limits: again again-2");
        tab.choose("File", file);
        tab.click(tab.button("Upload"));
        tab.see("200 of 200 values of age were below 0 or above 10");
        Path wrong = Files.writeString(folder.resolve("wrong.csv"), "age,ward,sex\n1,x,Male\n2,y,Male\n3,z,Male\n");
        tab.open("#/datasets/rows/rows", "Rows and limits: rows");
        tab.choose("File", wrong);
        tab.click(tab.button("Check without loading"));
        tab.see("(lines 2, 3, 4)");
        assertThat(tab.page().locator(".refusal li").count()).isEqualTo(1);
    }

    private void fromFile(Path file, String id) {
        tab.open("#/", "Datasets");
        tab.open("#/register", "Register a dataset");
        tab.choose("Begin with a CSV file", file);
        tab.see("was read.");
        tab.page().locator("[name='/id']").fill(id);
        tab.click(tab.button("Confirm all"));
        tab.click(tab.button("Confirm all"));
        tab.click(tab.button("Register and upload"));
        tab.heading("Rows and limits");
    }

    @Tag("full")
    @Test
    @Order(15)
    void aFileOfSeveralMonthsIsUploadedMonthByMonth() throws Exception {
        register("""
                {"id": "months", "title": "months", "columns": [
                   {"name": "day", "type": "date", "lower": "2026-01-01", "upper": "2026-04-30"},
                   {"name": "age", "type": "integer", "lower": 0, "upper": 110}],
                 "privacyUnit": {"type": "row"}, "neighboringRelation": "add-or-remove-one", "maxRows": 100,
                 "budget": {"epsilon": "5", "delta": "0"}, "accountant": "pure", "source": {"type": "upload"},
                 "blocks": {"column": "day", "width": "month"}}
                """);
        Path file = Files.writeString(
                folder.resolve("months.csv"), "day,age\n2026-03-01,3\n2026-01-31,1\n2026-03-31,4\n2026-01-01,2\n");
        signsIn(DESK, ColorScheme.LIGHT);
        tab.open("#/datasets/months/rows", "Rows and limits: months");
        tab.see("4 of 4 blocks have no rows yet");
        assertThat(tab.page().locator(".state").innerText()).isEqualTo("divided into blocks");
        tab.choose("File", Path.of("src/test/resources/parquet/read/date.parquet"));
        tab.see("This Parquet file is uploaded whole");
        tab.choose("File", file);
        tab.click(tab.button("Divide by day and upload every block"));
        tab.see("2 of 4 blocks have no rows yet: 2026-02, 2026-04.");
        assertThat(tab.page().getByLabel("Block of day").inputValue()).isEqualTo("2026-02");
        assertThat(tab.page().getByText("Register again").count()).isZero();
    }

    @Tag("full")
    @Test
    @Order(16)
    void aPageThatDoesNotLoadSaysSoAndIsTriedAgain() throws IOException {
        opens(DESK, ColorScheme.LIGHT);
        tab.page().route("**/sentences.js", route -> route.fulfill(new Route.FulfillOptions().setStatus(422)));
        tab.page().evaluate("place => { location.hash = place; }", "#/datasets/visits/history");
        tab.see("This page did not load.");
        tab.page().unroute("**/sentences.js");
        tab.click(tab.button("Try again"));
        tab.page().getByLabel("Key").fill(service.key());
        tab.click(tab.button("Sign in"));
        tab.heading("History");
    }

    /** A moment after a change, the form writes its question to the address, but not after a click on a link. */
    @Tag("full")
    @Test
    @Order(16)
    void aLinkThatIsFollowedAfterAChangeIsNotTakenBack() throws IOException {
        opens(DESK, ColorScheme.LIGHT);
        tab.open("#/datasets/visits", "Visits to a clinic (invented)");
        tab.page().getByLabel("Epsilon", exactly()).waitFor();
        tab.page().evaluate("""
                () => {
                  const later = setTimeout;
                  window.due = [];
                  window.setTimeout = (run, ...rest) => { due.push(run); return later(run, ...rest); };
                }""");
        tab.page().getByLabel("Epsilon", exactly()).fill("0.6");
        tab.page().waitForFunction("due.length > 1");
        tab.page().evaluate("() => { location.hash = '#/datasets/visits/budget'; due.forEach((run) => run()); }");
        tab.heading("Budget");
    }

    @Tag("full")
    @Test
    @Order(16)
    void aWrongKeyIsSaidInWordsAndAReloadKeepsTheQuestionAndNotTheKey() throws IOException {
        opens(DESK, ColorScheme.LIGHT);
        tab.open("#/datasets/visits", "Visits to a clinic (invented)");
        tab.choose("What do you want to know?", "aggregate");
        tab.tick("sex");
        tab.page().getByLabel("Epsilon", exactly()).fill("0.7");
        tab.page().waitForURL(Pattern.compile(".*asked=.*0\\.7.*"));
        tab.page().reload();
        tab.page().locator("input[type=password]:focus").waitFor();
        tab.page().keyboard().type("not-a-key");
        tab.page().keyboard().press("Enter");
        tab.see("The service does not know this key.");
        // The wrong key is selected a moment after it is refused. What is typed replaces it.
        tab.page().waitForFunction("document.activeElement.selectionEnd - document.activeElement.selectionStart === 9");
        tab.page().keyboard().type(service.key());
        tab.page().keyboard().press("Enter");
        tab.see("It costs");
        assertThat(tab.page().getByLabel("Epsilon", exactly()).inputValue()).isEqualTo("0.7");
        assertThat(tab.page().locator("input:checked").count()).isEqualTo(1);
    }

    @Tag("full")
    @Test
    @Order(17)
    void manyGroupsAndFiltersAreAskedInWordsAndTheBasketSurvivesAChangeOfPage() throws IOException {
        opens(DESK, ColorScheme.LIGHT);
        tab.open("#/datasets/visits", "Visits to a clinic (invented)");
        tab.choose("What do you want to know?", "aggregate");
        tab.tick("age");
        tab.choose("age is divided", "typed");
        tab.see("Say how age is divided.");
        tab.page().getByLabel("Edges of age").fill("0, 18, 65, 111");
        tab.click(tab.page().getByText("Only some rows"));
        tab.click(tab.button("One more condition"));
        tab.choose("Condition 1: column", "ward");
        tab.choose("Condition 1: relation", "notIn");
        tab.see("Tick the values of ward that are left out.");
        tab.tick("surgery");
        String said = "Mean of age and number of rows by age in 3 parts from 0 to below 111 where ward is not surgery";
        tab.see(said);
        tab.click(tab.button("One more condition"));
        tab.page().getByLabel("from", exactly()).fill("30");
        tab.see(said + " and age is from 30 to 110");
        tab.click(tab.button("Remove condition 2"));
        tab.see("It costs");
        tab.click(tab.button("Add to the basket"));
        tab.open("#/datasets/visits/budget", "Budget: Visits");
        tab.open("#/datasets/visits", "Visits to a clinic (invented)");
        tab.button("Remove " + said).waitFor();
        tab.choose("What do you want to know?", "sparse-range");
        tab.click(tab.page().getByText("Further options"));
        tab.choose("How ranges are compared", "adaptive");
        assertThat(tab.page().locator("main").innerText()).doesNotContain("`");
    }

    private static void register(String id, String accountant, String delta) throws IOException, InterruptedException {
        register(registration(id, accountant, delta));
    }

    private static void register(String body) throws IOException, InterruptedException {
        assertThat(service.post("/v1/datasets", service.key(), body).statusCode())
                .isEqualTo(201);
    }

    /** The registration of a dataset like the clinic. */
    private static String registration(String id, String accountant, String delta) {
        return """
                {"id": "%1$s", "title": "%1$s", "columns": [
                   {"name": "age", "type": "integer", "lower": 0, "upper": 110},
                   {"name": "ward", "type": "category",
                    "categories": ["emergency", "maternity", "outpatient", "surgery"]},
                   {"name": "sex", "type": "category", "categories": ["Female", "Male"]}],
                 "privacyUnit": {"type": "row"}, "neighboringRelation": "add-or-remove-one", "maxRows": 10000,
                 "budget": {"epsilon": "5", "delta": "%3$s"}, "accountant": "%2$s", "source": {"type": "upload"}}
                """.formatted(id, accountant, delta);
    }

    /** Uploads fifty rows. Another seed gives other rows, because the same rows would belong to one account. */
    private static void upload(String id, int seed) throws IOException, InterruptedException {
        upload(
                id,
                IntStream.range(0, 50)
                        .mapToObj(i -> (i + seed) + (i % 2 == 0 ? ",maternity,Female\n" : ",surgery,Male\n"))
                        .collect(Collectors.joining("", "age,ward,sex\n", "")));
    }

    private static void upload(String id, String rows) throws IOException, InterruptedException {
        assertThat(service.putCsv("/v1/datasets/" + id + "/data", service.key(), rows)
                        .statusCode())
                .isEqualTo(200);
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
        headings.put("#/datasets/visits/answers", "Stored answers");
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
        tab.open("#/register", "Register a dataset");
        tab.choose("Begin with a CSV file", Path.of("examples/visits.csv"));
        tab.see("visits.csv was read.");
        isAccessible("a proposal");
        tab.open("#/datasets/visits", "Visits to a clinic (invented)");
        tab.choose("What do you want to know?", "aggregate");
        tab.tick("age");
        tab.see("5 groups");
        isAccessible("a form");
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
