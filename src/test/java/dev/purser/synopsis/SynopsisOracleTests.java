package dev.purser.synopsis;

import dev.purser.web.RunningService;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares random synopses, most of which leave rows out, with the rows: edges that do not reach the ends of a column,
 * filters, blocks, measures, tables of one column or more. At epsilon 100 each number of an answer has to have the
 * exact number in its interval and be near it. The exact number is that of the rows in the cells of every column. An
 * interval misses with probability 1e-9, so 10,000 numbers fail by chance with probability 1e-5.
 */
class SynopsisOracleTests extends RunningService {
    private static final int DAYS = 4;
    private static final int ROWS_OF_A_DAY = 150;
    private static final List<String> NUMBERS = List.of("a", "b", "c");
    private static final int[] UPPER = {12, 30, 7};
    private static final List<String> KINDS = List.of("x", "y", "z");
    private static final int KIND = NUMBERS.size();
    private static final int DAY = KIND + 1;

    /** The cells of a column are the ranges between these edges. */
    private record Cells(int column, List<Integer> edges, String request) {
        boolean hold(int[] row) {
            return row[column] >= edges.getFirst() && row[column] < edges.getLast();
        }

        int count() {
            return edges.size() - 1;
        }

        int cell(int[] row) {
            return (int) edges.stream().filter(edge -> edge <= row[column]).count() - 1;
        }

        /** The value that sums and means assume for each value of a cell. */
        double middle(int[] row) {
            int cell = cell(row);
            return (edges.get(cell) + Math.min(edges.get(cell + 1) - 1, UPPER[column])) / 2.0;
        }

        boolean isSingle() {
            return edges.getLast() - edges.getFirst() == count();
        }
    }

    /** Neighbouring cells of a column, as a condition. */
    private record Run(Cells cells, int from, int to) {
        boolean holds(int[] row) {
            int cell = cells.cell(row);
            return cell >= from && cell < to;
        }

        String condition() {
            return cells.column() == KIND
                    ? "{'column':'kind','in':["
                            + IntStream.range(from, to)
                                    .mapToObj(i -> "'" + KINDS.get(i) + "'")
                                    .collect(Collectors.joining(","))
                            + "]}"
                    : "{'column':'" + name(cells) + "','atLeast':"
                            + cells.edges().get(from) + ",'below':"
                            + cells.edges().get(to) + "}";
        }
    }

    /** A question, and its exact numbers in the order of the reply. */
    private record Asked(String question, List<Double> exact) {}

    private final Random random = new Random(47);
    private final List<int[]> rows = new ArrayList<>();

    @Test
    void whatIsAnsweredIsAboutTheRowsInTheCellsOfEveryColumn() throws Exception {
        assertThat(compared(14)).isGreaterThan(300);
    }

    @Tag("full")
    @Test
    void soAreThousandsOfNumbers() throws Exception {
        assertThat(compared(260)).isGreaterThan(5_000);
    }

    /** Compares answers with the rows. Returns how many numbers were compared. */
    private int compared(int synopses) throws Exception {
        String dataset = withRows();
        int numbers = 0;
        for (int i = 0; i < synopses; i++) {
            numbers += compared(dataset);
        }
        return numbers;
    }

    private String withRows() throws Exception {
        String columns = IntStream.range(0, KIND)
                .mapToObj(i -> "{'name':'" + NUMBERS.get(i) + "','type':'integer','lower':0,'upper':" + UPPER[i] + "}")
                .collect(Collectors.joining(","));
        String id = registered(
                quoted("[" + columns + ",{'name':'kind','type':'category','categories':['x','y','z']},"
                        + "{'name':'day','type':'date','lower':'2026-03-01','upper':'2026-03-04'}]"),
                "1000000",
                "add-or-remove-one",
                ",'blocks':{'column':'day','width':'day','rowsKeepTheirBlock':true}");
        for (int day = 0; day < DAYS; day++) {
            StringBuilder csv = new StringBuilder("a,b,c,kind,day,of\n");
            for (int i = 0; i < ROWS_OF_A_DAY; i++) {
                int a = random.nextInt(UPPER[0] + 1);
                int[] row = {
                    a, Math.min(UPPER[1], a + random.nextInt(20)), random.nextInt(UPPER[2] + 1), random.nextInt(3), day
                };
                rows.add(row);
                csv.append(row[0] + "," + row[1] + "," + row[2] + "," + KINDS.get(row[3]) + "," + label(day) + "," + id
                        + "\n");
            }
            String path = "/v1/datasets/" + id + "/blocks/" + label(day) + "/data";
            assertStatus(200, send("PUT", path, csv.toString(), "Content-Type", "text/csv"));
        }
        return id;
    }

