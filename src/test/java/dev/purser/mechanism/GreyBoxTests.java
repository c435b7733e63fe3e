package dev.purser.mechanism;

import dev.purser.mechanism.SparseVector.Allocation;
import dev.purser.mechanism.SparseVector.Form;
import dev.purser.mechanism.SparseVector.Release;
import dev.purser.mechanism.SparseVector.Variant;
import dev.purser.noise.RandomBits;
import dev.purser.noise.Rational;
import dev.purser.noise.SeededBits;
import dev.purser.privacy.Grid;
import dev.purser.privacy.Neighborhood;
import dev.purser.privacy.NeighboringRelation;
import dev.purser.privacy.PrivacyUnit;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every listed mechanism on neighbouring datasets with the same random bits: the noise is the same, so two answers
 * differ by what the exact statistics differ by. Over all pairs, the largest difference is the sensitivity that the
 * mechanism states. With a larger difference, the mechanism would lose more than epsilon. With only smaller ones, it
 * would add noise for nothing. Where only positions are released, the exact statistics are compared. At epsilon 100 a
 * noisy count that a mean divides by is exact, except with probability at most 8e-6. If it is exact, the mean tells the
 * noisy sum.
 */
class GreyBoxTests {
    static final List<Mechanisms.Listing> ALL = Mechanisms.ALL;

    private static final int EPSILON = 100;
    private static final String AT_EPSILON = String.valueOf(EPSILON);

    /** Units of rows that are not all the same, tried besides all units of equal rows. */
    private static final int MIXED = 100;

    /**
     * Where a mechanism is looked at: a table of {@link Units#DATA} under a neighbourhood.
     *
     * @param selective whether the table's filter leaves out rows
     */
    private record Place(Neighborhood neighborhood, boolean selective) {
        int table() {
            return selective ? 2 : 0;
        }

        Statistic.Count count() {
            return Statistic.Count.ofAll(table(), selective);
        }

        MeanTarget target(long lower, long upper) {
            return new MeanTarget(table(), selective, lower, upper, neighborhood);
        }
    }

    /**
     * What can be seen of one mechanism.
     *
     * @param stated the stated sensitivity for each distance
     * @param numbers from the exact tables and the bits of a release
     * @param distances of one dataset's numbers from the other's
     * @param data the tables that it reads
     */
    private record Box(
            Mechanism<?> mechanism,
            List<BigDecimal> stated,
            BiFunction<List<Buckets>, RandomBits, List<BigInteger>> numbers,
            Function<List<BigInteger>, List<BigInteger>> distances,
            SmallData data) {
        private Box(
                Mechanism<?> mechanism,
                List<BigDecimal> stated,
                BiFunction<List<Buckets>, RandomBits, List<BigInteger>> numbers,
                Function<List<BigInteger>, List<BigInteger>> distances) {
            this(mechanism, stated, numbers, distances, Units.DATA);
        }
    }

