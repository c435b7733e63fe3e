package dev.purser.mechanism;

import dev.purser.noise.DiscreteLaplace;
import dev.purser.noise.RefinedLaplace;
import dev.purser.privacy.Neighborhood;
import java.util.List;

/** Every slip that an audit has to notice. Each served mechanism has at least one slip. */
final class BrokenTwins {
    private static final String ADD = ", add-or-remove-one, row";
    private static final String REPLACE = ", replace-one, row";

    static final List<BrokenTwin> ALL = List.of(
            new BrokenTwin(
                    "half the noise",
                    DiscreteLaplace.class,
                    "return new DiscreteLaplace(Rational.of(l1Sensitivity).dividedBy(epsilon));",
                    "return new DiscreteLaplace(Rational.of(l1Sensitivity).dividedBy(epsilon.plus(epsilon)));",
                    "laplace-count" + ADD,
                    20_000),
            new BrokenTwin(
                    "a unit is taken for one row",
                    L1Sensitivity.class,
                    ": BigInteger.valueOf(neighborhood.unit().maxRows());",
                    ": BigInteger.ONE;",
                    "laplace-count, add-or-remove-one, unit of up to 2 rows",
                    20_000),
            new BrokenTwin(
                    "noise drawn as a double",
                    DiscreteLaplace.class,
                    "BigInteger magnitude = magnitudes.sample(bits);",
                    "BigInteger magnitude = new java.math.BigDecimal("
                            + "-scale().doubleValue() * Math.log((bits.next(53) + 1) * 0x1p-53)).toBigInteger();",
                    "the low bits of a sum",
                    25_000),
            new BrokenTwin(
                    "a refinement has noise of its own",
                    IntegerRelease.class,
                    "BigInteger value = exact.add(earlier == null ? noise.sample(bits)"
                            + " : refined(exact, noise, earlier));",
                    "BigInteger value = exact.add(noise.sample(bits));",
                    "a count and its refinement",
                    40_000),
            new BrokenTwin(
                    "a refined synopsis has noise of its own",
                    IntegerRelease.class,
                    "IntFunction<BigInteger> drawn = earlier == null ? _ -> noise.sample(bits)"
                            + " : refined(exact, noise, earlier);",
                    "IntFunction<BigInteger> drawn = _ -> noise.sample(bits);",
                    "a synopsis and its refinement",
                    40_000),
            new BrokenTwin(
                    "a refined synopsis takes a released number for its noise",
                    IntegerRelease.class,
                    "return i -> later.sample(BigInteger.valueOf(numbers[i]).subtract(BigInteger.valueOf(exact[i])),"
                            + " bits);",
                    "return i -> later.sample(BigInteger.valueOf(numbers[i]), bits);",
                    "a synopsis and its refinement",
                    40_000),
            new BrokenTwin(
                    "a refinement takes the released integer for its noise",
                    IntegerRelease.class,
                    "return later(before, noise).sample(before.value().subtract(exact), bits);",
                    "return later(before, noise).sample(before.value(), bits);",
                    "a count and its refinement",
                    40_000),
            new BrokenTwin(
                    "a refinement is stored with the scale of what it refines",
                    IntegerRelease.class,
                    "released.add(new ReleasedIntegers.One(value, laplace.scale()));",
                    "released.add(new ReleasedIntegers.One(value, earlier == null ? laplace.scale()"
                            + " : earlier.integers().get(released.size()).scale()));",
                    "a count that is refined twice",
                    40_000),
            new BrokenTwin(
                    "the smaller part of the earlier noise is taken for nothing",
                    RefinedLaplace.class,
                    "BigInteger smaller = smallerOfTwo.sample(bits);",
                    "BigInteger smaller = BigInteger.ZERO;",
                    "a count above and its refinement below",
                    40_000),
            new BrokenTwin(
                    "a refinement is cut as if nothing had been released",
                    RefinedLaplace.class,
                    "isSame ? Rational.ZERO : earlier.times(later).dividedBy(earlier.minus(later)));",
                    "isSame ? Rational.ZERO : later);",
                    "a count and its refinement",
                    40_000),
            inOneBinOnly("a replaced row is in one bin only", "laplace-histogram" + REPLACE, 20_000),
            comparedValue("sparse-gaps", 210_000),
            new BrokenTwin(
                    "how far negatives are below the noisy threshold is released",
                    ThresholdVariant.class,
                    "return new Examined(Optional.empty(), state);",
                    "return new Examined(Optional.of(excess.subtract(state.thresholdOffset())), state);",
                    "gaps of negatives",
                    10_000),
            new BrokenTwin(
                    "half the comparison noise on a general list",
                    ThresholdVariant.class,
                    "return monotone ? 1 : 2;",
                    "return 1;",
                    "ten falling counts and one",
                    280_000),
            new BrokenTwin(
                    "no noise on the threshold",
                    ThresholdSplit.class,
                    "return DiscreteLaplace.calibrated(l1Sensitivity, threshold);",
                    "return DiscreteLaplace.calibrated(BigInteger.ZERO, threshold);",
                    "ten falling counts and one",
                    400_000),
            new BrokenTwin(
                    "comparison noise as for one count",
                    ThresholdVariant.class,
                    "split.comparisonNoise(setting.l1Sensitivity(), factor, positives),",
                    "dev.purser.noise.DiscreteLaplace.calibrated(setting.l1Sensitivity(), epsilon),",
                    "ten rising counts and one",
                    80_000),
            new BrokenTwin(
                    "comparison noise as for one positive",
                    ThresholdSplit.class,
                    "l1Sensitivity.multiply(BigInteger.valueOf((long) factor * maxPositives)), comparisons);",
                    "l1Sensitivity.multiply(BigInteger.valueOf(factor)), comparisons);",
                    "ten counts and three",
                    420_000),
            new BrokenTwin(
                    "threshold and comparisons both take all",
                    ThresholdSplit.class,
                    "Rational half = epsilon.dividedBy(Rational.of(2, 1));",
                    "Rational half = epsilon;",
                    "ten counts and one, textbook",
                    150_000),
            new BrokenTwin(
                    "an added row moves a sum by the width of the range",
                    L1Sensitivity.class,
                    "return rows.multiply(lower.abs().max(upper.abs()));",
                    "return rows.multiply(upper.subtract(lower));",
                    "sum-and-count-mean" + ADD,
                    15_000),
            new BrokenTwin(
                    "half steps are taken for steps",
                    L1Sensitivity.class,
                    "return sum(neighborhood, filtered, width.negate(), width);",
                    "return sum(neighborhood, filtered, width.negate(), width).shiftRight(1);",
                    "centered-mean" + ADD,
                    25_000),
            new BrokenTwin(
                    "units of several rows are taken for rows",
                    Neighborhood.class,
                    "return relation == NeighboringRelation.REPLACE_ONE && unit instanceof PrivacyUnit.Row;",
                    "return relation == NeighboringRelation.REPLACE_ONE;",
                    "a count where one row becomes three",
                    10_000),
            new BrokenTwin(
                    "the filter is not looked at",
                    Statistic.class,
                    "boolean filtered = selective || !isOpenBelow() || !isOpenAbove();",
                    "boolean filtered = !isOpenBelow() || !isOpenAbove();",
                    "laplace-count" + REPLACE,
                    10_000),
            new BrokenTwin(
                    "a range is taken for all rows",
                    Statistic.class,
                    "boolean filtered = selective || !isOpenBelow() || !isOpenAbove();",
                    "boolean filtered = selective;",
                    "above-threshold" + REPLACE,
                    10_000),
            sumOfTheWidth("a sum where one row becomes three"),
            sumOfTheWidth("a sum where a row enters the filter"),
            new BrokenTwin(
                    "the terms of a centred sum are taken for positive",
                    L1Sensitivity.class,
                    "return sum(neighborhood, filtered, width.negate(), width);",
                    "return sum(neighborhood, filtered, BigInteger.ZERO, width);",
                    "centered-mean" + REPLACE,
                    20_000),
            inOneBinOnly("a replaced unit is in one bin only", "a histogram where one row becomes three", 40_000),
            refusedWhenRight("0.1"),
            refusedWhenRight("0.5"),
            new BrokenTwin(
                    "noise is drawn until the mean is in its range",
                    NoisyRatio.class,
                    "BigInteger sum = release.noisy(exactSum, new AdditiveNoise.Laplace(sumNoise));",
                    "BigInteger sum; do { sum = release.noisy(exactSum, new AdditiveNoise.Laplace(sumNoise)); }"
                            + " while (sum.signum() < 0"
                            + " || sum.compareTo(BigInteger.valueOf(target.upper()).multiply(exactCount)) > 0);",
                    "a known count near the end",
                    100_000),
            new BrokenTwin(
                    "the mean takes four times all",
                    AutoClipMean.class,
                    "this.forMean = new PrivacyAllowance.Pure(new Epsilon(4 * epsilon.nanos() / 5));",
                    "this.forMean = new PrivacyAllowance.Pure(new Epsilon(4 * epsilon.nanos()));",
                    "auto-clip-mean" + ADD,
                    70_000),
            new BrokenTwin(
                    "one report counts for all rows of a value",
                    LocalMean.class,
                    "randomizer.add(randomizer.report(value, bits), tally, 0);",
                    "R one = randomizer.report(value, bits); for (; row < rows; row++) { randomizer.add(one, tally, 0);"
                            + " }",
                    "local-mean" + REPLACE,
                    20_000),
            new BrokenTwin(
                    "rows are randomized at twice epsilon",
                    LocalMean.class,
                    "reports = protocol.made.apply(epsilon);",
                    "reports = protocol.made.apply(new Epsilon(2 * epsilon.nanos()));",
                    "a local mean of one row by hybrid",
                    20_000),
            new BrokenTwin(
                    "a private number of reports is taken for public",
                    LocalMean.class,
                    "if (!isPrivateFor(target)) {",
                    "if (false) {",
                    "a local mean where rows are added",
                    20_000),
            new BrokenTwin(
                    "distances in quarters, sensitivity in ranks",
                    NoisyMaxQuantile.class,
                    "BigInteger below = probability.denominator().subtract(above);",
                    "BigInteger below = BigInteger.ONE.subtract(above);",
                    "noisy-max-quantile" + REPLACE,
                    20_000),
            monotoneMax("1"),
            monotoneMax("2"),
            tooMuchRho("gaussian-count"),
            tooMuchRho("gaussian-sum"),
            tooMuchRho("gaussian-histogram"),
            tooMuchRho("gaussian-table"),
            inOneGroupOnly("a replaced row is in one group only", "laplace-table"),
            new BrokenTwin(
                    "a unit's rows are bounded in each group",
                    GroupSensitivity.class,
                    "return new GroupSensitivity(inOneGroup, inOneGroup.pow(2));",
                    "BigInteger m = BigInteger.valueOf(neighborhood.unit().maxRows());"
                            + " return new GroupSensitivity(inOneGroup.divide(m), inOneGroup.pow(2));",
                    "a table where a unit is in three groups",
                    20_000),
            new BrokenTwin(
                    "a unit is in one group only",
                    GroupSensitivity.class,
                    "BigInteger moved = L1Sensitivity.histogram(neighborhood).min(BigInteger.valueOf(groups));",
                    "BigInteger moved = BigInteger.ONE;",
                    "a table of units where a unit is in three groups",
                    20_000),
            new BrokenTwin(
                    "a replaced value moves a sum as a row that goes from one group to another",
                    GroupSensitivity.class,
                    "return new GroupSensitivity(inTwoGroups, squaredInTwoGroups.max(inOneGroup.pow(2)));",
                    "return new GroupSensitivity(inTwoGroups, squaredInTwoGroups);",
                    "a table where a value is replaced",
                    200_000),
            new BrokenTwin(
                    "empty groups get no noise",
                    MeasuredPart.class,
                    "return exact.stream().map(integer -> release.noisy(integer, noise)).toList();",
                    "return exact.stream().map(integer -> integer.signum() == 0 ? integer :"
                            + " release.noisy(integer, noise)).toList();",
                    "a table with a group that may be empty",
                    10_000),
            new BrokenTwin(
                    "both sums are taken to move by half the width at most",
                    TablePart.class,
                    "case PAIR, TRIPLE, CELLS -> GroupSensitivity.ofTotal(neighborhood, total());",
                    "case PAIR, TRIPLE, CELLS -> GroupSensitivity.ofTotal(neighborhood, total().shiftRight(1));",
                    "a table of means",
                    20_000),
            new BrokenTwin(
                    "a replaced value moves both sums by the width",
                    GroupSensitivity.class,
                    "new GroupSensitivity(ofUnit.shiftLeft(1), ofUnit.pow(2).shiftLeft(1));",
                    "new GroupSensitivity(ofUnit, ofUnit.pow(2).shiftLeft(1));",
                    "a mean where a value is replaced",
                    20_000),
            new BrokenTwin(
                    "the products of a triple are counted once",
                    TablePart.class,
                    "case PAIR, TRIPLE, CELLS -> GroupSensitivity.ofTotal(neighborhood, total());",
                    "case PAIR, TRIPLE, CELLS -> GroupSensitivity.ofTotal(neighborhood, total().multiply("
                            + "BigInteger.valueOf(3)).shiftRight(2));",
                    "a table of variances",
                    60_000),
            new BrokenTwin(
                    "a replaced value moves both sums by the width in L2",
                    GroupSensitivity.class,
                    "new GroupSensitivity(ofUnit.shiftLeft(1), ofUnit.pow(2).shiftLeft(1));",
                    "new GroupSensitivity(ofUnit.shiftLeft(1), ofUnit.pow(2));",
                    "a Gaussian mean where a value is replaced",
                    600_000),
            tooMuchRho("gaussian-two-sided-mean"),
            new BrokenTwin(
                    "a unit's rows move a pair as one row",
                    GroupSensitivity.class,
                    "BigInteger ofUnit = BigInteger.valueOf(neighborhood.unit().maxRows()).multiply(total);",
                    "BigInteger ofUnit = total;",
                    "laplace-two-sided-mean, add-or-remove-one, unit of up to 2 rows",
                    40_000),
            new BrokenTwin(
                    "each part of a table takes all",
                    PrivacyShare.class,
                    ".map(claim -> new PrivacyShare(epsilon.times(claim).dividedBy(all), Rho.ZERO))",
                    ".map(claim -> new PrivacyShare(epsilon, Rho.ZERO))",
                    "a variance of a known number of rows",
                    20_000),
            new BrokenTwin(
                    "a sum that shares nothing has the noise of a centred one",
                    TablePart.class,
                    "neighborhood, shape, BigInteger.valueOf(values.lower()), BigInteger.valueOf(values.upper()));",
                    "neighborhood, shape, BigInteger.ZERO, BigInteger.valueOf(values.upper() - values.lower()));",
                    "a table of sums alone",
                    20_000),
            tooMuchRho("gaussian-synopsis"),
            inOneGroupOnly("a replaced row is in one cell only", "laplace-synopsis"),
            eachTakesAll("each level of a tree takes all", "a synopsis of a tree"),
            new BrokenTwin(
                    "shares that overlap are measured as cells",
                    TablePart.class,
                    "Cells all = Cells.of(List.copyOf(measures));",
                    "Cells all = new Cells(column, measures.stream().map(share ->"
                            + " (Statistic.RowsWithin) share.counted()).toList(),"
                            + " Cells.of(List.copyOf(measures)).inside());",
                    "shares of one column",
                    40_000),
            eachTakesAll("each column's table takes all", "laplace-synopsis" + ADD),
            new BrokenTwin(
                    "tables are measured twice and charged once",
                    NoisySynopsis.class,
                    "IntStream.range(0, own.size())",
                    "IntStream.range(0, 2 * own.size()).map(i -> i / 2)",
                    "laplace-synopsis" + ADD,
                    100_000),
            new BrokenTwin(
                    "of no row only the first table is measured",
                    NoisySynopsis.class,
                    "for (Table table : calibrated.tables()) {",
                    "for (Table table : java.util.Arrays.stream(exactCells(collected.getFirst())).sum() > 0"
                            + " ? calibrated.tables() : calibrated.tables().subList(0, 1)) {",
                    "a synopsis whose root may be empty",
                    10_000),
            new BrokenTwin(
                    "least squares reads the exact root",
                    NoisySynopsis.class,
                    "noisy.add(release.noisy(summed(exact, source, table.grain()), table.noise(), MOST));",
                    "long[] nodes = summed(exact, source, table.grain()); noisy.add(nodes.length == 1"
                            + " ? new long[] {3 * nodes[0]} : release.noisy(nodes, table.noise(), MOST));",
                    "a synopsis whose root may be empty",
                    10_000),
            new BrokenTwin(
                    "the filter of a sum is not counted as one",
                    NoisySynopsis.class,
                    "return GroupSensitivity.of(neighborhood, filtered, 2, BigInteger.valueOf(least), most);",
                    "return GroupSensitivity.of(neighborhood, false, 1, BigInteger.valueOf(least), most);",
                    "a synopsis of sums where a row enters the filter",
                    20_000),
            new BrokenTwin(
                    "restarts compare without noise",
                    ThresholdVariant.class,
                    "split.comparisonNoise(setting.l1Sensitivity(), factor, 1),",
                    "split.comparisonNoise(java.math.BigInteger.ZERO, factor, 1),",
                    "sparse-restart" + REPLACE,
                    100_000),
            new BrokenTwin(
                    "one-sided comparison noise as for one monotone positive",
                    OneSidedScan.class,
                    "setting.l1Sensitivity().multiply(BigInteger.valueOf((long) factor * positives)), "
                            + "split.comparisons());",
                    "setting.l1Sensitivity(), split.comparisons());",
                    "sparse-one-sided" + REPLACE,
                    60_000),
            new BrokenTwin(
                    "adaptive comparison noise as for one monotone positive",
                    AdaptiveScan.class,
                    "DiscreteLaplace fine = split.comparisonNoise(setting.l1Sensitivity(), factor, close);",
                    "DiscreteLaplace fine = split.comparisonNoise(setting.l1Sensitivity(), 1, 1);",
                    "sparse-adaptive" + REPLACE,
                    60_000),
            comparedValue("sparse-gaps-restart", 2_400_000),
            comparedValue("sparse-gaps-one-sided", 900_000),
            comparedValue("sparse-gaps-adaptive", 1_200_000),
            new BrokenTwin(
                    "a threshold is drawn for each question",
                    ThresholdVariant.class,
                    "Optional<Positive> found = compare(excess.subtract(state.thresholdOffset()), bits);",
                    "Optional<Positive> found = compare(excess.subtract(drawThreshold(bits)), bits);",
                    "a session of ten counts under one threshold",
                    300_000),
            new BrokenTwin(
                    "a reply hands back the state of before it",
                    InteractiveSparseVector.class,
                    "examined.next());",
                    "state);",
                    "a session with a second positive",
                    150_000),
            new BrokenTwin(
                    "one positive too many",
                    ThresholdVariant.class,
                    "return state.hasEnded() ? 0 : Math.max(0, maxPositives() - state.positives());",
                    "return state.hasEnded() ? 0 : Math.max(0, maxPositives() + 1 - state.positives());",
                    "a session with a second positive",
                    150_000),
            new BrokenTwin(
                    "a reply has the noisy value of the comparison",
                    InteractiveSparseVector.class,
                    "Optional<SparseVectorNoise.Shown> shown = examined.gap().map(gap -> noise.shown(value, gap, bits));",
                    "Optional<SparseVectorNoise.Shown> shown = examined.gap()"
                            + ".map(gap -> noise.shown(value, gap.add(state.thresholdOffset()), bits));",
                    "a session of six sums and a gap",
                    1_000_000),
            new BrokenTwin(
                    "the declared sensitivity is not held against what is asked",
                    ThresholdFamily.class,
                    "&& statistic.l1Sensitivity(neighborhood).multiply(stepFactor).compareTo(l1Sensitivity) <= 0",
                    "",
                    "a session of sums that are more sensitive than declared",
                    20_000),
            new BrokenTwin(
                    "counts that are monotone under one relation are taken for monotone under both",
                    ThresholdFamily.class,
                    "&& (!monotone || neighborhood.relation() == NeighboringRelation.ADD_OR_REMOVE_ONE);",
                    ";",
                    "a session of counts that are declared for added rows, where one is replaced",
                    280_000),
            valuesWithoutNoise("numeric-sparse"),
            valuesWithoutNoise("numeric-sparse-textbook"),
            valuesWithoutNoise("numeric-sparse-restart"),
            valuesWithoutNoise("numeric-sparse-one-sided"));

