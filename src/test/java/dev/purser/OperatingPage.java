package dev.purser;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The recipes of {@code docs/operating.md}, run as somebody runs them who pastes them into a shell. Only {@code java}
 * differs: it starts the extracted jar, which takes less time.
 */
final class OperatingPage {
    private static final Pattern BLOCK = Pattern.compile("```(?:sh)?\n(.*?)```", Pattern.DOTALL);

    private OperatingPage() {}

    /** The text under a heading, up to the next heading. */
    static String section(String heading) throws IOException {
        String page = Files.readString(Path.of("docs", "operating.md"));
        Matcher section = Pattern.compile("(?m)^" + Pattern.quote(heading) + "\n(.*?)^#{2,3} ", Pattern.DOTALL)
                .matcher(page);
        assertThat(section.find()).as(heading).isTrue();
        return section.group(1);
    }

    /** The blocks under a heading: commands, and the output of commands. */
    static List<String> blocks(String heading) throws IOException {
        return BLOCK.matcher(section(heading))
                .results()
                .map((MatchResult block) -> block.group(1).strip())
                .toList();
    }

    /** The first group of a pattern's first match in a text, which has to be there. */
    static String found(String pattern, String text) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        assertThat(matcher.find()).as(pattern).isTrue();
        return matcher.group(1);
    }

    /** A text with the same number in place of each number, so that the printed text can be compared with the page. */
    static String unnumbered(String text) {
        return text.replaceAll("[0-9]+", "0");
    }

    /** @param folder where the shell runs */
    static Ended paste(Path folder, Map<String, String> environment, String commands)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder("sh", "-e").directory(folder.toFile());
        builder.environment().putAll(environment);
        builder.environment()
                .put("PATH", programs(folder) + ":" + environment.getOrDefault("PATH", System.getenv("PATH")));
        return Ended.of(builder, commands + "\n");
    }

    private static Path programs(Path folder) throws IOException {
        Path programs = Files.createDirectories(folder.resolve("bin"));
        Path java = programs.resolve("java");
        if (Files.notExists(java)) {
            String command = ServiceProcess.extracted().stream()
                    .map(word -> "'" + word + "'")
                    .collect(Collectors.joining(" "));
            Files.writeString(java, """
                    #!/bin/sh
                    test "$1 $2" = "-jar purser.jar" || exit 64
                    shift 2
                    exec %s "$@"
                    """.formatted(command));
            Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwx------"));
        }
        return programs;
    }
}
