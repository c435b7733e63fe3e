package dev.purser.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The options of a program: its arguments, each of the form {@code name=value}. */
public final class Options {
    private final Map<String, String> values = new HashMap<>();

    /** @param names of all options that the program has; others are refused */
    public Options(String[] arguments, String... names) {
        for (String argument : arguments) {
            String[] parts = argument.split("=", 2);
            if (parts.length < 2 || !List.of(names).contains(parts[0])) {
                throw new IllegalArgumentException(
                        "not an option: " + argument + "; options are " + String.join("=, ", names) + "=");
            }
            values.put(parts[0], parts[1]);
        }
    }

    /** The value as it was given. */
    public String text(String name, String otherwise) {
        return values.getOrDefault(name, otherwise);
    }

    /** A list with commas; empty if it was not given. */
    public List<String> words(String name) {
        return values.containsKey(name) ? List.of(values.get(name).split(",")) : List.of();
    }

    /** A whole number. */
    public long number(String name, long otherwise) {
        return values.containsKey(name) ? Long.parseLong(values.get(name)) : otherwise;
    }

    /** As {@link #number}, where the program needs an {@code int}. */
    public int count(String name, int otherwise) {
        return Math.toIntExact(number(name, otherwise));
    }

    /** A number with decimals. */
    public double decimal(String name, double otherwise) {
        return values.containsKey(name) ? Double.parseDouble(values.get(name)) : otherwise;
    }

    /**
     * A new folder inside the folder of the option {@code folder}, which lies on the disk to measure. It is {@code
     * target} if the option is not given.
     */
    public Path newFolder(String prefix) throws IOException {
        Path folder = Path.of(text("folder", "target")).toAbsolutePath();
        return Files.createTempDirectory(Files.createDirectories(folder), prefix);
    }
}
