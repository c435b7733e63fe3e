package dev.purser.collection;

import dev.purser.collection.Protocol.Example;
import dev.purser.json.ObjectReader;
import dev.purser.local.CoordinateReport;
import dev.purser.local.Frequencies;
import dev.purser.local.FrequencyRandomizer;
import dev.purser.local.GeneralizedRandomizedResponse;
import dev.purser.local.HadamardResponse;
import dev.purser.local.HierarchicalAggregator;
import dev.purser.local.Hybrid;
import dev.purser.local.LeveledNoise;
import dev.purser.local.LeveledPosition;
import dev.purser.local.LeveledResponse;
import dev.purser.local.LocalLaplace;
import dev.purser.local.OptimizedLocalHashing;
import dev.purser.local.OptimizedUnaryEncoding;
import dev.purser.local.Piecewise;
import dev.purser.local.Point;
import dev.purser.local.Position;
import dev.purser.local.SampledCoordinates;
import dev.purser.local.SignOrPoint;
import dev.purser.local.Tallied;
import dev.purser.noise.RandomBits;
import dev.purser.noise.Rational;
import dev.purser.noise.SecureBits;
import dev.purser.privacy.Epsilon;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

import static java.util.Map.entry;

/** The hand-written list of the protocols of collections, in three families by what a device's value is. */
final class Protocols {
    /** Grid steps of the range of numbers. A device rounds its value to the nearest. */
    static final long WIDTH = 1 << 16;

    /** A noisy value further from the range than this many scales has a probability below e^-64. */
    private static final long MOST_SCALES = 64;

    /** Of a report that has a bit for each category; its test vectors have some 200 times as many. */
    private static final int MOST_BITS = 1 << 12;

    private static final List<Long> EXAMPLES = List.of(0L, 20_000L, WIDTH / 2, WIDTH);

    /**
     * What a declaration says of levels.
     *
     * @param epsilons of the levels, descending
     * @param levelEpsilon of the report of the level itself, where it is one for all levels; else null
     * @param divisions the grid steps at which the levels' intervals of the range begin, and its end; empty if devices
     *     choose their level otherwise
     * @param reuse at how many levels a report is used
     */
    record Levels(List<Epsilon> epsilons, @Nullable Epsilon levelEpsilon, List<Long> divisions, int reuse) {}

    /** All protocols by name: each reads its fields of a declaration. */
    static final Map<String, Function<ObjectReader, Optional<Declared>>> ALL = new TreeMap<>(Map.ofEntries(
            entry("harmony", in -> Declared.numbers(in, SampledCoordinates.MAX_DIMENSIONS, Protocols::harmony)),
            entry("piecewise", in -> Declared.numbers(in, SampledCoordinates.MAX_DIMENSIONS, Protocols::piecewise)),
            entry("hybrid", in -> Declared.numbers(in, SampledCoordinates.MAX_DIMENSIONS, Protocols::hybrid)),
            entry("laplace", in -> Declared.numbers(in, 1, Protocols::laplace)),
            entry("multilevel-laplace", in -> Declared.levels(in, false, false, Protocols::multilevelLaplace)),
            entry("hiera", in -> Declared.levels(in, true, false, Protocols::hiera)),
            entry("lhp", in -> Declared.levels(in, true, true, Protocols::lhp)),
            entry("grr", in -> Declared.categories(in, Protocols::grr)),
            entry("oue", in -> Declared.categories(in, Protocols::oue)),
            entry("olh", in -> Declared.categories(in, Protocols::olh)),
            entry("hadamard", in -> Declared.categories(in, Protocols::hadamard)),
            entry("frequencies", in -> Declared.categories(in, Protocols::ofLeastVariance))));

    /** Protocols of the gradients of trainings, at one epsilon. */
    static final Map<String, BiFunction<Epsilon, Integer, Protocol<?>>> OF_GRADIENTS = new TreeMap<>(
            Map.of("harmony", Protocols::harmony, "piecewise", Protocols::piecewise, "hybrid", Protocols::hybrid));

    private static Protocol<?> harmony(Epsilon epsilon, int dimensions) {
        return sampled(
                "harmony", SampledCoordinates.harmony(dimensions, epsilon), false, ReportForm.SIGN, Map.of(), "");
    }

    private static Protocol<?> piecewise(Epsilon epsilon, int dimensions) {
        SampledCoordinates<Point> randomizer = SampledCoordinates.piecewise(dimensions, epsilon);
        return sampled("piecewise", randomizer, true, ReportForm.POINT, points((Piecewise) randomizer.each()), "");
    }