    private BrokenTwins() {}

    private static BrokenTwin refusedWhenRight(String epsilon) {
        return new BrokenTwin(
                "a private count is taken for public, epsilon " + epsilon,
                KnownCountMean.class,
                "if (!target.hasPublicCount()) {",
                "if (false) {",
                "a known count where rows are added, epsilon " + epsilon,
                35_000);
    }

    private static BrokenTwin sumOfTheWidth(String audit) {
        return new BrokenTwin(
                "a unit that can leave moves a sum by the width of the range, " + audit,
                L1Sensitivity.class,
                ": rows.multiply(upper.max(BigInteger.ZERO).subtract(lower.min(BigInteger.ZERO)));",
                ": rows.multiply(upper.subtract(lower));",
                audit,
                20_000);
    }

    private static BrokenTwin inOneGroupOnly(String slip, String listing) {
        return new BrokenTwin(
                slip,
                GroupSensitivity.class,
                "BigInteger inTwoGroups = ofUnit.shiftLeft(1);",
                "BigInteger inTwoGroups = ofUnit;",
                listing + REPLACE,
                20_000);
    }

    private static BrokenTwin inOneBinOnly(String slip, String audit, int draws) {
        return new BrokenTwin(
                slip,
                L1Sensitivity.class,
                "case REPLACE_ONE -> rows.shiftLeft(1);",
                "case REPLACE_ONE -> rows;",
                audit,
                draws);
    }

