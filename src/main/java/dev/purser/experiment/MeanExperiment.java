package dev.purser.experiment;

import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.local.LeveledPosition;
import dev.purser.local.Position;
import dev.purser.noise.RandomBits;
import dev.purser.privacy.Epsilon;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * Estimates means of values in [-1, 1], each many times, and compares the errors. Values are drawn once for a
 * distribution. Reports are drawn anew each time.
 *
 * @param reuse how often HierA uses a report
 */
public record MeanExperiment(
        Data data, List<Epsilon> epsilons, List<Method> methods, List<Integer> reuse, int repetitions)
        implements Experiment {
    private static final long MOST_REPORTS = 500_000_000;
    private static final int BATCH = 1_000;

    private static final Field<List<Double>> VALUES =
            Field.optional("values", FieldType.listOf(UNIT, 1, 10_000).orNone(), "");
    private static final Field<List<Distribution>> DISTRIBUTIONS =
            Experiment.words("distributions", List.of(Distribution.values()));
    private static final Field<Integer> DEVICES = Field.required("devices", FieldType.integer(1, 1_000_000), "");
    private static final Field<List<Method>> METHODS = Experiment.words("methods", Method.OF_MEANS);
    private static final Field<List<Integer>> REUSE = Field.optional(
                    "reuse", FieldType.listOf(FieldType.integer(1, 5), 1, 5).orNone(), "")
            .withDefault(List.of(1));
    private static final Field<Integer> REPETITIONS = Field.required("repetitions", FieldType.integer(2, 10_000), "");

    /**
     * The values whose means are estimated.
     *
     * @param distributions the distributions of generated values; empty where the request brings its own values
     * @param devices how many values are generated for each distribution
     * @param values in grid steps; empty where they are generated
     */
    record Data(List<Distribution> distributions, int devices, List<Long> values) {
        private static Optional<Data> read(ObjectReader in) {
            if (in.has(VALUES)) {
                in.notInThisForm(DISTRIBUTIONS, DEVICES);
                return in.read(VALUES)
                        .map(sent -> new Data(
                                List.of(), 0, sent.stream().map(Data::steps).toList()));
            }
            Optional<List<Distribution>> distributions = in.read(DISTRIBUTIONS);
            Optional<Integer> devices = in.read(DEVICES);
            return distributions.flatMap(known -> devices.map(count -> new Data(known, count, List.of())));
        }

        private static long steps(double value) {
            return Math.round(value * Distribution.STEPS);
        }

        private long size() {
            return values.isEmpty() ? (long) distributions.size() * devices : values.size();
        }

        private String statement() {
            return values.isEmpty()
                    ? devices + " values in [-1, 1], drawn once for a distribution: normal around 0.5 with the standard"
                            + " deviation 0.1, uniform, or exponential from 0 with the mean 0.5; clamped"
                    : values.size() + " values of the request";
        }
    }

    /** Reads a request; empty if a field broke a rule. */
    public static Optional<MeanExperiment> read(ObjectReader in) {
        Optional<Data> data = Data.read(in);
        Optional<List<Epsilon>> epsilons = in.read(EPSILONS);
        Optional<List<Method>> methods = in.read(METHODS);
        Optional<List<Integer>> reuse = in.read(REUSE);
        Optional<Integer> repetitions = in.read(REPETITIONS);
        return Experiment.bounded(
                in,
                in.complete(() -> new MeanExperiment(
                        data.orElseThrow(),
                        epsilons.orElseThrow(),
                        methods.orElseThrow(),
                        reuse.orElseThrow().stream().distinct().toList(),
                        repetitions.orElseThrow())),
                MOST_REPORTS);
    }

    @Override
    public long reports() {
        long cells = methods.stream()
                .mapToLong(method -> method.isHierarchical() ? reuse.size() : Comparison.values().length)
                .sum();
        return cells * epsilons.size() * repetitions * data.size();
    }

    @Override
    public ExperimentResult run(Progress progress, RandomBits bits) {
        List<ErrorRow> rows = new ArrayList<>();
        for (Distribution distribution : data.distributions()) {
            LongStream drawn =
                    LongStream.generate(() -> distribution.value(bits)).limit(data.devices());
            rows.addAll(rows(Method.word(distribution), drawn.toArray(), progress, bits));
        }
        if (!data.values().isEmpty()) {
            LongStream own = data.values().stream().mapToLong(Long::longValue);
            rows.addAll(rows("values", own.toArray(), progress, bits));
        }
        return ExperimentResult.of(statement(), rows);
    }

    private String statement() {
        return "The mean of " + data.statement() + ". Every error is of " + repetitions + " collections with fresh"
                + " reports. HierA has five levels {5e, 4e, 3e, 2e, e} by equal fifths of [-1, 1] from below;"
                + " multilevel-laplace has the same five, or at equal true epsilon five whose largest is that epsilon,"
                + " and draws a level uniformly. Points (piecewise, hybrid) are drawn with an epsilon of at most 10.";
    }

    private List<ErrorRow> rows(String subject, long[] drawn, Progress progress, RandomBits bits) {
        List<ErrorRow> rows = new ArrayList<>();
        for (Comparison comparison : Comparison.values()) {
            for (Epsilon epsilon : epsilons) {
                for (Method method : methods) {
                    if (method.isHierarchical() && comparison == Comparison.EQUAL_TRUE) {
                        rows.addAll(rowsOfHierarchy(rows, epsilon, method));
                        continue;
                    }
                    for (int uses : method.isHierarchical() ? reuse : List.of(1)) {
                        Integer stated = method.isHierarchical() ? uses : null;
                        ErrorRowKey cell = new ErrorRowKey(subject, comparison, epsilon, method, stated);
                        rows.add(
                                row(cell, Collector.ofMeans(method, uses, comparison, epsilon, bits), drawn, progress));
                    }
                }
            }
        }
        return rows;
    }

    /** HierA has the same reports in both comparisons. */
    private static List<ErrorRow> rowsOfHierarchy(List<ErrorRow> rows, Epsilon epsilon, Method method) {
        return rows.stream()
                .filter(row -> row.method().equals(Method.word(method))
                        && row.nominalEpsilon().equals(epsilon))
                .map(row -> row.comparedBy(Comparison.EQUAL_TRUE))
                .toList();
    }

    private ErrorRow row(
            ErrorRowKey cell, Collector<LeveledPosition, Double> collector, long[] drawn, Progress progress) {
        double truth = (double) LongStream.of(drawn).sum() / drawn.length / Distribution.STEPS;
        Errors errors = new Errors();
        for (int repetition = 0; repetition < repetitions; repetition++) {
            long[] tally = new long[collector.tallies()];
            for (int i = 0; i < drawn.length; i++) {
                if (i % BATCH == 0) {
                    progress.advance(Math.min(BATCH, drawn.length - i));
                }
                collector.reports().add(leveled(drawn[i]), tally);
            }
            double error = collector.estimate().of(tally, drawn.length) - truth;
            errors.add(Math.abs(error), error * error);
        }
        return cell.row(errors, collector.epsilon(), null);
    }

    /** A device's level is the fifth of the range that its value is in. */
    private static LeveledPosition leveled(long steps) {
        Position position = Position.clamped(steps, -Distribution.STEPS, Distribution.STEPS);
        return new LeveledPosition(Comparison.level((double) steps / Distribution.STEPS), position);
    }
}
