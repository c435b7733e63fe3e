package dev.purser.mechanism;

import dev.purser.mechanism.SparseVector.Release;
import dev.purser.mechanism.SparseVector.Variant;
import dev.purser.privacy.AuditOutcome;
import dev.purser.privacy.Neighborhood;
import dev.purser.privacy.PrivacyUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

import static java.util.Map.entry;

/**
 * Every audit by name: one for each listed mechanism under each neighbourhood that it is served under, and audits of
 * further pairs of datasets. Each such pair shows a slip that no other pair shows.
 */
final class AuditCases {
    /** All neighbourhoods: both relations, each with a unit of one row and with a unit of several rows. */
    static final List<Neighborhood> NEIGHBORHOODS = List.of(
            SmallData.ADD_OR_REMOVE_ROW, SmallData.REPLACE_ROW, SmallData.addOrRemoveUnit(2), SmallData.replaceUnit(2));

    /**
     * A listed mechanism's audits.
     *
     * @param under the neighbourhoods it is served under
     */
    record Served(Function<Neighborhood, AuditCase> made, List<Neighborhood> under) {}

    /** By the name of the mechanism's listing. {@code MechanismsTests} fails if a listing is missing. */
    static final Map<String, Served> SERVED = Map.ofEntries(
            served("laplace-count", CountAudits::count),
            served("laplace-sum", CountAudits::sum),
            served("laplace-histogram", CountAudits::histogram),
            served("gaussian-count", CountAudits::gaussianCount),
            served("gaussian-sum", CountAudits::gaussianSum),
            served("gaussian-histogram", CountAudits::gaussianHistogram),
            served("laplace-table", TableAudits::counts),
            served("gaussian-table", TableAudits::gaussianCounts),
            served("laplace-synopsis", SynopsisAudits::counts),
            served("gaussian-synopsis", SynopsisAudits::gaussianCounts),
            served("noisy-max-quantile", QuantileAudits::quantile),
            served("above-threshold", ThresholdAudits::aboveThreshold),
            served("sparse", ThresholdAudits::sparse),
            served("sparse-textbook", ThresholdAudits::sparseTextbook),
            served("sparse-gaps", ThresholdAudits::sparseGaps),
            served("sparse-gaps-textbook", ThresholdAudits::sparseGapsTextbook),
            served("numeric-sparse", ThresholdAudits::numericSparse),
            served("numeric-sparse-textbook", ThresholdAudits::numericSparseTextbook),
            served("sparse-restart", place -> ThresholdAudits.indices(place, Variant.RESTART)),
            served("sparse-one-sided", place -> ThresholdAudits.indices(place, Variant.ONE_SIDED)),
            served("sparse-adaptive", place -> ThresholdAudits.indices(place, Variant.ADAPTIVE)),
            served("sparse-gaps-restart", place -> ThresholdAudits.gaps(place, Variant.RESTART)),
            served("sparse-gaps-one-sided", place -> ThresholdAudits.gaps(place, Variant.ONE_SIDED)),
            served("sparse-gaps-adaptive", place -> ThresholdAudits.gaps(place, Variant.ADAPTIVE)),
            served("numeric-sparse-restart", place -> ThresholdAudits.values(place, Variant.RESTART)),
            served("numeric-sparse-one-sided", place -> ThresholdAudits.values(place, Variant.ONE_SIDED)),
            served("sum-and-count-mean", MeanAudits::sumAndCountMean),
            served("centered-mean", MeanAudits::centeredMean),
            served("laplace-two-sided-mean", MeanAudits::twoSidedMean),
            served("gaussian-two-sided-mean", MeanAudits::gaussianTwoSidedMean),
            entry("known-count-mean", new Served(MeanAudits::knownCountMean, List.of(SmallData.REPLACE_ROW))),
            served("auto-clip-mean", MeanAudits::autoClipMean),
            entry("local-mean", new Served(MeanAudits::localMean, List.of(SmallData.REPLACE_ROW))));

    /**
     * Further audits of right mechanisms: of the noisy maximum, which is served only as a part of quantiles, and of
     * local means by the default protocol.
     */
    static final Map<String, Supplier<AuditCase>> PARTS = Map.of(
            "noisy max of general counts, epsilon 1", () -> QuantileAudits.noisyMax("1"),
            "noisy max of general counts, epsilon 2", () -> QuantileAudits.noisyMax("2"),
            "a local mean of one row by hybrid", MeanAudits::localMeanOfOneRow);