    /** By the name of the mechanism's listing. */
    private static final Map<String, Function<Place, Box>> BOXES = Map.ofEntries(
            entry("laplace-count", place -> count(place, false)),
            entry("gaussian-count", place -> count(place, true)),
            entry("laplace-sum", place -> sum(place, false)),
            entry("gaussian-sum", place -> sum(place, true)),
            entry("laplace-histogram", place -> histogram(place, false)),
            entry("gaussian-histogram", place -> histogram(place, true)),
            entry("laplace-table", place -> table(place, false)),
            entry("gaussian-table", place -> table(place, true)),
            entry("laplace-synopsis", place -> synopsis(place, false)),
            entry("gaussian-synopsis", place -> synopsis(place, true)),
            entry("noisy-max-quantile", GreyBoxTests::quantile),
            entry("above-threshold", place -> positions(ServedMechanisms.aboveThreshold(AT_EPSILON, queries(place)))),
            entry("sparse", place -> positions(sparse(place, Release.INDICES, Allocation.OPTIMAL))),
            entry("sparse-textbook", place -> positions(sparse(place, Release.INDICES, Allocation.TEXTBOOK))),
            entry("sparse-gaps", place -> gapsOrValues(sparse(place, Release.GAPS, Allocation.OPTIMAL))),
            entry("sparse-gaps-textbook", place -> gapsOrValues(sparse(place, Release.GAPS, Allocation.TEXTBOOK))),
            entry("numeric-sparse", place -> gapsOrValues(sparse(place, Release.VALUES, Allocation.OPTIMAL))),
            entry("numeric-sparse-textbook", place -> gapsOrValues(sparse(place, Release.VALUES, Allocation.TEXTBOOK))),
            entry("sparse-restart", place -> positions(sparse(place, Release.INDICES, Variant.RESTART))),
            entry("sparse-gaps-restart", place -> gapsOrValues(sparse(place, Release.GAPS, Variant.RESTART))),
            entry("numeric-sparse-restart", place -> gapsOrValues(sparse(place, Release.VALUES, Variant.RESTART))),
            entry("sparse-one-sided", place -> positions(sparse(place, Release.INDICES, Variant.ONE_SIDED))),
            entry("sparse-gaps-one-sided", place -> gapsOrValues(sparse(place, Release.GAPS, Variant.ONE_SIDED))),
            entry("numeric-sparse-one-sided", place -> gapsOrValues(sparse(place, Release.VALUES, Variant.ONE_SIDED))),
            entry("sparse-adaptive", place -> positions(sparse(place, Release.INDICES, Variant.ADAPTIVE))),
            entry("sparse-gaps-adaptive", place -> gapsOrValues(sparse(place, Release.GAPS, Variant.ADAPTIVE))),
            entry("sum-and-count-mean", GreyBoxTests::sumAndCountMean),
            entry("centered-mean", GreyBoxTests::centeredMean),
            entry("laplace-two-sided-mean", place -> twoSidedMean(place, false)),
            entry("gaussian-two-sided-mean", place -> twoSidedMean(place, true)),
            entry("known-count-mean", GreyBoxTests::knownCountMean),
            entry("auto-clip-mean", GreyBoxTests::autoClipMean),
            entry("local-mean", GreyBoxTests::localMean));

    @ParameterizedTest(name = "{0}")
    @FieldSource("ALL")
    void movesByTheSensitivityItStatesAndNoFurther(Mechanisms.Listing listing) {
        assertThat(BOXES).containsKey(listing.name());
        Function<Place, Box> boxes = Objects.requireNonNull(BOXES.get(listing.name()));
        AuditCases.Served served = Objects.requireNonNull(AuditCases.SERVED.get(listing.name()));
        for (Neighborhood neighborhood : served.under()) {
            look(listing.name(), new Place(neighborhood, false), boxes);
            if (!listing.relation().contains("without a filter")) {
                look(listing.name(), new Place(neighborhood, true), boxes);
            }
        }
    }

    private static void look(String name, Place place, Function<Place, Box> boxes) {
        Box box = boxes.apply(place);
        // A number that no unit moves needs no noise. So Gaussian noise is not stated for it.
        String expected = box.stated().equals(List.of(BigDecimal.ZERO)) ? name.replace("gaussian", "laplace") : name;
        assertThat(box.mechanism().description().name()).isEqualTo(expected);
        List<BigInteger> farthest =
                new ArrayList<>(Collections.nCopies(box.stated().size(), BigInteger.ZERO));
        long seed = 0;
        for (Pair pair : pairs(place.neighborhood())) {
            seed++;
            List<BigInteger> before = numbers(box, pair.rows(), seed);
            List<BigInteger> after = numbers(box, pair.neighbor(), seed);
            assertThat(after).hasSameSizeAs(before);
            List<BigInteger> moves = new ArrayList<>();
            for (int i = 0; i < before.size(); i++) {
                moves.add(after.get(i).subtract(before.get(i)).abs());
            }
            List<BigInteger> distances = box.distances().apply(moves);
            for (int i = 0; i < farthest.size(); i++) {
                farthest.set(i, farthest.get(i).max(distances.get(i)));
            }
        }
        for (int i = 0; i < farthest.size(); i++) {
            assertThat(new BigDecimal(farthest.get(i)))
                    .as("%s, %s, distance %d", name, place, i)
                    .isEqualByComparingTo(box.stated().get(i));
        }
    }

    private static List<BigInteger> numbers(Box box, List<long[]> rows, long seed) {
        return box.numbers().apply(box.data().tables(box.mechanism().statistics(), rows), new SeededBits(seed));
    }

