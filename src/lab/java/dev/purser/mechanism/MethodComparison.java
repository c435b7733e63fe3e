package dev.purser.mechanism;

import dev.purser.lab.Figure;
import dev.purser.mechanism.SparseVector.Allocation;
import dev.purser.mechanism.SparseVector.Form;
import dev.purser.mechanism.SparseVector.Release;
import dev.purser.mechanism.SparseVector.Variant;
import dev.purser.noise.SeededBits;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAllowance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleSupplier;
import java.util.function.Function;

/**
 * Measures the methods of the service and of the notebooks on the same data at the same epsilon, and writes the tables
 * into {@code docs/mechanisms.md}, with a picture beside them. Seeds are fixed, so the figures are the same every time.
 */
public final class MethodComparison {
    private static final Path PAGE = Path.of("docs/mechanisms.md");
    private static final Path PICTURE = Path.of("docs/mean-errors.svg");
    private static final String BEGIN = "<!-- measured: begin -->\n";
    private static final String END = "<!-- measured: end -->";
    private static final double BETA = 0.05;

    private final NotebookMethods notebook = new NotebookMethods(20_240_501);
    private final SeededBits bits = new SeededBits(20_240_502);
    private final StringBuilder page = new StringBuilder();

    private MethodComparison() {}

    /** Runs all comparisons, about a minute. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        MethodComparison comparison = new MethodComparison();
        comparison.picture();
        comparison.autoClip();
        comparison.means();
        comparison.sparse();
        String text = Files.readString(PAGE);
        int begin = text.indexOf(BEGIN) + BEGIN.length();
        Files.writeString(PAGE, text.substring(0, begin) + comparison.page + text.substring(text.indexOf(END)));
    }

    private void line(String format, Object... values) {
        page.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    private static double rmse(int runs, double truth, DoubleSupplier estimate) {
        double squares = 0;
        for (int i = 0; i < runs; i++) {
            double error = estimate.getAsDouble() - truth;
            squares += error * error;
        }
        return Math.sqrt(squares / runs);
    }

    private DoubleSupplier ours(Function<MeanTarget, Mechanism<MeanAnswer>> method, MeanTarget target, long[] values) {
        Mechanism<MeanAnswer> mechanism = method.apply(target);
        Sensitive<List<Buckets>> exact = SmallData.ONE_COLUMN.sensitive(mechanism, SmallData.rows(values));
        return () -> mechanism.release(exact, bits).meanSteps().doubleValue();
    }

    /** Like capital gains: nine rows in ten are 0, one in two hundred is 99,999, the others have a long tail. */
    private static long[] capitalGains() {
        Random random = new Random(1994);
        long[] values = new long[32_561];
        for (int i = 0; i < values.length; i++) {
            double u = random.nextDouble();
            if (u < 0.005) {
                values[i] = 99_999;
            } else if (u < 0.085) {
                values[i] = Math.min(41_310, Math.round(7_300 * Math.exp(0.65 * random.nextGaussian())));
            }
        }
        Arrays.sort(values);
        return values;
    }

    private void autoClip() {
        long[] values = capitalGains();
        double truth = Arrays.stream(values).average().orElseThrow();
        line("### The automatically clipped mean");
        line("");
        line(
                "%,d rows like capital gains: 91.5 %% zeros, 0.5 %% at 99,999, mean %,.1f. Root mean square error of"
                        + " 300 runs.",
                values.length, truth);
        line("Both know [0, 150,000] and nothing else; add-or-remove-one, unit row.");
        line("");
        line("| epsilon | notebook: loss walk of 30,000 bounds, thirds | `auto-clip` | times smaller |");
        line("|---|---|---|---|");
        MeanTarget target = new MeanTarget(0, false, 0, 150_000, SmallData.ADD_OR_REMOVE_ROW);
        for (String epsilon : List.of("0.1", "1", "3")) {
            double theirs = rmse(300, truth, () -> notebook.autoAverage(values, Double.parseDouble(epsilon)));
            double own = rmse(
                    300, truth, ours(each -> new AutoClipMean(Epsilon.parse(epsilon), each, BETA), target, values));
            line("| %s | %.1f | %.1f | %.1f |", epsilon, theirs, own, theirs / own);
        }
        line("");
    }