    private static BrokenTwin eachTakesAll(String slip, String audit) {
        return new BrokenTwin(
                slip,
                NoisySynopsis.class,
                "share -> AdditiveNoise.laplace(sensitivity.l1(), share.epsilon()));",
                "share -> AdditiveNoise.laplace(sensitivity.l1(), ExactArithmetic.of(allowance.epsilon())));",
                audit,
                20_000);
    }

    private static BrokenTwin monotoneMax(String epsilon) {
        return new BrokenTwin(
                "the noisy maximum of monotone counts on general ones, epsilon " + epsilon,
                NoisyMax.class,
                "Rational scale = Rational.of(l1Sensitivity).times(TWO).dividedBy(epsilon);",
                "Rational scale = Rational.of(l1Sensitivity).dividedBy(epsilon);",
                "noisy max of general counts, epsilon " + epsilon,
                35_000);
    }

    private static BrokenTwin tooMuchRho(String listing) {
        return new BrokenTwin(
                "four times rho, " + listing,
                AdditiveNoise.class,
                "return new Gaussian(DiscreteGaussian.calibrated(squaredL2Sensitivity, ExactArithmetic.of(rho)));",
                "return new Gaussian(DiscreteGaussian.calibrated(squaredL2Sensitivity,"
                        + " ExactArithmetic.of(rho).times(Rational.of(4, 1))));",
                listing + REPLACE,
                200_000);
    }

    /** The value without the public shift of the one-sided variant's threshold, which the audit also takes away. */
    private static BrokenTwin comparedValue(String listing, int draws) {
        return new BrokenTwin(
                "the noisy value of the comparison is released, " + listing,
                ThresholdVariant.class,
                "return new Examined(Optional.of(found.get().gap()), next);",
                "return new Examined(Optional.of(found.get().gap().add(state.thresholdOffset())"
                        + ".subtract(this instanceof OneSidedScan one ? one.shift() : BigInteger.ZERO)), next);",
                listing + ADD,
                draws);
    }

    private static BrokenTwin valuesWithoutNoise(String listing) {
        return new BrokenTwin(
                "values without noise, " + listing,
                SparseVectorNoise.class,
                "BigInteger noise = requireNonNull(values).sample(bits);",
                "BigInteger noise = BigInteger.ZERO;",
                listing + ADD,
                280_000);
    }
}