    /** Audits of what replacing a unit can do besides changing the unit's values. */
    static final Map<String, Supplier<AuditCase>> UNITS = Map.of(
            "a count where one row becomes three", UnitAudits::countOfAGrowingUnit,
            "a sum where one row becomes three", UnitAudits::sumOfAGrowingUnit,
            "a sum where a row enters the filter", UnitAudits::sumOfARowEnteringTheFilter,
            "a centred mean where one row becomes three", MeanAudits::centeredMeanOfAGrowingUnit,
            "a histogram where one row becomes three", UnitAudits::histogramOfAGrowingUnit,
            "a histogram where a row enters the filter", UnitAudits::histogramOfARowEnteringTheFilter,
            "ranges where one row becomes three", UnitAudits::rangesOfAGrowingUnit);

    /** Audits of tables of groups that measure more than counts, or measure under other conditions. */
    static final Map<String, Supplier<AuditCase>> TABLES = Map.ofEntries(
            Map.entry("a table where a unit is in three groups", TableAudits::aUnitInThreeGroups),
            Map.entry("a table of units where a unit is in three groups", TableAudits::unitsOfThreeGroups),
            Map.entry("a table with a group that may be empty", TableAudits::aGroupThatMayBeEmpty),
            Map.entry("a table where a value is replaced", TableAudits::aValueThatIsReplaced),
            Map.entry("a table of means", TableAudits::aMean),
            Map.entry("a mean where a value is replaced", TableAudits::aMeanOfAReplacedValue),
            Map.entry("a Gaussian mean where a value is replaced", TableAudits::aGaussianMeanOfAReplacedValue),
            Map.entry("a table of variances", TableAudits::aVariance),
            Map.entry("a variance of a known number of rows", TableAudits::aVarianceOfKnownRows),
            Map.entry("a table of sums alone", TableAudits::aSumAlone),
            Map.entry("shares of one column", TableAudits::sharesOfOneColumn));

    /** Audits of what synopses measure besides the counts of each column alone. */
    static final Map<String, Supplier<AuditCase>> SYNOPSES = Map.of(
            "a synopsis of a tree", SynopsisAudits::everyLevelOfATree,
            "a synopsis whose root may be empty", SynopsisAudits::aRootThatMayBeEmpty,
            "a synopsis of sums where a row enters the filter", SynopsisAudits::aSumOfARowEnteringTheFilter);

    /** Audits of answers together with their refinements. */
    static final Map<String, Supplier<AuditCase>> REFINEMENTS = Map.of(
            "a count and its refinement", RefinementAudits::aCount,
            "a count above and its refinement below", RefinementAudits::aCountThatFalls,
            "a count that is refined twice", RefinementAudits::aCountTwice,
            "a synopsis and its refinement", RefinementAudits::aSynopsis);

    /** Audits of conversations. Served conversations have the noises of the listed mechanisms for lists. */
    static final Map<String, Supplier<AuditCase>> SESSIONS = Map.ofEntries(
            entry(
                    "a session of ten counts and one, rows are added",
                    () -> SessionAudits.tenCountsAndOne(SmallData.ADD_OR_REMOVE_ROW)),
            entry(
                    "a session of ten counts and one, units are replaced",
                    () -> SessionAudits.tenCountsAndOne(SmallData.replaceUnit(2))),
            entry("a session of ten falling counts and one", SessionAudits::falling),
            entry("a session of ten rising counts and one", SessionAudits::rising),
            entry("a session of one threshold", () -> SessionAudits.variant(Variant.SINGLE_THRESHOLD)),
            entry("a session of restarts", () -> SessionAudits.variant(Variant.RESTART)),
            entry("a one-sided session", () -> SessionAudits.variant(Variant.ONE_SIDED)),
            entry("an adaptive session", () -> SessionAudits.variant(Variant.ADAPTIVE)),
            entry("a session of ten counts under one threshold", SessionAudits::manyUnderOneThreshold),
            entry("a session of six sums and a value", () -> SessionAudits.sixSumsAndOne(Release.VALUES)),
            entry("a session of six sums and a gap", () -> SessionAudits.sixSumsAndOne(Release.GAPS)));

    private static final Map<String, Supplier<AuditCase>> FURTHER = Map.ofEntries(
            entry("the low bits of a sum", CountAudits::lowBitsOfASum),
            entry("ten falling counts and one", ThresholdAudits::aboveThresholdFalling),
            entry("ten rising counts and one", ThresholdAudits::aboveThresholdRising),
            entry("ten counts and three", ThresholdAudits::sparseAfterTen),
            entry("ten counts and one, textbook", ThresholdAudits::sparseTextbookOfOne),
            entry("gaps of negatives", ThresholdAudits::gapsOfNegatives),
            entry("a session with a second positive", SessionAudits::aSecondPositive),
            entry("a known count near the end", MeanAudits::knownCountMeanNearTheEnd));