    /** The errors of 30,000 equal values in [0, 1,000] at epsilon 1, in units of the width over the number of rows. */
    private void picture() throws IOException, InterruptedException {
        Epsilon one = Epsilon.parse("1");
        MeanTarget added = new MeanTarget(0, false, 0, 1_000, SmallData.ADD_OR_REMOVE_ROW);
        MeanTarget replaced = new MeanTarget(0, false, 0, 1_000, SmallData.REPLACE_ROW);
        Map<String, List<Figure.Point>> lines = new LinkedHashMap<>();
        long[] values = new long[30_000];
        for (int percent : new int[] {1, 2, 5, 10, 20, 30, 50}) {
            Arrays.fill(values, 10L * percent);
            Map<String, DoubleSupplier> methods = new LinkedHashMap<>();
            methods.put(
                    "two-sided",
                    ours(each -> new TwoSidedMean(new PrivacyAllowance.Pure(one), each, BETA), added, values));
            methods.put("centered", ours(each -> new CenteredMean(one, each, BETA), added, values));
            methods.put("sum-and-count", ours(each -> new SumAndCountMean(one, each, BETA), added, values));
            methods.put("known-count", ours(each -> new KnownCountMean(one, each, BETA), replaced, values));
            methods.forEach((name, method) -> lines.computeIfAbsent(name, unused -> new ArrayList<>())
                    .add(new Figure.Point(percent, rmse(4_000, values[0], method) * values.length / 1_000)));
        }
        Figure.draw(
                Map.of("a mean at epsilon 1", lines),
                "place of the mean in its range, %",
                "error, widths / rows",
                PICTURE);
    }

    private void means() {
        line("### Means");
        line("");
        line("Values in [0, 1,000], spread evenly over 400 around their mean; epsilon 1; root mean square error in"
                + " thousandths of");
        line("the width, of 4,000 runs. The letters say under which relation the method is private at epsilon 1, "
                + "on this range:");
        line("A add-or-remove-one, R replace-one, – neither.");
        line("");
        line("| n | \\|mean − mid\\| / width | notebook composition (A) | `sum-and-count` (A)"
                + " | notebook normalisation (A) | `centered` (A) | `two-sided` (A) | `auto-clip` (A)"
                + " | notebook clamping (R)"
                + " | `known-count` (R) | notebook resampling (–) |");
        line("|---|---|---|---|---|---|---|---|---|---|---|");
        for (int n : new int[] {100, 1_000, 30_000}) {
            for (int offset : new int[] {0, 100, 300}) {
                meansAt(n, offset);
            }
        }
        line("");
    }

    private void meansAt(int n, int offset) {
        Epsilon one = Epsilon.parse("1");
        long[] values = new long[n];
        for (int i = 0; i < n; i++) {
            values[i] = 500 + offset - 200 + Math.round(400.0 * i / (n - 1));
        }
        long sum = Arrays.stream(values).sum();
        double truth = (double) sum / n;
        MeanTarget added = new MeanTarget(0, false, 0, 1_000, SmallData.ADD_OR_REMOVE_ROW);
        MeanTarget replaced = new MeanTarget(0, false, 0, 1_000, SmallData.REPLACE_ROW);
        List<DoubleSupplier> methods = List.of(
                () -> notebook.composition(sum, n, 0, 1_000, 1),
                ours(target -> new SumAndCountMean(one, target, BETA), added, values),
                () -> notebook.normalised(sum, n, 0, 1_000, 1),
                ours(target -> new CenteredMean(one, target, BETA), added, values),
                ours(target -> new TwoSidedMean(new PrivacyAllowance.Pure(one), target, BETA), added, values),
                ours(target -> new AutoClipMean(one, target, BETA), added, values),
                () -> notebook.clampedWithTrueCount(sum, n, 0, 1_000, 1),
                ours(target -> new KnownCountMean(one, target, BETA), replaced, values),
                () -> notebook.resampled(sum, n, 0, 1_000, 1));
        List<String> errors = new ArrayList<>();
        methods.forEach(method -> errors.add(String.format(Locale.ROOT, "%.3g", rmse(4_000, truth, method))));
        line("| %,d | %.1f | %s |", n, offset / 1_000.0, String.join(" | ", errors));
    }

