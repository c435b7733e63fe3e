package dev.purser.console;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Reads the files of the console. Files of other projects are the reviewed ones, and the console's own files let no
 * foreign code in.
 */
class ConsoleFilesTests {
    private static final Path CONSOLE = Path.of("src/main/resources/console");
    private static final Path VENDOR = CONSOLE.resolve("vendor");
    private static final int MOST_LINES = 4_400;

    /** Text that becomes markup or code, places where a key could be left, and addresses of other sites. */
    private static final Pattern FORBIDDEN = Pattern.compile(
            "innerHTML|outerHTML|insertAdjacentHTML|document\\.write|dangerouslySetInnerHTML|\\beval\\b|new Function"
                    + "|localStorage|sessionStorage|indexedDB|document\\.cookie|https?:|[\"'`(]//");

    private static List<Path> filesIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private static String nameOf(Path file) {
        return file.getFileName().toString();
    }

    @Test
    void theFilesOfOthersHaveTheirChecksums() throws Exception {
        List<String> sums = new ArrayList<>();
        for (Path file : filesIn(VENDOR)) {
            if (nameOf(file).matches(".*\\.(js|css)")) {
                byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
                sums.add(HexFormat.of().formatHex(digest) + "  " + nameOf(file));
            }
        }
        assertThat(Files.readAllLines(VENDOR.resolve("SHA256SUMS")))
                .isNotEmpty()
                .containsExactlyInAnyOrderElementsOf(sums);
    }

    /** {@code htm-preact-3.1.1.js} contains htm and preact. */
    @Test
    void theFilesOfOthersHaveTheirLicences() throws IOException {
        for (Path file : filesIn(VENDOR)) {
            if (nameOf(file).matches(".*\\.(js|css)")) {
                for (String part : nameOf(file).replaceFirst("-\\d.*", "").split("-")) {
                    assertThat(VENDOR.resolve(part + ".LICENSE")).isNotEmptyFile();
                }
            }
        }
    }

    @Test
    void noFileOfTheConsoleMakesCodeOfTextKeepsAnythingOrNamesAnotherHost() throws IOException {
        for (Path file : filesIn(CONSOLE)) {
            assertThat(Files.readAllLines(file))
                    .as(nameOf(file))
                    .noneMatch(line -> FORBIDDEN.matcher(line).find());
        }
    }

    @Test
    void theConsoleStaysSmall() throws IOException {
        long lines = 0;
        for (Path file : filesIn(CONSOLE)) {
            lines += Files.readAllLines(file).size();
        }
        assertThat(lines).isBetween(1_000L, (long) MOST_LINES);
    }
}