    /** Audits of what is refused. No such audit can be made or run unless the refusal is broken. */
    static final Map<String, Supplier<AuditCase>> REFUSED = Map.of(
            "a known count where rows are added, epsilon 0.1",
            () -> MeanAudits.knownCountMeanWhereRowsAreAdded("0.1"),
            "a known count where rows are added, epsilon 0.5",
            () -> MeanAudits.knownCountMeanWhereRowsAreAdded("0.5"),
            "a local mean where rows are added",
            MeanAudits::localMeanWhereRowsAreAdded,
            "a session of sums that are more sensitive than declared",
            SessionAudits::moreSensitiveThanDeclared,
            "a session of counts that are declared for added rows, where one is replaced",
            SessionAudits::fallingAsIfRowsWereAdded);

    private static final Map<String, Supplier<AuditCase>> ALL = all();

    private AuditCases() {}

    private static Map.Entry<String, Served> served(String listing, Function<Neighborhood, AuditCase> made) {
        return entry(listing, new Served(made, NEIGHBORHOODS));
    }

    private static Map<String, Supplier<AuditCase>> all() {
        Map<String, Supplier<AuditCase>> all = new LinkedHashMap<>(FURTHER);
        all.putAll(PARTS);
        all.putAll(UNITS);
        all.putAll(TABLES);
        all.putAll(SYNOPSES);
        all.putAll(REFINEMENTS);
        all.putAll(SESSIONS);
        all.putAll(REFUSED);
        SERVED.forEach((listing, served) -> served.under()
                .forEach(neighborhood ->
                        all.put(name(listing, neighborhood), () -> served.made().apply(neighborhood))));
        return all;
    }

    static String name(String listing, Neighborhood neighborhood) {
        String unit = switch (neighborhood.unit()) {
            case PrivacyUnit.Row row -> "row";
            case PrivacyUnit.Column column -> "unit of up to " + column.maxRows() + " rows";
        };
        return listing + ", " + neighborhood.relation().label() + ", " + unit;
    }

    /**
     * The audits of all listed mechanisms, each under the first neighbourhood that it is served under, and one each of
     * parts, replaced units, tables, synopses, refinements and sessions.
     */
    static List<String> oneOfEach() {
        return Stream.concat(
                        SERVED.entrySet().stream()
                                .map(each -> name(
                                        each.getKey(), each.getValue().under().getFirst())),
                        Stream.of(PARTS, UNITS, TABLES, SYNOPSES, REFINEMENTS, SESSIONS)
                                .map(each -> Collections.min(each.keySet())))
                .sorted()
                .toList();
    }

    /**
     * The audits of all listed mechanisms where units are rows, of their parts, of replaced units, of tables, of
     * synopses, of refinements and of sessions.
     */
    static List<String> ofRows() {
        return ofServed(neighborhood -> neighborhood.unit() instanceof PrivacyUnit.Row);
    }

    /**
     * The audits of all listed mechanisms under all neighbourhoods, of their parts, of replaced units, of tables, of
     * synopses, of refinements and of sessions.
     */
    static List<String> everywhere() {
        return ofServed(neighborhood -> true);
    }

    private static List<String> ofServed(Predicate<Neighborhood> which) {
        List<String> names = new ArrayList<>();
        SERVED.forEach((listing, served) ->
                served.under().stream().filter(which).forEach(neighborhood -> names.add(name(listing, neighborhood))));
        names.addAll(PARTS.keySet());
        names.addAll(UNITS.keySet());
        names.addAll(TABLES.keySet());
        names.addAll(SYNOPSES.keySet());
        names.addAll(REFINEMENTS.keySet());
        names.addAll(SESSIONS.keySet());
        return names.stream().sorted().toList();
    }

    static AuditCase of(String name) {
        return Objects.requireNonNull(ALL.get(name), () -> "no audit has the name " + name)
                .get();
    }

    /** Runs an audit. Returns hits, neighbour's hits and draws, as numbers that mean the same to every class loader. */
    static long[] run(String name, int draws, long seed) {
        return plain(of(name).audit().run(draws, seed));
    }

    /** Runs an audit until it refutes its mechanism. Returns the same numbers as {@link #run}. */
    static long[] runUntilRefuted(String name, int draws, long seed) {
        return plain(of(name).audit().runUntilRefuted(draws, seed));
    }

    private static long[] plain(AuditOutcome outcome) {
        return new long[] {outcome.hits(), outcome.neighborHits(), outcome.draws()};
    }

    static double claimedEpsilon(String name) {
        return of(name).audit().claimedEpsilon();
    }

    static double claimedDelta(String name) {
        return of(name).audit().claimedDelta();
    }
}
