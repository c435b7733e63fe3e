package dev.purser.console;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Page.GetByRoleOptions;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.WaitForSelectorState;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A tab with the console. It notes what a page of the console must never do, and counts the clicks. */
final class ConsoleTab implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 30_000;
    private static final String AXE = """
            async () => (await axe.run(document, { resultTypes: ['violations'] })).violations
              .filter((each) => ['serious', 'critical'].includes(each.impact))
              .flatMap((each) => each.nodes.map((node) => `${each.id} (${each.impact}): ${node.html.slice(0, 200)}`))""";
    private static final String STORED = """
            async () => JSON.stringify([localStorage.length, sessionStorage.length, document.cookie,
              await indexedDB.databases(), await caches.keys(), history.state])""";

    private final BrowserContext context;
    private final Page page;
    private final String address;
    private final List<String> findings = new ArrayList<>();
    private final List<Request> requests = new ArrayList<>();
    private int clicks;

    ConsoleTab(Browser browser, String address, int width, ColorScheme theme) {
        this.address = address;
        context = browser.newContext(
                new NewContextOptions().setViewportSize(width, 900).setColorScheme(theme));
        context.setDefaultTimeout(PATIENCE_MILLIS);
        context.addInitScript("""
                addEventListener('securitypolicyviolation', (event) =>
                  console.error('content policy', event.violatedDirective, event.blockedURI));""");
        context.onRequest(this::note);
        page = context.newPage();
        page.onConsoleMessage(this::note);
        page.onPageError(error -> findings.add("uncaught: " + error));
        page.onDialog(dialog -> {
            findings.add("dialog: " + dialog.message());
            dialog.dismiss();
        });
        page.navigate(address + "/");
        heading("Ask about data that nobody may see");
    }

    private void note(Request request) {
        requests.add(request);
        if (!request.url().startsWith(address + "/")) {
            findings.add("request elsewhere: " + request.url());
        }
    }

    /**
     * Before the page shows the price of a question, it looks for a stored answer, and 409 says that there is none.
     * Wrong input of a test is refused with 401 or 422.
     */
    private void note(ConsoleMessage message) {
        if (List.of("error", "warning").contains(message.type())
                && !message.text().matches(".*status of (401|409|422) .*")) {
            findings.add("console: " + message.text() + " at " + message.location());
        }
    }

    Page page() {
        return page;
    }

    /** Errors in the browser's console, violations of the content policy, dialogs, and requests to other servers. */
    List<String> findings() {
        return List.copyOf(findings);
    }

    List<Request> requests() {
        return List.copyOf(requests);
    }

    int clicks() {
        return clicks;
    }

    void signIn(String key) {
        page.getByLabel("Key").fill(key);
        click(button("Sign in"));
        heading("Datasets");
    }

    /** Goes to another place as a link does, so that the key is kept. */
    void open(String place, String heading) {
        page.evaluate("place => { location.hash = place; }", place);
        heading(heading);
    }

    /** Waits for the page with this heading, and for all that it loads. */
    void heading(String text) {
        page.locator("h1", new Page.LocatorOptions().setHasText(text)).waitFor();
        page.locator("[aria-busy=true]")
                .first()
                .waitFor(new Locator.WaitForOptions().setState(WaitForSelectorState.DETACHED));
    }

    /** Waits for a visible text. */
    void see(String text) {
        page.getByText(text).locator("visible=true").first().waitFor();
    }

    Locator button(String text) {
        return page.getByRole(AriaRole.BUTTON, new GetByRoleOptions().setName(text))
                .first();
    }

    void click(Locator control) {
        control.click();
        clicks++;
    }

    /** Chooses an option from a list, which takes two clicks. */
    void choose(String label, String option) {
        page.getByLabel(label).selectOption(option);
        clicks += 2;
    }

    /** Chooses a file, which takes two clicks. */
    void choose(String label, Path file) {
        page.locator("input[type=file]").last().waitFor();
        page.getByLabel(label).and(page.locator("input[type=file]")).setInputFiles(file);
        clicks += 2;
    }

    /** Ticks the box with this label. */
    void tick(String label) {
        click(page.getByRole(
                AriaRole.CHECKBOX, new GetByRoleOptions().setName(label).setExact(true)));
    }

    /** The rules for accessible pages that this page breaks, as axe finds them. */
    List<?> brokenRules() {
        if (Objects.equals(page.evaluate("() => typeof axe"), "undefined")) {
            page.evaluate(axe());
        }
        return (List<?>) page.evaluate(AXE);
    }

    private static String axe() {
        try (InputStream script = Objects.requireNonNull(ConsoleTab.class.getResourceAsStream("/axe.min.js"))) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** By how much the page is wider than the window. */
    int overflow() {
        return (int) page.evaluate("() => document.documentElement.scrollWidth - innerWidth");
    }

    /** All that the browser keeps for pages of the service. */
    String stored() {
        return page.evaluate(STORED).toString() + context.cookies();
    }

    @Override
    public void close() {
        context.close();
    }
}
