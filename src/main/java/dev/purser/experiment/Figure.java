package dev.purser.experiment;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedSet;
import java.util.function.Function;
import java.util.stream.DoubleStream;

/** A picture in SVG: panels of lines on logarithmic axes, with bars of one standard error up and down. */
public final class Figure {
    private static final int LEFT = 70;
    private static final int WIDTH = 290;
    private static final int TOP = 40;
    private static final int BOTTOM = 270;
    private static final int NEXT_COLUMN = 390;
    private static final int NEXT_ROW = 330;
    private static final int LEGEND = 60;
    private static final List<String> COLORS =
            List.of("#1b6ca8", "#2a9d4a", "#c77700", "#8e3b8e", "#b03030", "#555555", "#2aa0a0");

    private final StringBuilder svg = new StringBuilder();
    private final SequencedSet<String> names = new LinkedHashSet<>();

    private Figure() {}

    /** @param error one standard error, or 0 */
    public record Point(double x, double y, double error) {
        private static Point of(double x, BigDecimal y, BigDecimal error, double unit) {
            return new Point(x, y.doubleValue() / unit, error.doubleValue() / unit);
        }
    }

    /** A logarithmic axis, from one place of the picture to another. */
    private record Axis(double least, double most, int from, int to) {
        static Axis of(DoubleStream values, int from, int to) {
            var range = values.summaryStatistics();
            return new Axis(range.getMin() / 1.1, range.getMax() * 1.1, from, to);
        }

        double at(double value) {
            return from + (to - from) * Math.log(Math.max(value, least) / least) / Math.log(most / least);
        }

        /** At 1, 2 and 5 times a power of ten; at more where the axis is short, at fewer where it is long. */
        double[] ticks() {
            double ratio = most / least;
            double[] digits = ratio > 300
                    ? new double[] {1}
                    : ratio > 3 ? new double[] {1, 2, 5} : new double[] {1, 1.1, 1.2, 1.4, 1.6, 2, 3, 4, 5, 6, 7, 8, 9};
            return DoubleStream.iterate(Math.pow(10, Math.floor(Math.log10(least))), tick -> tick <= most, t -> 10 * t)
                    .flatMap(power -> DoubleStream.of(digits).map(digit -> digit * power))
                    .filter(tick -> tick >= least && tick <= most)
                    .toArray();
        }
    }

    /**
     * The errors of each method by nominal epsilon: a panel for each subject in each comparison.
     *
     * @param squared whether mean squared errors are shown, else mean absolute errors
     */
    public static String ofErrors(ExperimentResult result, boolean squared) {
        return of(
                panels(
                        result.rows(),
                        row -> row.subject() + ", " + row.comparison() + " epsilon",
                        ErrorRow::name,
                        row -> {
                            double x = row.nominalEpsilon().nanos() / 1e9;
                            return squared
                                    ? Point.of(x, row.meanSquaredError(), row.squaredStandardError(), 1)
                                    : Point.of(x, row.meanAbsoluteError(), row.absoluteStandardError(), 1);
                        }),
                "nominal epsilon e",
                squared ? "mean squared error" : "mean absolute error");
    }

    /** The mean squared errors of HierA by reuse, in multiples of that without reuse: a panel for each method. */
    public static String ofReuse(ExperimentResult result) {
        List<ErrorRow> rows = result.rows().stream()
                .filter(row -> row.reuse() != null && row.comparison().equals(Method.word(Comparison.NOMINAL)))
                .toList();
        Map<String, ErrorRow> first = new LinkedHashMap<>();
        rows.forEach(row -> first.putIfAbsent(row.subject() + row.method() + row.nominalEpsilon(), row));
        return of(
                panels(rows, row -> row.subject() + ", " + row.method(), row -> "e = " + row.nominalEpsilon(), row -> {
                    ErrorRow once = first.getOrDefault(row.subject() + row.method() + row.nominalEpsilon(), row);
                    double unit = once.meanSquaredError().doubleValue();
                    double x = row.reuse() == null ? 1 : row.reuse();
                    return Point.of(x, row.meanSquaredError(), row.squaredStandardError(), unit);
                }),
                "reuse",
                "mean squared error / that of reuse 1");
    }