    private static String label(int day) {
        return "2026-03-0" + (day + 1);
    }

    private static String quoted(String json) {
        return json.replace('\'', '"');
    }

    private int compared(String dataset) throws Exception {
        List<Cells> columns = columns();
        int together = random.nextInt(Math.min(3, columns.size()) + 1);
        boolean isMeasured = together == 0 && random.nextInt(3) == 0;
        int measured = random.nextInt(KIND);
        int firstDay = random.nextInt(DAYS);
        int lastDay = firstDay + random.nextInt(DAYS - firstDay);
        boolean isFiltered = random.nextInt(3) == 0;
        String bought = "{'epsilon':100"
                + (together > 0 ? ",'marginals':" + together : "")
                + (isMeasured ? ",'measure':{'sum':'" + NUMBERS.get(measured) + "'}" : "")
                + (isFiltered ? ",'where':[{'column':'c','atLeast':2}]" : "")
                + ",'blocks':{'from':'" + label(firstDay) + "','to':'" + label(lastDay) + "'},'columns':["
                + columns.stream().map(Cells::request).collect(Collectors.joining(",")) + "]}";
        List<int[]> within = rows.stream()
                .filter(row -> row[DAY] >= firstDay && row[DAY] <= lastDay)
                .filter(row -> !isFiltered || row[2] >= 2)
                .filter(row -> columns.stream().allMatch(cells -> cells.hold(row)))
                .toList();
        List<Asked> asked = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            List<Cells> some = some(columns, together == 0 ? columns.size() : together);
            asked.add(isMeasured ? sum(some, within, measured) : question(some, within));
        }
        JsonNode reply =
                json(assertStatus(201, postAs(key(), "/v1/datasets/" + dataset + "/synopses", quoted(bought))));
        String questions = asked.stream().map(Asked::question).collect(Collectors.joining(","));
        JsonNode items = json(assertStatus(
                        200,
                        postAs(
                                key(),
                                "/v1/synopses/" + reply.at("/answer/synopsisId").asString() + "/answers",
                                quoted("{'beta':0.000000001,'questions':[" + questions + "]}"))))
                .get("items");
        for (int i = 0; i < asked.size(); i++) {
            hold(items.get(i), asked.get(i), bought);
        }
        return asked.stream().mapToInt(each -> each.exact().size()).sum();
    }

    private static void hold(JsonNode item, Asked asked, String bought) {
        List<JsonNode> numbers = new ArrayList<>();
        if (item.hasNonNull("value")) {
            numbers.add(item);
        }
        for (String list : List.of("bins", "cells", "quantiles")) {
            item.path(list).forEach(numbers::add);
        }
        assertThat(numbers).hasSameSizeAs(asked.exact());
        for (int i = 0; i < numbers.size(); i++) {
            assertThat(asked.exact().get(i))
                    .as(bought + " " + asked.question() + " " + i + " " + numbers.get(i))
                    .isBetween(
                            numbers.get(i).at("/interval/low").asDouble() - 1e-9,
                            numbers.get(i).at("/interval/high").asDouble() + 1e-9);
            if (asked.question().startsWith("{'count'")) {
                assertThat(numbers.get(i).get("value").asDouble()
                                - asked.exact().get(i))
                        .as(bought + " " + asked.question())
                        .isBetween(-20.0, 20.0);
            }
        }
    }

    /** One to four columns with cells. */
    private List<Cells> columns() {
        List<Cells> columns = new ArrayList<>();
        for (int column = 0; column < KIND; column++) {
            if (random.nextInt(4) > 0) {
                columns.add(cells(column));
            }
        }
        if (columns.isEmpty() || random.nextBoolean()) {
            columns.add(new Cells(KIND, List.of(0, 1, 2, 3), "{'column':'kind'}"));
        }
        Collections.shuffle(columns, random);
        return columns;
    }

    private Cells cells(int column) {
        String name = "{'column':'" + NUMBERS.get(column) + "'";
        int upper = UPPER[column];
        return switch (random.nextInt(5)) {
            case 0 ->
                new Cells(column, IntStream.rangeClosed(0, upper + 1).boxed().toList(), name + "}");
            case 1 -> {
                int step = 2 + random.nextInt(3);
                List<Integer> edges = IntStream.rangeClosed(0, upper / step + 1)
                        .map(i -> i * step)
                        .boxed()
                        .toList();
                yield new Cells(column, edges, name + ",'step':" + step + "}");
            }
            default -> {
                TreeSet<Integer> edges = new TreeSet<>();
                while (edges.size() < 2 + random.nextInt(3)) {
                    edges.add(random.nextInt(upper + 2));
                }
                yield new Cells(column, List.copyOf(edges), name + ",'edges':" + edges + "}");
            }
        };
    }

    private List<Cells> some(List<Cells> columns, int most) {
        List<Cells> some = new ArrayList<>(columns);
        Collections.shuffle(some, random);
        return some.subList(0, 1 + random.nextInt(most));
    }

    private List<Run> runs(List<Cells> columns) {
        return columns.stream()
                .map(cells -> {
                    int from = random.nextInt(cells.count());
                    return new Run(cells, from, from + 1 + random.nextInt(cells.count() - from));
                })
                .toList();
    }

    private static String where(List<Run> runs) {
        return "'where':[" + runs.stream().map(Run::condition).collect(Collectors.joining(",")) + "]";
    }

    private static Stream<int[]> passing(List<Run> runs, List<int[]> within) {
        return within.stream().filter(row -> runs.stream().allMatch(run -> run.holds(row)));
    }

    private Asked sum(List<Cells> columns, List<int[]> within, int measured) {
        List<Run> runs = runs(columns);
        return new Asked(
                "{'sum':{" + where(runs) + "}}",
                List.of(passing(runs, within).mapToDouble(row -> row[measured]).sum()));
    }

    private Asked question(List<Cells> columns, List<int[]> within) {
        Cells first = columns.getFirst();
        List<Run> runs = runs(columns);
        List<int[]> chosen = passing(runs, within).toList();
        List<Double> counts = counts(List.of(first), within);
        String column = "'column':'" + name(first) + "'";
        List<Asked> possible = new ArrayList<>(List.of(
                new Asked("{'count':{" + where(runs) + "}}", List.of((double) chosen.size())),
                new Asked("{'histogram':{" + column + "}}", counts),
                new Asked(
                        "{'table':{'columns':["
                                + columns.stream()
                                        .map(cells -> "'" + name(cells) + "'")
                                        .collect(Collectors.joining(","))
                                + "]}}",
                        counts(columns, within))));
        if (first.column() != KIND) {
            Double[] cumulative = counts.toArray(Double[]::new);
            Arrays.parallelPrefix(cumulative, Double::sum);
            possible.add(new Asked("{'cumulative':{" + column + "}}", List.of(cumulative)));
            double sum = chosen.stream().mapToDouble(first::middle).sum();
            possible.add(new Asked("{'sum':{" + column + "," + where(runs) + "}}", List.of(sum)));
            if (!chosen.isEmpty()) {
                possible.add(new Asked("{'mean':{" + column + "," + where(runs) + "}}", List.of(sum / chosen.size())));
                possible.add(new Asked("{'variance':{" + column + "}}", List.of(covariance(first, first, within))));
            }
            if (!within.isEmpty() && first.isSingle()) {
                List<Integer> sorted =
                        within.stream().map(row -> row[first.column()]).sorted().toList();
                possible.add(new Asked(
                        "{'quantile':{" + column + ",'probabilities':[0.25,0.5]}}",
                        Stream.of(0.25, 0.5)
                                .map(p -> (double) sorted.get((int) Math.ceil(p * sorted.size()) - 1))
                                .toList()));
            }
            columns.stream()
                    .skip(1)
                    .filter(other -> other.column() != KIND && !within.isEmpty())
                    .map(other -> new Asked(
                            "{'correlation':{'columns':['" + name(first) + "','" + name(other) + "']}}",
                            List.of(covariance(first, other, within)
                                    / Math.sqrt(covariance(first, first, within) * covariance(other, other, within)))))
                    .filter(asked -> !asked.exact().getFirst().isNaN())
                    .forEach(possible::add);
        }
        return possible.get(random.nextInt(possible.size()));
    }

    private static String name(Cells cells) {
        return cells.column() == KIND ? "kind" : NUMBERS.get(cells.column());
    }

    private static double covariance(Cells one, Cells other, List<int[]> rows) {
        double mean = rows.stream().mapToDouble(one::middle).average().orElseThrow();
        double otherMean = rows.stream().mapToDouble(other::middle).average().orElseThrow();
        return rows.stream()
                .mapToDouble(row -> (one.middle(row) - mean) * (other.middle(row) - otherMean))
                .average()
                .orElseThrow();
    }

    /** The counts of the table of these columns. The cell of the last column changes fastest. */
    private static List<Double> counts(List<Cells> columns, List<int[]> within) {
        int size = columns.stream().mapToInt(Cells::count).reduce(1, (one, other) -> one * other);
        double[] counts = new double[size];
        for (int[] row : within) {
            int place = 0;
            for (Cells cells : columns) {
                place = place * cells.count() + cells.cell(row);
            }
            counts[place]++;
        }
        return IntStream.range(0, size).mapToObj(i -> counts[i]).toList();
    }
}