    private static Protocol<?> hybrid(Epsilon epsilon, int dimensions) {
        SampledCoordinates<SignOrPoint> randomizer = SampledCoordinates.hybrid(dimensions, epsilon);
        Hybrid each = (Hybrid) randomizer.each();
        Map<String, Object> constants =
                new LinkedHashMap<>(each.points().map(Protocols::points).orElse(Map.of()));
        constants.put("signExponent", text(each.signExponent()));
        return sampled("hybrid", randomizer, true, ReportForm.SIGN_OR_POINT, constants, "");
    }

    private static Map<String, Object> points(Piecewise piecewise) {
        return Map.of("points", Piecewise.POINTS, "band", piecewise.band());
    }

    private static <R> Protocol<List<CoordinateReport<R>>> sampled(
            String name,
            SampledCoordinates<R> randomizer,
            boolean isList,
            ReportForm<R> each,
            Map<String, Object> ownConstants,
            String remark) {
        int dimensions = randomizer.dimensions();
        Map<String, Object> constants = new LinkedHashMap<>();
        constants.put("width", WIDTH);
        constants.put("epsilon", rational(randomizer.epsilon(), randomizer.sampled()));
        if (dimensions > 1) {
            constants.put("dimensions", dimensions);
            constants.put("sampled", randomizer.sampled());
        }
        constants.putAll(ownConstants);
        return new Protocol<>(
                name,
                randomizer.epsilon(),
                remark,
                ReportForm.coordinates(dimensions, randomizer.sampled(), isList, each),
                randomizer,
                (sums, reports, beta) -> Estimate.ofMeans(
                        randomizer.means(sums, reports),
                        randomizer.largestVariance() / reports,
                        reports / randomizer.scale(),
                        beta),
                Estimate.APPROXIMATE,
                constants,
                EXAMPLES.stream().map(part -> example(randomizer, part)).toList());
    }

    private static <R> Example<List<CoordinateReport<R>>> example(SampledCoordinates<R> randomizer, long part) {
        List<Long> parts = IntStream.range(0, randomizer.dimensions())
                .mapToObj(coordinate -> (part + coordinate) % (WIDTH + 1))
                .toList();
        List<Position> positions =
                parts.stream().map(each -> new Position(each, WIDTH)).toList();
        return new Example<>(
                parts.size() == 1 ? Map.of("part", part) : Map.of("parts", parts),
                bits -> randomizer.report(positions, bits));
    }

    private static Protocol<?> laplace(Epsilon epsilon, int dimensions) {
        LocalLaplace randomizer = new LocalLaplace(epsilon, WIDTH);
        return new Protocol<>(
                "laplace",
                epsilon,
                "",
                ReportForm.noisy(leastNoisy(randomizer), mostNoisy(randomizer)),
                randomizer,
                (sums, reports, beta) -> noisy(List.of(randomizer), new long[] {sums[0], reports}, beta),
                Estimate.PROVEN,
                Map.of("width", WIDTH, "epsilon", rational(epsilon, 1), "scale", text(randomizer.scale())),
                EXAMPLES.stream()
                        .map(part -> new Example<>(
                                Map.<String, Object>of("part", part),
                                bits -> randomizer.report(new Position(part, WIDTH), bits)))
                        .toList());
    }

    private static long mostNoisy(LocalLaplace randomizer) {
        return WIDTH
                + randomizer
                        .scale()
                        .times(Rational.of(MOST_SCALES, 1))
                        .ceiling()
                        .longValueExact();
    }

    private static long leastNoisy(LocalLaplace randomizer) {
        return WIDTH - mostNoisy(randomizer);
    }

    private static Protocol<?> multilevelLaplace(Levels levels) {
        List<LocalLaplace> each = levels.epsilons().stream()
                .map(epsilon -> new LocalLaplace(epsilon, WIDTH))
                .toList();
        return new Protocol<>(
                "multilevel-laplace",
                levels.epsilons().getFirst(),
                "That is the epsilon of the first level; a device of another level spends the epsilon of its own. The"
                        + " level is public and has to be chosen without looking at the value. ",
                ReportForm.leveledNoise(each.size(), leastNoisy(each.getLast()), mostNoisy(each.getLast())),
                new LeveledSums(each),
                (sums, reports, beta) -> noisy(each, sums, beta),
                Estimate.PROVEN,
                Map.of(
                        "width",
                        WIDTH,
                        "levels",
                        each.stream()
                                .map(level ->
                                        Map.of("epsilon", rational(level.epsilon(), 1), "scale", text(level.scale())))
                                .toList()),
                leveledExamples(
                        each.size(),
                        (level, position, bits) ->
                                new LeveledNoise(level, each.get(level - 1).report(position, bits))));
    }