    /** Every unit of equal rows of −2 … 2 in two columns, added or in place of every other, and some mixed units. */
    private static List<Pair> pairs(Neighborhood neighborhood) {
        SplittableRandom random = new SplittableRandom(61);
        List<List<long[]>> units = new ArrayList<>();
        for (long x = -2; x <= 2; x++) {
            for (long y = -2; y <= 2; y++) {
                units.add(Collections.nCopies(neighborhood.unit().maxRows(), new long[] {x, y}));
            }
        }
        List<List<long[]>> before =
                new ArrayList<>(neighborhood.relation() == NeighboringRelation.ADD_OR_REMOVE_ONE ? List.of() : units);
        if (!neighborhood.hasPublicRowCount()) {
            before.add(List.of());
        }
        List<Pair> pairs = new ArrayList<>();
        for (List<long[]> one : before) {
            units.forEach(other -> pairs.add(pair(one, other, random)));
        }
        for (int i = 0; i < MIXED; i++) {
            List<long[]> one = before.size() == 1 ? List.of() : mixed(neighborhood.unit(), random);
            pairs.add(pair(one, mixed(neighborhood.unit(), random), random));
        }
        return pairs;
    }

    private static List<long[]> mixed(PrivacyUnit unit, SplittableRandom random) {
        return random.ints(unit.maxRows(), 0, 25)
                .mapToObj(row -> new long[] {row / 5 - 2, row % 5 - 2})
                .toList();
    }

    private static Pair pair(List<long[]> one, List<long[]> other, SplittableRandom random) {
        // Twenty rows of 2 keep a search for a clip bound from finding less than the declared bound.
        List<long[]> rows = new ArrayList<>(Collections.nCopies(20, new long[] {2, 0}));
        for (int i = random.nextInt(20); i > 0; i--) {
            rows.add(new long[] {random.nextLong(-2, 3), random.nextLong(-2, 3)});
        }
        List<long[]> neighbor = new ArrayList<>(rows);
        rows.addAll(one);
        neighbor.addAll(other);
        return new Pair(rows, neighbor);
    }

    private static BigDecimal steps(Mechanism<?> mechanism, String parameter) {
        return ((Description.InSteps) Objects.requireNonNull(
                        mechanism.description().parameters().get(parameter)))
                .steps();
    }

    private static List<BigDecimal> sensitivity(Mechanism<?> mechanism) {
        return List.of(steps(mechanism, "l1Sensitivity"));
    }

    private static <A> BiFunction<List<Buckets>, RandomBits, List<BigInteger>> released(
            Mechanism<A> mechanism, Function<A, List<BigInteger>> numbers) {
        return (tables, bits) -> numbers.apply(mechanism.release(Sensitive.of(tables), bits));
    }

    private static List<BigInteger> largest(List<BigInteger> moves) {
        return List.of(Collections.max(moves));
    }

    private static List<BigInteger> inAll(List<BigInteger> moves) {
        return List.of(moves.stream().reduce(BigInteger.ZERO, BigInteger::add));
    }

    private static Box count(Place place, boolean gaussian) {
        Mechanism<NoisyStatistic.Answer> mechanism = gaussian
                ? ServedMechanisms.gaussianCount(place.count(), place.neighborhood())
                : ServedMechanisms.count(AT_EPSILON, place.count(), place.neighborhood());
        return number(mechanism);
    }

    private static Box sum(Place place, boolean gaussian) {
        Statistic.ClampedSum sum = new Statistic.ClampedSum(place.table(), place.selective(), -1, 2);
        Mechanism<NoisyStatistic.Answer> mechanism = gaussian
                ? ServedMechanisms.gaussianSum(sum, place.neighborhood())
                : ServedMechanisms.sum(AT_EPSILON, sum, place.neighborhood());
        return number(mechanism);
    }

    private static Box number(Mechanism<NoisyStatistic.Answer> mechanism) {
        return new Box(
                mechanism,
                sensitivity(mechanism),
                released(mechanism, answer -> List.of(answer.steps())),
                Function.identity());
    }

    private static Box histogram(Place place, boolean gaussian) {
        long[] edges = {-2, 0, 1, 3};
        Mechanism<NoisyHistogram.Answer> mechanism = gaussian
                ? ServedMechanisms.gaussianHistogram(place.table(), place.selective(), edges, place.neighborhood())
                : ServedMechanisms.histogram(AT_EPSILON, place.table(), place.selective(), edges, place.neighborhood());
        return new Box(
                mechanism,
                sensitivity(mechanism),
                released(mechanism, NoisyHistogram.Answer::counts),
                GreyBoxTests::inAll);
    }

