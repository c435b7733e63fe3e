package dev.purser.console;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.purser.ServiceProcess;
import dev.purser.lab.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Takes the pictures of docs/console.md from the packaged service, in the light and the dark theme. Options:
 * {@code folder} for the home, {@code pictures} for the pictures. The system property {@code purser.jar} names the jar.
 */
final class Screenshots {
    private static final int WIDTH = 1000;
    /** Longer pages are cut off. */
    private static final int HEIGHT = 1000;

    private final ServiceProcess service;
    private final Path pictures;

    private Screenshots(ServiceProcess service, Path pictures) {
        this.service = service;
        this.pictures = pictures;
    }

    public static void main(String[] arguments) throws Exception {
        Options options = new Options(arguments, "folder", "pictures");
        Path pictures = Files.createDirectories(Path.of(options.text("pictures", "docs/console")));
        try (ServiceProcess service = new ServiceProcess(options.newFolder("screenshots"));
                Chromium chromium = new Chromium()) {
            Screenshots screenshots = new Screenshots(service, pictures);
            try (ConsoleTab tab = chromium.tab(service.address(), WIDTH, ColorScheme.LIGHT)) {
                tab.signIn(service.key());
                screenshots.ask(tab);
            }
            for (ColorScheme theme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
                try (ConsoleTab tab = chromium.tab(service.address(), WIDTH, theme)) {
                    tab.signIn(service.key());
                    screenshots.take(tab, theme.name().toLowerCase(Locale.ROOT));
                }
            }
        }
    }

    /** Asks what the pictures show: some questions, and a session. */
    private void ask(ConsoleTab tab) {
        tab.click(tab.button("Load the invented clinic"));
        tab.heading("Visits to a clinic (invented)");
        for (String kind : List.of("aggregate", "histogram", "quantile", "mean", "sparse-range")) {
            choose(tab, kind);
            buy(tab);
        }
        tab.open("#/datasets/visits/sessions", "Threshold sessions");
        tab.page()
                .getByLabel("Threshold", new Page.GetByLabelOptions().setExact(true))
                .fill("500");
        tab.page().locator("[name='/release']").selectOption("values");
        tab.click(tab.button("Open for epsilon 1"));
        for (int question = 1; question <= 2; question++) {
            tab.click(tab.button("Ask question " + question));
            tab.see("Question " + question + ": ABOVE.");
        }
    }

    /** Chooses a kind of question. For a table, it also chooses the means by sex. */
    private static void choose(ConsoleTab tab, String kind) {
        tab.choose("What do you want to know?", kind);
        if (kind.equals("aggregate")) {
            tab.tick("sex");
        }
    }

    private static void buy(ConsoleTab tab) {
        tab.see("It costs");
        tab.click(tab.button("Ask for"));
        tab.button("Show the stored answer").waitFor();
    }

    private void take(ConsoleTab tab, String theme) throws IOException {
        picture(tab, "datasets-" + theme);
        tab.open("#/datasets/visits", "Visits to a clinic (invented)");
        choose(tab, "aggregate");
        tab.click(tab.button("Show the stored answer"));
        tab.page().locator("article.answer").waitFor();
        tab.see("It costs");
        picture(tab, "answer-" + theme);
        tab.open("#/datasets/visits/answers", "Stored answers");
        picture(tab, "stored-" + theme);
        tab.open("#/register", "Register a dataset");
        tab.choose("Begin with a CSV file", Path.of("examples/visits.csv"));
        tab.see("visits.csv was read.");
        picture(tab, "register-" + theme);
        tab.open("#/datasets/visits/history", "History");
        picture(tab, "history-" + theme);
        tab.open("#/datasets/visits/budget", "Budget");
        tab.click(tab.button("Recompute the chain"));
        tab.see("recomputed in this browser");
        picture(tab, "budget-" + theme);
        tab.open("#/datasets/visits/sessions", "Threshold sessions");
        tab.click(tab.page().locator("td button").first());
        tab.page().locator("svg[aria-label='Values found above the threshold']").waitFor();
        picture(tab, "sessions-" + theme);
    }

    private void picture(ConsoleTab tab, String name) throws IOException {
        tab.page().evaluate("() => document.activeElement?.blur()");
        int content = (int)
                tab.page().evaluate("() => Math.ceil(document.querySelector('main').getBoundingClientRect().bottom)");
        Path file = pictures.resolve(name + ".png");
        tab.page()
                .screenshot(new Page.ScreenshotOptions()
                        .setPath(file)
                        .setFullPage(true)
                        .setClip(0, 0, WIDTH, Math.min(content + 16, HEIGHT)));
        System.out.printf(Locale.ROOT, "%s, %d kB%n", file, Files.size(file) / 1000);
    }
}
