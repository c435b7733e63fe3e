package dev.purser;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Reads the whole source tree for what must not stand in it, and the documents for links that lead nowhere. */
class RepositoryTests {
    private static final Path TREE = Path.of("").toAbsolutePath();
    private static final Set<String> NOT_SOURCES = Set.of(".git", "target", "purser-home", ".idea", ".vscode");

    /** Hosts that packages and images are downloaded from. Written as a pattern, so that it does not match itself. */
    private static final Pattern REGISTRY = Pattern.compile(
            "\\b(?:repo\\d*|central|oss|s01|registry|index|hub|deb|security|archive|plugins|files|proxy)"
                    + "\\.(?:maven|sonatype|npmjs|yarnpkg|debian|ubuntu|docker|gradle|golang|pythonhosted)\\b"
                    + "|\\b(?:docker|ghcr|quay|crates)\\.io\\b|\\bpypi\\.org\\b|\\bgcr\\.io\\b");

    private static final Pattern UNFINISHED = Pattern.compile("\\b(?:TO" + "DO|FIX" + "ME)\\b(?!\\(#\\d+\\))");

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)(?:#[^)]*)?\\)");

    @Test
    void noDownloadAddressStandsInTheTree() throws IOException {
        assertThat(matches(REGISTRY)).as("package registries").isEmpty();
    }

    @Test
    void nothingIsLeftUnfinishedWithoutAnIssue() throws IOException {
        assertThat(matches(UNFINISHED))
                .as("unfinished work without an issue number")
                .isEmpty();
    }

    @Test
    void everyRelativeLinkLeadsSomewhere() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Map.Entry<Path, String> file : texts().entrySet()) {
            if (file.getKey().toString().endsWith(".md")) {
                Path folder = TREE.resolve(file.getKey()).getParent();
                LINK.matcher(file.getValue())
                        .results()
                        .map(link -> link.group(1))
                        .filter(link -> !link.contains("://"))
                        .filter(link -> !Files.exists(folder.resolve(link)))
                        .forEach(link -> broken.add(file.getKey() + ": " + link));
            }
        }
        assertThat(broken).as("links to nothing").isEmpty();
    }

    private static List<String> matches(Pattern pattern) throws IOException {
        List<String> found = new ArrayList<>();
        texts().forEach((file, text) ->
                pattern.matcher(text).results().forEach(match -> found.add(file + ": " + match.group())));
        return found;
    }

    private static Map<Path, String> texts() throws IOException {
        Map<Path, String> texts = new TreeMap<>();
        try (Stream<Path> entries = Files.list(TREE)) {
            for (Path entry : entries.filter(RepositoryTests::isSource).toList()) {
                try (Stream<Path> files = Files.walk(entry)) {
                    for (Path file : files.filter(Files::isRegularFile).toList()) {
                        try {
                            texts.put(TREE.relativize(file), Files.readString(file));
                        } catch (MalformedInputException binary) {
                            continue;
                        }
                    }
                }
            }
        }
        assertThat(texts).containsKey(Path.of("pom.xml"));
        return texts;
    }

    private static boolean isSource(Path entry) {
        return !NOT_SOURCES.contains(entry.getFileName().toString());
    }
}