    /**
     * Five groups, one for each value of the second column. A Laplace part states the sum of all groups' moves. A
     * Gaussian part states the root of the sum of their squares, which is squared here. The first part is a triple, the
     * second part is a sum.
     */
    private static Box table(Place place, boolean gaussian) {
        SmallData data = new SmallData(
                List.of(new SmallData.View(0, row -> !place.selective() || row[1] >= 0, 5, row -> (int) row[1] + 2)));
        NoisyTable.Shape shape = new NoisyTable.Shape(5, place.selective());
        Aggregate.Measure values = new Aggregate.Measure("x", Grid.ONE, 0, -1, 2);
        Aggregate.Measure alone = new Aggregate.Measure("x", Grid.ONE, 0, -1, 1);
        List<Aggregate> aggregates = List.of(
                new Aggregate(Aggregate.Function.VARIANCE, values, 1), new Aggregate(Aggregate.Function.SUM, alone, 1));
        NoisyTable mechanism = gaussian
                ? ServedMechanisms.gaussianTable(aggregates, shape, place.neighborhood())
                : ServedMechanisms.table(AT_EPSILON, aggregates, shape, place.neighborhood());
        List<BigDecimal> stated = new ArrayList<>();
        for (Object part : (List<?>)
                Objects.requireNonNull(mechanism.description().parameters().get("parts"))) {
            Map<?, ?> described = (Map<?, ?>) part;
            BigDecimal ofSteps = (BigDecimal) Objects.requireNonNull(described.get("sensitivity"));
            stated.add(gaussian ? ofSteps.pow(2).setScale(0, RoundingMode.HALF_EVEN) : ofSteps);
        }
        int parts = stated.size();
        return new Box(
                mechanism,
                stated,
                (tables, bits) -> mechanism.measured(tables, IntegerRelease.first(bits)).stream()
                        .flatMap(group -> group.stream().flatMap(List::stream))
                        .toList(),
                moves -> {
                    List<BigInteger> distances = new ArrayList<>(Collections.nCopies(parts, BigInteger.ZERO));
                    for (int i = 0; i < moves.size(); i++) {
                        BigInteger move = gaussian ? moves.get(i).pow(2) : moves.get(i);
                        int part = i % 4 < 3 ? 0 : 1;
                        distances.set(part, distances.get(part).add(move));
                    }
                    return distances;
                },
                data);
    }

    /**
     * Sums of the first column by the values of the second one and by whether they are even, each in a table. A Laplace
     * table states the sum of all cells' moves. A Gaussian table states the root of the sum of their squares, which is
     * squared here.
     */
    private static Box synopsis(Place place, boolean gaussian) {
        SmallData data = new SmallData(List.of(
                new SmallData.View(0, row -> !place.selective() || row[1] >= 0, 5, row -> (int) row[1] + 2),
                new SmallData.View(0, row -> !place.selective() || row[1] >= 0, 2, row -> (int) row[1] & 1)));
        NoisySynopsis.Plan plan = NoisySynopsis.Plan.ofMarginals(List.of(5, 2), 1);
        NoisySynopsis.Contents contents = new NoisySynopsis.Contents(place.selective(), -1, 2);
        NoisySynopsis mechanism = gaussian
                ? ServedMechanisms.gaussianSynopsis(plan, contents, place.neighborhood())
                : ServedMechanisms.synopsis(AT_EPSILON, plan, contents, place.neighborhood());
        List<BigDecimal> stated = mechanism.tables().stream()
                .map(table -> gaussian
                        ? table.spread()
                                .pow(2)
                                .multiply(new BigDecimal(String.valueOf(table.rho())))
                                .multiply(BigDecimal.TWO)
                        : table.spread().multiply(new BigDecimal(Objects.requireNonNull(table.epsilon()))))
                .map(sensitivity -> sensitivity.setScale(6, RoundingMode.HALF_EVEN))
                .toList();
        return new Box(
                mechanism,
                stated,
                (tables, bits) -> mechanism.measured(tables, IntegerRelease.first(bits)).stream()
                        .flatMap(table -> Arrays.stream(table).mapToObj(BigInteger::valueOf))
                        .toList(),
                moves -> {
                    List<BigInteger> squared =
                            gaussian ? moves.stream().map(move -> move.pow(2)).toList() : moves;
                    return List.of(
                            inAll(squared.subList(0, 5)).getFirst(),
                            inAll(squared.subList(5, 7)).getFirst());
                },
                data);
    }

