package dev.purser.console;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType.LaunchOptions;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.Playwright.CreateOptions;
import com.microsoft.playwright.options.ColorScheme;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The Chromium of this machine, which Playwright drives with the machine's Node.js. Nothing is downloaded. */
final class Chromium implements AutoCloseable {
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");

    private final Playwright playwright;
    private final Browser browser;

    Chromium() {
        playwright = Playwright.create(new CreateOptions()
                .setEnv(Map.of(
                        "PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD",
                        "1",
                        "PLAYWRIGHT_NODEJS_PATH",
                        onThePath(List.of("node")).orElseThrow().toString())));
        browser = playwright
                .chromium()
                .launch(new LaunchOptions()
                        .setExecutablePath(onThePath(NAMES).orElseThrow())
                        // A container has no sandbox for Chromium, and Chromium shows only pages of the service under
                        // test.
                        .setArgs(List.of("--no-sandbox")));
    }

    /** The reason why this machine can have no Chromium; empty if it can. */
    static Optional<String> missing() {
        return Stream.of(List.of("node"), NAMES)
                .filter(names -> onThePath(names).isEmpty())
                .map(names -> names.getFirst() + " is not installed")
                .findFirst();
    }

    private static Optional<Path> onThePath(List<String> names) {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .flatMap(folder -> names.stream().map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** A tab without history and stored data, with the content policy of the service in force. */
    ConsoleTab tab(String address, int width, ColorScheme theme) {
        return new ConsoleTab(browser, address, width, theme);
    }

    @Override
    public void close() {
        playwright.close();
    }
}