    /**
     * The mean of values with noise that does not depend on them, so that its sum's distribution is known.
     *
     * @param sums the sum and the number of the reports of each level
     */
    private static Estimate noisy(List<LocalLaplace> levels, long[] sums, double beta) {
        int[] present = IntStream.range(0, levels.size())
                .filter(level -> sums[2 * level + 1] > 0)
                .toArray();
        long[] counts =
                Arrays.stream(present).mapToLong(level -> sums[2 * level + 1]).toArray();
        double[] scales = Arrays.stream(present)
                .mapToDouble(level -> levels.get(level).scale().doubleValue())
                .toArray();
        double total = 0;
        double variance = 0;
        for (int i = 0; i < present.length; i++) {
            LocalLaplace level = levels.get(present[i]);
            total += level.contributions(sums, 2 * present[i], counts[i]);
            variance += counts[i] * level.largestVariance();
        }
        long reports = LongStream.of(counts).sum();
        double half = 2 * Tails.laplace(scales, counts, beta) / WIDTH / reports;
        return Estimate.within(half, new double[] {total / reports}, variance / reports / reports);
    }

    /** The sum and the number of the reports of each level. */
    private record LeveledSums(List<LocalLaplace> levels) implements Tallied<LeveledNoise> {
        @Override
        public int tallies() {
            return 2 * levels.size();
        }

        @Override
        public void add(LeveledNoise report, long[] tally, int offset) {
            int place = offset + 2 * (report.level() - 1);
            levels.get(report.level() - 1).add(report.steps(), tally, place);
            tally[place + 1] = Math.incrementExact(tally[place + 1]);
        }
    }

    private static Protocol<?> hiera(Levels levels) {
        LeveledResponse randomizer = new LeveledResponse(levels.epsilons());
        return leveled("hiera", levels, levels.epsilons(), randomizer, moreThanItsLevels(levels.epsilons()));
    }

    /** Of a gradient: one coordinate, with the device's own level of it. */
    static Protocol<?> leveledGradient(List<Epsilon> epsilons, int dimensions) {
        LeveledResponse each = new LeveledResponse(epsilons);
        return sampled(
                "hiera-coordinate",
                SampledCoordinates.leveled(each, Collections.nCopies(dimensions, 1)),
                false,
                ReportForm.leveledSign(epsilons.size()),
                Map.of("levels", levels(epsilons, epsilons)),
                moreThanItsLevels(epsilons));
    }

    private static String moreThanItsLevels(List<Epsilon> epsilons) {
        return "This is more than the epsilons of the levels suggest, which are " + epsilons.getFirst()
                + " and below: a report tells of the level and of the value, and the level is randomized by an epsilon"
                + " that depends on it. ";
    }

    private static List<Map<String, String>> levels(List<Epsilon> ofLevels, List<Epsilon> ofSigns) {
        return IntStream.range(0, ofSigns.size())
                .mapToObj(level -> Map.of(
                        "levelEpsilon",
                        rational(ofLevels.get(level), 1),
                        "signEpsilon",
                        rational(ofSigns.get(level), 1)))
                .toList();
    }

    private static Protocol<?> lhp(Levels levels) {
        Epsilon levelEpsilon = Objects.requireNonNull(levels.levelEpsilon());
        return leveled(
                "lhp",
                levels,
                Collections.nCopies(levels.epsilons().size(), levelEpsilon),
                new LeveledResponse(levelEpsilon, levels.epsilons()),
                "This is the epsilon of the level's report, " + levelEpsilon + ", and the largest of the values', "
                        + levels.epsilons().getFirst() + ", together. ");
    }

    private static Protocol<?> leveled(
            String name, Levels levels, List<Epsilon> levelEpsilons, LeveledResponse randomizer, String remark) {
        int count = levels.epsilons().size();
        var aggregator = new HierarchicalAggregator(randomizer, levels.reuse(), new SecureBits());
        Map<String, Object> constants = new LinkedHashMap<>();
        constants.put("width", WIDTH);
        constants.put("levels", levels(levelEpsilons, levels.epsilons()));
        if (!levels.divisions().isEmpty()) {
            constants.put("divisions", levels.divisions());
        }
        return new Protocol<>(
                name,
                randomizer.epsilon(),
                remark,
                ReportForm.leveledSign(count),
                aggregator,
                (sums, reports, beta) -> Estimate.ofMeans(
                        new double[] {aggregator.contributions(sums, 0) / reports},
                        aggregator.largestVariance() / reports,
                        reports,
                        beta),
                Estimate.APPROXIMATE,
                constants,
                leveledExamples(
                        count,
                        (level, position, bits) -> randomizer.report(new LeveledPosition(level, position), bits)));
    }

