package dev.purser.experiment;

import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.local.GradientDescent;
import dev.purser.local.GradientDescent.Groups;
import dev.purser.local.GradientModel;
import dev.purser.local.LeveledPosition;
import dev.purser.local.Position;
import dev.purser.noise.RandomBits;
import dev.purser.privacy.Epsilon;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Trains linear and logistic models by private gradient descent, each on four of five folds, and compares the errors of
 * the predictions for the fifth. The fold of record i is i modulo 5. In each training a device takes part in one round
 * at most.
 *
 * @param records how many people are generated; 0 where the request brings rows
 * @param rows features, then the target, all of [-1, 1]; empty where they are generated
 */
public record RegressionExperiment(
        int records,
        List<double[]> rows,
        List<GradientModel> models,
        List<Epsilon> epsilons,
        List<Method> methods,
        int repetitions)
        implements Experiment {
    private static final long MOST_REPORTS = 100_000_000;
    private static final int FOLDS = 5;
    private static final GradientDescent DESCENT = new GradientDescent(0.5, 0.001, 2);

    private static final Field<List<double[]>> ROWS = Field.optional(
                    "rows",
                    FieldType.listOf(
                                    FieldType.listOf(UNIT, 2, 21).then((_, row) -> Optional.of(array(row))),
                                    FOLDS,
                                    10_000)
                            .orNone(),
                    "")
            .withDefault(List.of());
    private static final Field<Integer> RECORDS = Field.required("records", FieldType.integer(1_000, 100_000), "");
    private static final Field<List<GradientModel>> MODELS =
            Experiment.words("models", List.of(GradientModel.values()));
    private static final Field<List<Method>> METHODS = Experiment.words("methods", Method.OF_GRADIENTS);
    private static final Field<Integer> REPETITIONS = Field.required("repetitions", FieldType.integer(1, 1_000), "");

    private static double[] array(List<Double> row) {
        return row.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** Reads a request; empty if a field broke a rule. */
    public static Optional<RegressionExperiment> read(ObjectReader in) {
        boolean hasRows = in.has(ROWS);
        Optional<List<double[]>> rows = in.read(ROWS);
        if (rows.filter(sent ->
                        sent.stream().mapToInt(row -> row.length).distinct().count() > 1)
                .isPresent()) {
            in.refuse(ROWS, "rows must all have the same number of elements");
        }
        Optional<Integer> records = hasRows ? Optional.of(0) : in.read(RECORDS);
        if (hasRows) {
            in.notInThisForm(RECORDS);
        }
        Optional<List<GradientModel>> models = in.read(MODELS);
        Optional<List<Epsilon>> epsilons = in.read(EPSILONS);
        Optional<List<Method>> methods = in.read(METHODS);
        Optional<Integer> repetitions = in.read(REPETITIONS);
        return Experiment.bounded(
                in,
                in.complete(() -> new RegressionExperiment(
                        records.orElseThrow(),
                        rows.orElseThrow(),
                        models.orElseThrow(),
                        epsilons.orElseThrow(),
                        methods.orElseThrow(),
                        repetitions.orElseThrow())),
                MOST_REPORTS);
    }

    @Override
    public long reports() {
        // The baseline whose parameters are zero needs no reports.
        long trainings = (long) models.size() * Comparison.values().length * epsilons.size() * (methods.size() + 1);
        return trainings * repetitions * (FOLDS - 1) * Math.max(records, rows.size());
    }

    private List<Method> allMethods() {
        return Stream.concat(methods.stream(), Stream.of(Method.NON_PRIVATE, Method.ZERO))
                .toList();
    }

    @Override
    public ExperimentResult run(Progress progress, RandomBits bits) {
        List<double[]> people = rows.isEmpty()
                ? Stream.generate(() -> Census.person(bits)).limit(records).toList()
                : rows;
        List<ErrorRow> found = new ArrayList<>();
        for (GradientModel model : models) {
            for (Comparison comparison : Comparison.values()) {
                for (Epsilon epsilon : epsilons) {
                    for (Method method : allMethods()) {
                        ErrorRowKey cell = new ErrorRowKey(Method.word(model), comparison, epsilon, method, null);
                        found.add(new Trainings(model, people, cell, progress, bits).row(repetitions));
                    }
                }
            }
        }
        return ExperimentResult.of(statement(), found);
    }

    private String statement() {
        return (rows.isEmpty() ? records + " records. " + Census.STATEMENT : rows.size() + " rows of the request.")
                + " The linear model predicts the target, the logistic one the probability that it is above 0. Five"
                + " folds, " + repetitions + " times; every device reports one gradient. Step " + DESCENT.stepSize()
                + "/sqrt(round), penalty " + DESCENT.penalty() + ", parameters within " + DESCENT.bound()
                + " of 0. A group has max(ceil(2 d ln d / epsilon^2), 1000) devices, d = features + 1, with e at"
                + " nominal and the report's own epsilon at equal true epsilon. Standard errors are over folds and"
                + " repetitions.";
    }

    /** All trainings of one row. */
    private record Trainings(
            GradientModel model, List<double[]> people, ErrorRowKey cell, Progress progress, RandomBits bits) {
        private ErrorRow row(int repetitions) {
            int dimensions = people.getFirst().length;
            var collector = Collector.ofGradients(cell.method(), dimensions, cell.comparison(), cell.nominal(), bits);
            int groupSize = Math.toIntExact(
                    GradientDescent.groupSize(dimensions, cell.comparison().epsilon(cell.nominal())));
            Errors errors = new Errors();
            Groups groups = new Groups(0, 0);
            for (int run = 0; run < repetitions * FOLDS; run++) {
                List<double[]> train = new ArrayList<>();
                List<double[]> test = new ArrayList<>();
                for (int i = 0; i < people.size(); i++) {
                    (i % FOLDS == run % FOLDS ? test : train).add(people.get(i));
                }
                if (cell.method() != Method.ZERO) {
                    groups = Groups.of(train.size(), groupSize);
                    progress.advance(groups.unusedReports());
                }
                measure(test, trained(train, collector, groups.rounds(), groupSize), errors);
            }
            return cell.row(errors, collector.epsilon(), groups);
        }

        private double[] trained(
                List<double[]> train,
                Collector<List<LeveledPosition>, double[]> collector,
                long rounds,
                int groupSize) {
            double[] parameters = new double[people.getFirst().length];
            for (int round = 1; round <= rounds; round++) {
                progress.advance(groupSize);
                long[] tally = new long[collector.tallies()];
                for (double[] person : train.subList((round - 1) * groupSize, round * groupSize)) {
                    collector.reports().add(gradient(person, parameters), tally);
                }
                parameters =
                        DESCENT.next(parameters, round, collector.estimate().of(tally, groupSize));
            }
            return parameters;
        }

        /** The level of a coordinate is the level of its feature. The intercept's feature is 1. */
        private List<LeveledPosition> gradient(double[] person, double[] parameters) {
            double[] features = features(person);
            List<Position> positions = GradientModel.positions(model.gradient(features, target(person), parameters));
            return IntStream.range(0, positions.size())
                    .mapToObj(j -> new LeveledPosition(
                            Comparison.level(j < features.length ? features[j] : 1), positions.get(j)))
                    .toList();
        }

        private void measure(List<double[]> test, double[] parameters, Errors errors) {
            double absolute = 0;
            double squared = 0;
            for (double[] person : test) {
                double error = model.prediction(features(person), parameters) - target(person);
                absolute += Math.abs(error);
                squared += error * error;
            }
            errors.add(absolute / test.size(), squared / test.size());
        }

        private static double[] features(double[] person) {
            return Arrays.copyOf(person, person.length - 1);
        }

        private double target(double[] person) {
            double sent = person[person.length - 1];
            return switch (model) {
                case LINEAR -> sent;
                case LOGISTIC -> sent > 0 ? 1 : 0;
            };
        }
    }
}