    /** Draws compare distances between n/4 and the rows below each point: here in quarters of a rank. */
    private static Box quantile(Place place) {
        QuantilePoints points = QuantilePoints.between(place.table(), place.selective(), -2, 2, 1);
        NoisyMaxQuantile mechanism =
                ServedMechanisms.quantile(AT_EPSILON, points, Rational.of(1, 4), place.neighborhood());
        // 2Δ over half of epsilon, and 2Δ over a quarter of epsilon. Scales are in whole ranks.
        Map<String, Object> stated = mechanism.description().parameters();
        BigDecimal ofValue =
                ((BigDecimal) Objects.requireNonNull(stated.get("valueScale"))).multiply(BigDecimal.valueOf(EPSILON));
        BigDecimal ofEnds = ((BigDecimal) Objects.requireNonNull(stated.get("endScale")))
                .multiply(BigDecimal.valueOf(EPSILON))
                .divide(BigDecimal.TWO);
        return new Box(
                mechanism,
                List.of(ofValue, ofEnds),
                (tables, bits) -> {
                    BigInteger[] below = points.below(tables);
                    List<BigInteger> ranks = new ArrayList<>();
                    for (int i = 1; i < below.length - 1; i++) {
                        ranks.add(below[below.length - 1].subtract(below[i].shiftLeft(2)));
                    }
                    return ranks;
                },
                moves -> List.of(Collections.max(moves), Collections.max(moves)));
    }

    /** Queries of both directions and two kinds. All of them are always above the threshold. */
    private static ThresholdQueries queries(Place place) {
        Statistic.Count above = new Statistic.Count(place.table(), place.selective(), 0, Statistic.NO_UPPER_END);
        List<Statistic> statistics = List.of(
                above,
                new Statistic.NegatedCount(above),
                new Statistic.ClampedSum(place.table(), place.selective(), -1, 2));
        return new ThresholdQueries(
                statistics,
                Collections.nCopies(statistics.size(), BigInteger.ONE),
                BigInteger.valueOf(-1_000),
                place.neighborhood());
    }

    private static Mechanism<SparseVector.Answer> sparse(Place place, Release release, Allocation allocation) {
        return sparse(place, new Form(release, allocation, Variant.AUTOMATIC));
    }

    private static Mechanism<SparseVector.Answer> sparse(Place place, Release release, Variant variant) {
        return sparse(place, PureMechanisms.optimal(release, variant));
    }

    private static Mechanism<SparseVector.Answer> sparse(Place place, Form form) {
        return ServedMechanisms.sparse(form, AT_EPSILON, queries(place), 3);
    }

    private static Box positions(Mechanism<?> mechanism) {
        return new Box(
                mechanism,
                sensitivity(mechanism),
                (tables, bits) -> mechanism.statistics().stream()
                        .map(statistic -> statistic.of(tables))
                        .toList(),
                GreyBoxTests::largest);
    }

    private static Box gapsOrValues(Mechanism<SparseVector.Answer> mechanism) {
        return new Box(
                mechanism,
                sensitivity(mechanism),
                released(
                        mechanism,
                        answer -> answer.positives().stream()
                                .map(positive -> positive.valueSteps()
                                        .or(positive::gapSteps)
                                        .orElseThrow())
                                .toList()),
                GreyBoxTests::largest);
    }

    // A mean times the exact count is the noisy sum, because the noisy count is exact.

    private static BigInteger times(BigDecimal mean, BigInteger count) {
        return mean.multiply(new BigDecimal(count))
                .setScale(0, RoundingMode.HALF_EVEN)
                .toBigIntegerExact();
    }

    private static BiFunction<List<Buckets>, RandomBits, List<BigInteger>> sumAndCount(
            Mechanism<MeanAnswer> mechanism, Place place) {
        return (tables, bits) -> {
            BigInteger count = place.count().of(tables);
            MeanAnswer answer = mechanism.release(Sensitive.of(tables), bits);
            return List.of(times(answer.meanSteps(), count), count);
        };
    }

    /** A stated scale times the epsilon that it was made for. */
    private static BigDecimal ofScale(BigDecimal scale, String share) {
        return scale.multiply(BigDecimal.valueOf(EPSILON)).multiply(new BigDecimal(share));
    }

    private static BigDecimal countScale(Mechanism<?> mechanism) {
        return (BigDecimal)
                Objects.requireNonNull(mechanism.description().parameters().get("countScale"));
    }