    private void sparse() {
        line("### Sparse: what is found and how exact its values are");
        line("");
        line("k counts, c of them above the threshold by a margin and the others below it by as much, "
                + "in random order; epsilon 1,");
        line("c positives permitted, add-or-remove-one. Share of the c that is found, and root mean square error of"
                + " the values of");
        line("those found; 300 runs. The last column is priced by rho, at the rho that epsilon 1 costs.");
        line("");
        line("| k | c | margin | notebook: restarts and values, halves | textbook NumericSparse | `optimal`"
                + " | `one-sided` | `optimal` under zcdp |");
        line("|---|---|---|---|---|---|---|---|");
        for (int[] row : new int[][] {{200, 10, 100}, {1_000, 5, 60}, {1_000, 50, 500}}) {
            sparseAt(row[0], row[1], row[2]);
        }
        line("");
    }

    private void sparseAt(int k, int c, int margin) {
        int runs = 300;
        Tally[] tallies = {new Tally(), new Tally(), new Tally(), new Tally(), new Tally()};
        Random random = new Random(k * 31L + c);
        for (int run = 0; run < runs; run++) {
            long[] exact = shuffled(k, c, margin, random);
            tallies[0].add(exact, notebook.sparseThenValues(exact, 1_000, c, 1));
            tallies[1].add(exact, notebook.numericSparse(exact, 1_000, c, 1));
            PrivacyAllowance pure = new PrivacyAllowance.Pure(Epsilon.parse("1"));
            addOurs(tallies[2], exact, c, pure, Variant.AUTOMATIC);
            addOurs(tallies[3], exact, c, pure, Variant.ONE_SIDED);
            addOurs(tallies[4], exact, c, new PrivacyAllowance.Concentrated(Epsilon.parse("1")), Variant.AUTOMATIC);
        }
        List<String> cells = new ArrayList<>();
        for (Tally tally : tallies) {
            cells.add(tally.shown((long) runs * c));
        }
        line("| %,d | %d | %d | %s |", k, c, margin, String.join(" | ", cells));
    }

    private static long[] shuffled(int k, int c, int margin, Random random) {
        long[] exact = new long[k];
        for (int i = 0; i < k; i++) {
            exact[i] = i < c ? 1_000 + margin : 1_000 - margin;
        }
        for (int i = k - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            long kept = exact[i];
            exact[i] = exact[j];
            exact[j] = kept;
        }
        return exact;
    }

    private void addOurs(Tally tally, long[] exact, int c, PrivacyAllowance allowance, Variant variant) {
        // Each count is the number of rows at one value.
        List<Statistic.Count> counts = new ArrayList<>();
        long[] edges = new long[exact.length + 1];
        for (int i = 0; i < exact.length; i++) {
            counts.add(new Statistic.Count(0, false, i, i + 1));
            edges[i + 1] = i + 1;
        }
        Buckets.Builder builder = Buckets.over(edges);
        for (int i = 0; i < exact.length; i++) {
            builder.add(i, exact[i]);
        }
        SparseVector mechanism = new SparseVector(
                allowance,
                ThresholdQueries.ofCounts(counts, 1_000, SmallData.ADD_OR_REMOVE_ROW),
                c,
                new Form(Release.VALUES, Allocation.OPTIMAL, variant),
                BETA);
        mechanism
                .release(Sensitive.of(List.of(builder.build())), bits)
                .positives()
                .forEach(found -> tally.add(
                        exact[found.index()], found.valueSteps().orElseThrow().doubleValue()));
    }

    /** Counts true positives and adds up the squared errors of their values. */
    private static final class Tally {
        private long found;
        private double squares;

        void add(long[] exact, NotebookMethods.Found run) {
            run.positives().stream().forEach(i -> add(exact[i], run.values()[i]));
        }

        void add(long exact, double value) {
            if (exact >= 1_000) {
                found++;
                squares += (value - exact) * (value - exact);
            }
        }

        String shown(long possible) {
            return String.format(
                    Locale.ROOT, "%.3f, %.1f", (double) found / possible, Math.sqrt(squares / Math.max(1, found)));
        }
    }
}
