package dev.purser.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Panels of lines, drawn by {@code src/lab/python/figure.py}. */
public final class Figure {
    private static final String SCRIPT = "src/lab/python/figure.py";

    private Figure() {}

    /** A point of a line. */
    public record Point(double x, double y) {}

    /**
     * Draws a picture.
     *
     * @param panels the points of each line of each panel, by their names
     */
    public static void draw(Map<String, Map<String, List<Point>>> panels, String xLabel, String yLabel, Path svg)
            throws IOException, InterruptedException {
        List<String> csv = new ArrayList<>(List.of("panel,line,x,y"));
        panels.forEach((panel, lines) -> lines.forEach((line, points) ->
                points.forEach(point -> csv.add("\"" + panel + "\",\"" + line + "\"," + point.x() + "," + point.y()))));
        Path table = Files.write(Files.createTempFile("figure", ".csv"), csv);
        try {
            draw(table, svg, "lines", xLabel, yLabel);
        } finally {
            Files.delete(table);
        }
    }

    /** Draws the picture of a table; the script says which kinds there are. */
    public static void draw(Path table, Path svg, String... kind) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("python3", SCRIPT));
        command.addAll(List.of(kind));
        int status = new ProcessBuilder(command)
                .redirectInput(table.toFile())
                .redirectOutput(svg.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start()
                .waitFor();
        if (status != 0) {
            throw new IOException(SCRIPT + " ended with status " + status);
        }
    }
}
