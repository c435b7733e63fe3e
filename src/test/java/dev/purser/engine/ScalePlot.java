package dev.purser.engine;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.SequencedSet;
import java.util.function.ToDoubleFunction;

/** Three panels of lines on logarithmic axes, milliseconds and megabytes over rows, as a picture in SVG. */
final class ScalePlot {
    private static final int LEFT = 70;
    private static final int TOP = 50;
    private static final int WIDTH = 360;
    private static final int HEIGHT = 300;
    private static final int NEXT_PANEL = 470;
    private static final int PICTURE_WIDTH = 3 * NEXT_PANEL;
    private static final int PICTURE_HEIGHT = 430;
    private static final Axis MILLIS = new Axis("ms", 0.01, 7);
    private static final Axis MEGABYTES = new Axis("MB", 1, 4);
    private static final List<String> COLORS = List.of("#1b6ca8", "#2a9d4a", "#c77700", "#8e3b8e");

    /**
     * What an engine took for so many rows.
     *
     * @param megabytes of memory of its own that the process which asks had after that
     */
    record Point(String engine, long rows, double oneMillis, double thousandMillis, double megabytes) {}

    /** From the bottom to the top of a panel. */
    private record Axis(String unit, double least, int decades) {
        private double y(double value) {
            return TOP + HEIGHT * (1 - Math.log10(Math.max(value, least) / least) / decades);
        }

        private String label(double value) {
            return String.format(Locale.ROOT, value < 1 ? "%.2f" : "%,.0f", value) + " " + unit;
        }
    }

    private final StringBuilder svg = new StringBuilder();
    private final List<Point> points;
    private final double fewest;
    private final double most;

    private ScalePlot(List<Point> points) {
        this.points = points;
        fewest = Math.log10(points.stream().mapToLong(Point::rows).min().orElseThrow());
        most = Math.log10(points.stream().mapToLong(Point::rows).max().orElseThrow());
    }

    static String of(List<Point> points) {
        ScalePlot plot = new ScalePlot(points);
        plot.add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\""
                        + " font-size=\"12\">",
                PICTURE_WIDTH, PICTURE_HEIGHT);
        plot.add("<rect width=\"%d\" height=\"%d\" fill=\"white\"/>", PICTURE_WIDTH, PICTURE_HEIGHT);
        plot.panel(0, "one count with a filter", MILLIS, Point::oneMillis);
        plot.panel(NEXT_PANEL, "1,000 ranges with a filter", MILLIS, Point::thousandMillis);
        plot.panel(2 * NEXT_PANEL, "the service's own memory", MEGABYTES, Point::megabytes);
        plot.legend();
        plot.add("</svg>");
        return plot.svg.toString();
    }

    private void panel(int shift, String title, Axis axis, ToDoubleFunction<Point> quantity) {
        add("<g transform=\"translate(%d 0)\">", shift);
        add("<text x=\"%d\" y=\"30\" text-anchor=\"middle\" font-weight=\"bold\">%s</text>", LEFT + WIDTH / 2, title);
        for (int decade = 0; decade <= axis.decades(); decade++) {
            double value = axis.least() * Math.pow(10, decade);
            add(
                    "<path d=\"M%d %.1f h%d\" stroke=\"#dddddd\"/><text x=\"%d\" y=\"%.1f\""
                            + " text-anchor=\"end\">%s</text>",
                    LEFT, axis.y(value), WIDTH, LEFT - 6, axis.y(value) + 4, axis.label(value));
        }
        for (double rows = fewest; rows <= most + 1e-9; rows++) {
            add(
                    "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%,.0f rows</text>",
                    x(Math.pow(10, rows)), TOP + HEIGHT + 20, Math.pow(10, rows));
        }
        int color = 0;
        for (String engine : engines()) {
            StringBuilder path = new StringBuilder();
            for (Point point : points) {
                if (point.engine().equals(engine)) {
                    double x = x(point.rows());
                    double y = axis.y(quantity.applyAsDouble(point));
                    path.append(String.format(Locale.ROOT, "%s%.1f %.1f", path.isEmpty() ? "M" : " L", x, y));
                    add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>", x, y, COLORS.get(color));
                }
            }
            add("<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>", path, COLORS.get(color++));
        }
        add("</g>");
    }

    private void legend() {
        int place = 0;
        for (String engine : engines()) {
            int x = LEFT + 200 * place;
            add("<rect x=\"%d\" y=\"400\" width=\"14\" height=\"14\" fill=\"%s\"/>", x, COLORS.get(place++));
            add("<text x=\"%d\" y=\"412\">%s</text>", x + 20, engine);
        }
    }

    private SequencedSet<String> engines() {
        SequencedSet<String> engines = new LinkedHashSet<>();
        points.forEach(point -> engines.add(point.engine()));
        return engines;
    }

    private double x(double rows) {
        return LEFT + 20 + (WIDTH - 40) * (Math.log10(rows) - fewest) / Math.max(1, most - fewest);
    }

    private void add(String form, Object... values) {
        svg.append(values.length == 0 ? form : String.format(Locale.ROOT, form, values))
                .append('\n');
    }
}
