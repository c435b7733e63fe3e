package dev.purser.mechanism;

import dev.purser.mechanism.CellWeights.Run;
import dev.purser.mechanism.LinearError.Part;
import dev.purser.mechanism.Precision.Measurement;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** Small synopses whose noise scales are drawn, and random questions about them. */
final class SynopsisShapes {
    static final List<Shape> LAPLACE = all(true);
    static final List<Shape> GAUSSIAN = all(false);

    private SynopsisShapes() {}

    /**
     * Columns and what is measured of them.
     *
     * @param divided the columns whose values questions tell apart
     */
    record Shape(
            String name,
            List<Hierarchy> columns,
            List<Measurement> measured,
            DenseLeastSquares dense,
            List<List<Integer>> divided) {
        Shape(String name, List<Hierarchy> columns, List<Measurement> measured, List<List<Integer>> divided) {
            this(name, columns, measured, new DenseLeastSquares(columns, measured), divided);
        }

        Precision precision() {
            return new Precision(columns, measured);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** Trees with and without cells that were added, products of two trees, and tables of three columns. */
    private static List<Shape> all(boolean laplace) {
        SplittableRandom random = new SplittableRandom(36);
        List<Shape> shapes = new ArrayList<>();
        for (int cells : new int[] {1, 2, 3, 4, 5, 7, 16, 17, 18}) {
            for (boolean pure : new boolean[] {true, false}) {
                shapes.add(shape(
                        "tree of %d, %s".formatted(cells, pure ? "wide" : "narrow"),
                        RangeTrees.of(List.of(cells), pure),
                        laplace,
                        List.of(List.of(0), List.of()),
                        random));
            }
        }
        for (List<Integer> cells : List.of(List.of(4, 5), List.of(3, 7), List.of(1, 4))) {
            shapes.add(shape(
                    "product of trees " + cells,
                    RangeTrees.of(cells, false),
                    laplace,
                    List.of(List.of(0, 1), List.of(0), List.of(1), List.of()),
                    random));
        }
        for (int together = 1; together <= 3; together++) {
            shapes.add(shape(
                    "tables of %d of 3 columns".formatted(together),
                    Marginals.of(List.of(2, 3, 4), together),
                    laplace,
                    IntStream.rangeClosed(0, together)
                            .boxed()
                            .flatMap(size -> Marginals.combinations(3, size).stream())
                            .toList(),
                    random));
        }
        shapes.add(twice(shapes.getLast(), random));
        shapes.add(twice(shapes.get(6), random));
        return shapes;
    }

    private static Shape shape(
            String name, Strategy strategy, boolean laplace, List<List<Integer>> divided, SplittableRandom random) {
        List<Measurement> measured = strategy.candidates().stream()
                .map(grain -> measurement(grain, 0.5 + 4 * random.nextDouble(), laplace))
                .toList();
        return new Shape(name, strategy.columns(), measured, divided);
    }

    /** @param spread the scale of discrete Laplace noise or the standard deviation of Gaussian noise */
    static Measurement measurement(Grain grain, double spread, boolean laplace) {
        double cosh = 2 * (Math.cosh(1 / spread) - 1);
        return laplace ? new Measurement(grain, 2 / cosh, spread) : new Measurement(grain, spread * spread, 0);
    }

    /** The same tables again, with other scales. */
    private static Shape twice(Shape shape, SplittableRandom random) {
        List<Measurement> both = new ArrayList<>(shape.measured());
        for (Measurement table : shape.measured()) {
            double spread = 0.5 + 4 * random.nextDouble();
            both.add(measurement(table.grain(), spread, table.laplaceScale() > 0));
        }
        return new Shape(shape.name() + ", bought twice", shape.columns(), both, shape.divided());
    }

    /**
     * A question, and the same question as the weight of every cell.
     *
     * @param divided the columns of its parts
     */
    record Asked(List<Integer> divided, List<Part> parts, double[] cells) {}

    /** Single cells, ranges and several runs, with weights of 1, weights of any sign, and weights of at least 0. */
    static Asked random(Shape shape, List<Integer> divided, DenseLeastSquares dense, SplittableRandom random) {
        boolean single = random.nextInt(3) == 0;
        List<Part> parts = new ArrayList<>();
        List<double[]> weights = new ArrayList<>();
        for (int column : divided) {
            Hierarchy hierarchy = shape.columns().get(column);
            double[] own = switch (random.nextInt(3)) {
                case 0 ->
                    DoubleStream.generate(() -> 1).limit(hierarchy.cells()).toArray();
                case 1 ->
                    random.doubles(hierarchy.cells(), 0, 9).map(Math::rint).toArray();
                default ->
                    random.doubles(hierarchy.cells(), -9, 9).map(Math::rint).toArray();
            };
            boolean ones = DoubleStream.of(own).allMatch(weight -> weight == 1);
            List<Run> runs = runs(hierarchy.cells(), single, random);
            parts.add(new Part(ones ? CellWeights.ones(hierarchy) : CellWeights.of(hierarchy, own), runs));
            double[] taken = new double[hierarchy.nodes(0)];
            runs.forEach(run -> System.arraycopy(own, run.from(), taken, run.from(), run.to() - run.from()));
            weights.add(taken);
        }
        double[] cells = dense.question(cell -> IntStream.range(0, divided.size())
                .mapToDouble(i -> weights.get(i)[cell[divided.get(i)]])
                .reduce(1, (one, other) -> one * other));
        return new Asked(divided, parts, cells);
    }

    private static List<Run> runs(int cells, boolean single, SplittableRandom random) {
        if (single) {
            int cell = random.nextInt(cells);
            return List.of(new Run(cell, cell + 1));
        }
        List<Run> runs = new ArrayList<>();
        int from = random.nextInt(cells);
        while (from < cells && runs.size() < 4) {
            int to = random.nextInt(from + 1, cells + 1);
            runs.add(new Run(from, to));
            from = to + 1 + random.nextInt(3);
        }
        return runs;
    }
}
