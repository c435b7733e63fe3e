package dev.purser.faults;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * One bug, as a patch to the service's sources. It names the invariants of which at least one has to catch it, and the
 * faults and the topology under which it shows.
 */
record SeededBug(String name, String what, Set<String> caughtBy, Conditions conditions, Path patch) {
    /**
     * The conditions under which the bug shows.
     *
     * @param questions that one dataset's budget pays for, on average: few if the bug shows at the end of a budget
     */
    record Conditions(Set<String> faults, String topology, int questions) {}

    private static final Path PATCHES = Path.of("src/lab/faults");
    private static final Path SOURCES = Path.of("src/main");
    private static final String CHANGED = "+++ b/src/main/";

    static List<SeededBug> all() throws IOException {
        try (Stream<Path> files = Files.list(PATCHES)) {
            List<SeededBug> bugs = new ArrayList<>();
            for (Path patch : files.sorted().toList()) {
                bugs.add(of(patch));
            }
            return bugs;
        }
    }

    private static SeededBug of(Path patch) throws IOException {
        List<String> lines = Files.readAllLines(patch);
        return new SeededBug(
                patch.getFileName().toString().replace(".patch", ""),
                header(lines, "Bug"),
                Set.of(header(lines, "Caught by").split(" ")),
                new Conditions(
                        Set.of(header(lines, "Faults").split(",")),
                        header(lines, "Topology"),
                        Integer.parseInt(header(lines, "Questions"))),
                patch);
    }

    private static String header(List<String> lines, String name) {
        return lines.stream()
                .filter(line -> line.startsWith(name + ": "))
                .map(line -> line.substring(name.length() + 2))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("a patch has no line " + name));
    }

    /** Compiles the sources with this bug. The returned folder contains what has changed, laid out as in the jar. */
    Path compiled(Path work) throws IOException, InterruptedException {
        copy(SOURCES, work.resolve(SOURCES));
        Programs.run(
                "patch",
                "-p1",
                "-s",
                "-d",
                work.toString(),
                "-i",
                patch.toAbsolutePath().toString());
        Path classes = Files.createDirectory(work.resolve("classes"));
        List<Path> sources = new ArrayList<>();
        for (String changed : changedFiles()) {
            Path file = work.resolve(SOURCES).resolve(changed);
            if (changed.startsWith("java/")) {
                sources.add(file);
            } else {
                Path target = classes.resolve(Path.of("resources").relativize(Path.of(changed)));
                Files.createDirectories(target.getParent());
                Files.copy(file, target);
            }
        }
        compile(sources, classes);
        return classes;
    }

    private List<String> changedFiles() throws IOException {
        return Files.readAllLines(patch).stream()
                .filter(line -> line.startsWith(CHANGED))
                .map(line -> line.substring(CHANGED.length()))
                .toList();
    }

    /** Compiles without the checks of the build, which a bug may violate. */
    private void compile(List<Path> sources, Path classes) throws IOException {
        if (sources.isEmpty()) {
            return;
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter complaints = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            boolean compiles = compiler.getTask(
                            complaints,
                            files,
                            null,
                            List.of(
                                    "-classpath",
                                    System.getProperty("java.class.path"),
                                    "-d",
                                    classes.toString(),
                                    "-proc:none",
                                    "-nowarn",
                                    "-parameters"),
                            null,
                            files.getJavaFileObjectsFromPaths(sources))
                    .call();
            if (!compiles) {
                throw new IOException(name + " does not compile: " + complaints);
            }
        }
    }

    /** A copy of the packaged service with this bug in it. */
    Path packaged(Path jar, Path work) throws IOException, InterruptedException {
        Path classes = compiled(work);
        Path broken = work.resolve("purser.jar");
        Files.copy(jar, broken);
        try (FileSystem zip = FileSystems.newFileSystem(URI.create("jar:" + broken.toUri()), Map.of())) {
            copy(classes, zip.getPath("BOOT-INF", "classes"));
        }
        return broken;
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                Files.createDirectories(target.getParent());
                Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }
}