    private static Box sumAndCountMean(Place place) {
        MeanTarget target = place.target(-1, 2);
        Mechanism<MeanAnswer> mechanism = ServedMechanisms.sumAndCountMean(AT_EPSILON, target);
        return new Box(
                mechanism,
                List.of(
                        ofScale(steps(mechanism, "sumScale"), target.hasPublicCount() ? "1" : "0.5"),
                        ofScale(countScale(mechanism), "0.5")),
                sumAndCount(mechanism, place),
                Function.identity());
    }

    private static Box centeredMean(Place place) {
        MeanTarget target = place.target(-1, 2);
        Mechanism<MeanAnswer> mechanism = ServedMechanisms.centeredMean(AT_EPSILON, target);
        return new Box(
                mechanism,
                List.of(
                        // In half steps, because the middle is between two steps.
                        ofScale(steps(mechanism, "sumScale"), target.hasPublicCount() ? "2" : "1.5"),
                        ofScale(countScale(mechanism), "0.25")),
                (tables, bits) -> {
                    BigInteger count = place.count().of(tables);
                    MeanAnswer answer = mechanism.release(Sensitive.of(tables), bits);
                    // Twice the distance from the middle, which is 1/2.
                    BigDecimal fromMiddle =
                            answer.meanSteps().multiply(BigDecimal.TWO).subtract(BigDecimal.ONE);
                    return List.of(times(fromMiddle, count), count);
                },
                Function.identity());
    }

    /** Both sums together. Where the number of rows is public, one sum, from which the other sum follows. */
    private static Box twoSidedMean(Place place, boolean gaussian) {
        MeanTarget target = place.target(-1, 2);
        TwoSidedMean mechanism = gaussian
                ? ServedMechanisms.gaussianTwoSidedMean(target)
                : ServedMechanisms.twoSidedMean(AT_EPSILON, target);
        BigDecimal stated = steps(mechanism, "sensitivity");
        return new Box(
                mechanism,
                List.of(gaussian ? stated.pow(2).setScale(0, RoundingMode.HALF_EVEN) : stated),
                (tables, bits) -> mechanism
                        .table()
                        .measured(tables, IntegerRelease.first(bits))
                        .getFirst()
                        .getFirst()
                        .subList(0, target.hasPublicCount() ? 1 : 2),
                moves -> List.of(moves.stream()
                        .map(move -> gaussian ? move.pow(2) : move)
                        .reduce(BigInteger.ZERO, BigInteger::add)));
    }

    private static Box knownCountMean(Place place) {
        Mechanism<MeanAnswer> mechanism = ServedMechanisms.knownCountMean(AT_EPSILON, place.target(-1, 2));
        return new Box(
                mechanism,
                List.of(ofScale(steps(mechanism, "sumScale"), "1"), countScale(mechanism)),
                sumAndCount(mechanism, place),
                Function.identity());
    }

    /** At epsilon 100 the sign of a value at an end of the range is that end, so the sum of the reports is exact. */
    private static Box localMean(Place place) {
        Mechanism<MeanAnswer> mechanism =
                ServedMechanisms.localMean(AT_EPSILON, LocalMean.Protocol.HARMONY, place.target(0, 1));
        BigDecimal fromEndToEnd = steps(mechanism, "largestContribution").multiply(BigDecimal.TWO);
        return new Box(
                mechanism, List.of(fromEndToEnd, BigDecimal.ZERO), sumAndCount(mechanism, place), Function.identity());
    }

    /**
     * The scales of this mean depend on the bound that it finds. So its statistics are compared: the statistics of the
     * search, and the statistics at that bound.
     */
    private static Box autoClipMean(Place place) {
        MeanTarget target = place.target(0, 2);
        Mechanism<MeanAnswer> mechanism = ServedMechanisms.autoClipMean(AT_EPSILON, target);
        Statistic.Count beyond = new Statistic.Count(place.table(), place.selective(), 2, Statistic.NO_UPPER_END);
        return new Box(
                mechanism,
                Stream.of(target.sum(), target.count(), beyond)
                        .map(statistic -> new BigDecimal(statistic.l1Sensitivity(place.neighborhood())))
                        .toList(),
                (tables, bits) -> {
                    MeanAnswer answer = mechanism.release(Sensitive.of(tables), bits);
                    MeanTarget found = target.clampedTo(answer.clipLowerSteps(), answer.clipUpperSteps());
                    return Stream.of(found.sum(), found.count(), beyond)
                            .map(statistic -> statistic.of(tables))
                            .toList();
                },
                Function.identity());
    }
}
