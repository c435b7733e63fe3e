package dev.purser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Reads the whole source tree for what must not stand in it, and the documents for dead links and unlinked pages. */
class RepositoryTests {
    private static final Path TREE = Path.of("").toAbsolutePath();
    private static final Set<String> NOT_SOURCES = Set.of(".git", "target", "purser-home", ".idea", ".vscode");

    /** Hosts that packages and images are downloaded from. Written as a pattern, so that it does not match itself. */
    private static final Pattern REGISTRY = Pattern.compile(
            "\\b(?:repo\\d*|central|oss|s01|registry|index|hub|deb|security|archive|plugins|files|proxy)"
                    + "\\.(?:maven|sonatype|npmjs|yarnpkg|debian|ubuntu|docker|gradle|golang|pythonhosted)\\b"
                    + "|\\b(?:docker|ghcr|quay|crates)\\.io\\b|\\bpypi\\.org\\b|\\bgcr\\.io\\b");

    private static final Pattern UNFINISHED = Pattern.compile("\\b(?:TO" + "DO|FIX" + "ME)\\b(?!\\(#\\d+\\))");

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]*)(?:#([^)]*))?\\)");
    private static final Pattern HEADING = Pattern.compile("^#+ (.+)$", Pattern.MULTILINE);
    private static final Path INDEX = Path.of("docs/README.md");

    /** A link of a document: where it stands, the file it leads to, and the heading there or nothing. */
    private record Link(Path from, Path to, String heading) {
        boolean leadsSomewhere() {
            return Files.exists(TREE.resolve(to))
                    && (heading.isEmpty() || headings(TREE.resolve(to)).contains(heading));
        }
    }

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
    void everyRelativeLinkLeadsToAFileAndToAHeadingOfIt() throws IOException {
        assertThat(links().stream().filter(link -> !link.leadsSomewhere()))
                .as("links to nothing")
                .isEmpty();
    }

    @Test
    void theIndexLeadsToEveryPageOfTheDocumentation() throws IOException {
        assertThat(links())
                .anyMatch(link ->
                        link.from().equals(Path.of("README.md")) && link.to().equals(INDEX));
        Set<Path> reached = links().stream()
                .filter(link -> link.from().equals(INDEX))
                .map(Link::to)
                .collect(Collectors.toSet());
        assertThat(reached)
                .containsAll(texts().keySet().stream()
                        .filter(file -> file.startsWith(INDEX.getParent()) && isDocument(file))
                        .filter(file -> !file.equals(INDEX))
                        .toList())
                .contains(Path.of("README.md"), Path.of("CONTRIBUTING.md"), Path.of("CHANGELOG.md"));
    }

    private static List<Link> links() throws IOException {
        List<Link> links = new ArrayList<>();
        texts().forEach((file, text) -> {
            if (isDocument(file)) {
                Matcher link = LINK.matcher(text);
                while (link.find()) {
                    Path to = link.group(1).isEmpty()
                            ? file
                            : file.resolveSibling(link.group(1)).normalize();
                    if (!link.group(1).contains("://")) {
                        links.add(new Link(file, to, Objects.requireNonNullElse(link.group(2), "")));
                    }
                }
            }
        });
        return links;
    }

    private static boolean isDocument(Path file) {
        return file.toString().endsWith(".md");
    }

    /** The names of the headings of a document, as the pages of repositories make them. */
    private static Set<String> headings(Path document) {
        try {
            return HEADING.matcher(Files.readString(document))
                    .results()
                    .map(heading -> heading.group(1).toLowerCase(Locale.ROOT))
                    .map(heading -> heading.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
                    .collect(Collectors.toSet());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
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