    /** Reports a number with its level. */
    private interface Leveled<R> {
        R report(int level, Position position, RandomBits bits);
    }

    /** Both ends of the range at each level. */
    private static <R> List<Example<R>> leveledExamples(int levels, Leveled<R> leveled) {
        return IntStream.rangeClosed(1, levels)
                .boxed()
                .flatMap(level -> LongStream.of(0, WIDTH)
                        .mapToObj(part -> new Example<R>(
                                Map.of("part", part, "level", level),
                                bits -> leveled.report(level, new Position(part, WIDTH), bits))))
                .toList();
    }

    private static Protocol<?> grr(Epsilon epsilon, List<String> categories, int maxReportBits) {
        return frequencies(new GeneralizedRandomizedResponse(categories.size(), epsilon), categories);
    }

    private static Protocol<?> oue(Epsilon epsilon, List<String> categories, int maxReportBits) {
        return frequencies(new OptimizedUnaryEncoding(categories.size(), epsilon), categories);
    }

    private static Protocol<?> olh(Epsilon epsilon, List<String> categories, int maxReportBits) {
        return frequencies(new OptimizedLocalHashing(categories.size(), epsilon), categories);
    }

    private static Protocol<?> olh(OptimizedLocalHashing randomizer) {
        return frequencies(
                "olh",
                randomizer,
                ReportForm.hashed(randomizer.values()),
                Map.of("values", randomizer.values(), "prime", OptimizedLocalHashing.PRIME));
    }

    private static Protocol<?> hadamard(Epsilon epsilon, List<String> categories, int maxReportBits) {
        return frequencies(new HadamardResponse(categories.size(), epsilon), categories);
    }

    private static Protocol<?> ofLeastVariance(Epsilon epsilon, List<String> categories, int maxReportBits) {
        return frequencies(Frequencies.ofLeastVariance(epsilon, categories.size(), maxReportBits), categories);
    }

    private static Protocol<?> frequencies(FrequencyRandomizer<?> randomizer, List<String> categories) {
        return switch (randomizer) {
            case GeneralizedRandomizedResponse grr ->
                frequencies("grr", grr, ReportForm.category(categories), Map.of());
            case OptimizedUnaryEncoding oue
            when oue.reportBits() > MOST_BITS ->
                throw new IllegalArgumentException("a report has a bit for each category, at most " + MOST_BITS);
            case OptimizedUnaryEncoding oue -> frequencies("oue", oue, ReportForm.bits(categories.size()), Map.of());
            case OptimizedLocalHashing olh -> olh(olh);
            case HadamardResponse hadamard ->
                frequencies(
                        "hadamard",
                        hadamard,
                        ReportForm.rowSign(hadamard.tallies()),
                        Map.of("size", hadamard.tallies()));
        };
    }

    private static <R> Protocol<R> frequencies(
            String name, FrequencyRandomizer<R> randomizer, ReportForm<R> form, Map<String, Object> ownConstants) {
        int categories = randomizer.categories();
        Map<String, Object> constants = new LinkedHashMap<>();
        constants.put("categories", categories);
        constants.put("epsilon", rational(randomizer.epsilon(), 1));
        constants.putAll(ownConstants);
        return new Protocol<>(
                name,
                randomizer.epsilon(),
                "",
                form,
                randomizer,
                (sums, reports, beta) -> Estimate.ofShares(randomizer, sums, reports, beta),
                Estimate.PROVEN,
                constants,
                IntStream.of(0, categories / 2, categories - 1)
                        .mapToObj(category -> new Example<>(
                                Map.<String, Object>of("category", category),
                                bits -> randomizer.report(category, bits)))
                        .toList());
    }

    private static String rational(Epsilon epsilon, int parts) {
        return text(Rational.of(epsilon.nanos(), Epsilon.NANOS_PER_UNIT).dividedBy(Rational.of(parts, 1)));
    }

    private static String text(Rational number) {
        return number.numerator() + "/" + number.denominator();
    }
}