    private static Map<String, Map<String, List<Point>>> panels(
            List<ErrorRow> rows,
            Function<ErrorRow, String> panel,
            Function<ErrorRow, String> line,
            Function<ErrorRow, Point> point) {
        Map<String, Map<String, List<Point>>> panels = new LinkedHashMap<>();
        for (ErrorRow row : rows) {
            panels.computeIfAbsent(panel.apply(row), title -> new LinkedHashMap<>())
                    .computeIfAbsent(line.apply(row), name -> new ArrayList<>())
                    .add(point.apply(row));
        }
        return panels;
    }

    /**
     * Any panels, two beside each other.
     *
     * @param panels the points of each line of each panel, by their names
     */
    public static String of(Map<String, Map<String, List<Point>>> panels, String xLabel, String yLabel) {
        return new Figure().drawn(panels, xLabel, yLabel);
    }

    private String drawn(Map<String, Map<String, List<Point>>> panels, String xLabel, String yLabel) {
        panels.values().forEach(lines -> names.addAll(lines.keySet()));
        int legend = NEXT_ROW * Math.ceilDiv(panels.size(), 2);
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\""
                        + " font-size=\"12\"><rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>",
                2 * NEXT_COLUMN, legend + LEGEND);
        int place = 0;
        for (Map.Entry<String, Map<String, List<Point>>> each : panels.entrySet()) {
            add("<g transform=\"translate(%d %d)\">", NEXT_COLUMN * (place % 2), NEXT_ROW * (place / 2));
            text(LEFT + WIDTH / 2.0, 24, "middle", each.getKey());
            lines(each.getValue(), xLabel, yLabel);
            add("</g>");
            place++;
        }
        int shown = 0;
        for (String name : names) {
            int x = LEFT + 170 * (shown % 4);
            int y = legend + 20 * (shown / 4);
            add("<rect x=\"%d\" y=\"%d\" width=\"12\" height=\"12\" fill=\"%s\"/>", x, y, color(name));
            text(x + 18, y + 11, "start", name);
            shown++;
        }
        return add("</svg>").svg.toString();
    }

    private void lines(Map<String, List<Point>> lines, String xLabel, String yLabel) {
        List<Point> all = lines.values().stream().flatMap(List::stream).toList();
        Axis across = Axis.of(all.stream().mapToDouble(Point::x), LEFT, LEFT + WIDTH);
        Axis up = Axis.of(all.stream().mapToDouble(Point::y), BOTTOM, TOP);
        add("<path d=\"M%d %d V%d h%d\" fill=\"none\" stroke=\"black\"/>", LEFT, TOP, BOTTOM, WIDTH);
        for (double tick : up.ticks()) {
            add("<path d=\"M%d %.1f h%d\" stroke=\"#dddddd\"/>", LEFT, up.at(tick), WIDTH);
            text(LEFT - 6, up.at(tick) + 4, "end", number(tick));
        }
        all.stream().map(Point::x).distinct().forEach(x -> text(across.at(x), BOTTOM + 18, "middle", number(x)));
        text(LEFT + WIDTH / 2.0, BOTTOM + 36, "middle", xLabel);
        add("<text transform=\"translate(14 155) rotate(-90)\" text-anchor=\"middle\">%s</text>", yLabel);
        lines.forEach((name, points) -> {
            StringBuilder path = new StringBuilder();
            for (Point point : points) {
                double x = across.at(point.x());
                path.append(
                        String.format(Locale.ROOT, "%s%.1f %.1f", path.isEmpty() ? "M" : " L", x, up.at(point.y())));
                add(
                        "<path d=\"M%.1f %.1f V%.1f\" stroke=\"%s\"/>",
                        x, up.at(point.y() - point.error()), up.at(point.y() + point.error()), color(name));
            }
            add("<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"/>", path, color(name));
        });
    }

    private String color(String name) {
        return COLORS.get(List.copyOf(names).indexOf(name) % COLORS.size());
    }

    private static String number(double value) {
        String form = value < 0.001 ? "%.0e" : "%.4f";
        return String.format(Locale.ROOT, form, value)
                .replaceAll("(\\.\\d*?)0+$", "$1")
                .replaceAll("\\.$", "");
    }

    private void text(double x, double y, String anchor, String text) {
        add("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>", x, y, anchor, text);
    }

    private Figure add(String form, Object... values) {
        svg.append(String.format(Locale.ROOT, form, values)).append('\n');
        return this;
    }
}
