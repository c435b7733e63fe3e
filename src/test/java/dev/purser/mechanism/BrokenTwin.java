package dev.purser.mechanism;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A mechanism that is right except for one line of one class, and the audit that has to refute it.
 *
 * @param name what the slip is
 * @param type the class whose source has the line
 * @param line the line as it stands in the source, without the text around it
 * @param broken what the twin has in place of the line
 * @param audit the name of an audit of {@link AuditCases}, or of an audit of the code that reads rows
 * @param draws the number of draws of the audit
 */
public record BrokenTwin(String name, Class<?> type, String line, String broken, String audit, int draws) {
    private static final Path SOURCES = Path.of("src/main/java");

    /** The whole source as it is, with the line right. */
    public String rightSource() throws IOException {
        return Files.readString(file());
    }

    /** The whole source with the line broken. */
    public String brokenSource() throws IOException {
        List<String> lines = rightSource().lines().toList();
        long found = lines.stream().filter(this::isTheLine).count();
        if (found != 1) {
            throw new IllegalStateException(
                    "The twin '%s' breaks the line '%s', which stands %d times in %s and not once. %s"
                            .formatted(
                                    name,
                                    line,
                                    found,
                                    file(),
                                    "If the line has changed, the twin has to change with it."));
        }
        return String.join(
                "\n",
                lines.stream().map(each -> isTheLine(each) ? broken : each).toList());
    }

    private Path file() {
        return SOURCES.resolve(type.getName().replace('.', '/') + ".java");
    }

    private boolean isTheLine(String candidate) {
        return candidate.strip().equals(line);
    }

    @Override
    public String toString() {
        return name + " (" + type.getSimpleName() + ")";
    }
}
