package dev.purser.mechanism;

import dev.purser.mechanism.InteractiveSparseVector.Reply;
import dev.purser.mechanism.SparseVector.Allocation;
import dev.purser.mechanism.SparseVector.Form;
import dev.purser.mechanism.SparseVector.Release;
import dev.purser.mechanism.SparseVector.Variant;
import dev.purser.noise.RandomBits;
import dev.purser.noise.SeededBits;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.Neighborhood;
import dev.purser.privacy.PrivacyAllowance;
import dev.purser.privacy.PrivacyEvent;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class InteractiveSparseVectorTests {
    private static final PrivacyAllowance.Pure TWO = new PrivacyAllowance.Pure(Epsilon.parse("2"));
    private static final int THRESHOLD = 5;
    private static final long[] EXACT = {4, 6, 3, 8, 5, 4, 9, 2, 5, 6};
    private static final double BETA = 0.05;

    private static final List<Statistic.Count> COUNTS = SmallData.countsOfEachValue(EXACT.length);

    private static final Sensitive<List<Buckets>> DATA =
            Sensitive.of(SmallData.ONE_COLUMN.tables(List.copyOf(COUNTS), SmallData.rowsOfEachValue(EXACT)));

    private static ThresholdQueries queries(Neighborhood neighborhood) {
        return ThresholdQueries.ofCounts(COUNTS, THRESHOLD, neighborhood);
    }

    private static InteractiveSparseVector mechanism(
            PrivacyAllowance allowance, Neighborhood neighborhood, int maxPositives, Form form) {
        return new InteractiveSparseVector(
                allowance,
                ThresholdFamily.ofCounts(neighborhood),
                BigInteger.valueOf(THRESHOLD),
                maxPositives,
                OptionalInt.of(EXACT.length),
                form,
                BETA);
    }

    private static Reply ask(InteractiveSparseVector mechanism, ScanState state, int i, RandomBits bits) {
        return mechanism.ask(state, COUNTS.get(i), BigInteger.ONE, SmallData.ADD_OR_REMOVE_ROW, DATA, bits);
    }

    static Stream<Form> forms() {
        return PureMechanisms.variants();
    }

    private static List<PrivacyAllowance> allowances() {
        return List.of(
                TWO,
                new PrivacyAllowance.Approximate(Epsilon.parse("2"), Delta.parse("0.000001")),
                new PrivacyAllowance.Concentrated(Epsilon.parse("2")));
    }

    @ParameterizedTest
    @MethodSource("forms")
    void repliesOneByOneAsTheListIsAnswered(Form form) {
        boolean sawHalt = false;
        boolean sawNoHalt = false;
        for (PrivacyAllowance allowance : allowances()) {
            for (Neighborhood neighborhood : List.of(SmallData.ADD_OR_REMOVE_ROW, SmallData.REPLACE_ROW)) {
                for (int c : new int[] {1, 2, 3, 7}) {
                    ThresholdQueries queries = queries(neighborhood);
                    SparseVector list = new SparseVector(allowance, queries, c, form, BETA);
                    InteractiveSparseVector conversation = mechanism(allowance, neighborhood, c, form);
                    ThresholdVariant comparisons = SparseVectorNoise.of(allowance, queries.setting(c), form, BETA)
                            .comparisons();
                    for (int seed = 0; seed < 8; seed++) {
                        Tape tape = new Tape(seed);
                        SparseVector.Answer answer = list.release(DATA, tape);
                        assertThat(conversation(conversation, form.release(), comparisons, queries, tape))
                                .isEqualTo(answer);
                        sawHalt |= answer.halted();
                        sawNoHalt |= !answer.halted();
                    }
                }
            }
        }
        assertThat(sawHalt).isTrue();
        assertThat(sawNoHalt).isTrue();
    }

    /** Asks for each statistic in order, with the bits that the list had. The state is stored between every two. */
    private static SparseVector.Answer conversation(
            InteractiveSparseVector mechanism,
            Release release,
            ThresholdVariant comparisons,
            ThresholdQueries queries,
            Tape tape) {
        tape.rewind(bits -> comparisons.run(queries.exact(DATA.open()), queries.thresholdSteps(), bits));
        ScanState state = mechanism.begin(tape);
        List<SparseVector.Positive> positives = new ArrayList<>();
        int asked = 0;
        while (asked < EXACT.length && mechanism.positivesLeft(state) > 0) {
            ScanState stored = ScanState.ofSecretBytes(state.secretBytes());
            BigInteger excess = BigInteger.valueOf(EXACT[asked] - THRESHOLD);
            tape.valuesAfter(bits -> comparisons.examine(stored, excess, bits));
            Reply reply = mechanism.ask(
                    stored, queries.statistics().get(asked), BigInteger.ONE, queries.neighborhood(), DATA, tape);
            assertThat(reply.valueSteps().isPresent()).isEqualTo(reply.above() && release == Release.VALUES);
            assertThat(reply.gapSteps().isPresent()).isEqualTo(reply.above() && release == Release.GAPS);
            if (reply.above()) {
                positives.add(new SparseVector.Positive(asked, reply.valueSteps(), reply.gapSteps()));
            }
            state = reply.next();
            asked++;
        }
        return new SparseVector.Answer(positives, asked, mechanism.positivesLeft(state) == 0);
    }

    /**
     * Bits that a list drew, drawn again by a conversation. A list draws the noise of all its values after the noise of
     * all comparisons. A conversation draws the noise of a value after the noise of its comparison.
     */
    private static final class Tape implements RandomBits {
        private final SeededBits source;
        private final List<Long> drawn = new ArrayList<>();
        private int comparison;
        private int value;
        private int untilValue = Integer.MAX_VALUE;

        Tape(long seed) {
            source = new SeededBits(seed);
        }

        @Override
        public long next(int count) {
            int place = untilValue-- > 0 ? comparison++ : value++;
            while (drawn.size() <= place) {
                drawn.add(source.next(63));
            }
            return drawn.get(place) >>> (63 - count);
        }

        /** Goes back to the start. The noise of values comes after the noise of all comparisons. */
        void rewind(Consumer<RandomBits> allComparisons) {
            comparison = 0;
            value = drawsOf(allComparisons);
        }

        /** What is drawn after this comparison is the noise of a value. */
        void valuesAfter(Consumer<RandomBits> oneComparison) {
            untilValue = Integer.MAX_VALUE;
            untilValue = drawsOf(oneComparison);
        }

        private int drawsOf(Consumer<RandomBits> something) {
            int start = comparison;
            something.accept(this);
            int draws = comparison - start;
            comparison = start;
            return draws;
        }
    }

    @ParameterizedTest
    @MethodSource("forms")
    void statesWhatTheListStates(Form form) {
        for (PrivacyAllowance allowance : allowances()) {
            for (Neighborhood neighborhood : List.of(SmallData.ADD_OR_REMOVE_ROW, SmallData.REPLACE_ROW)) {
                SparseVector list = new SparseVector(allowance, queries(neighborhood), 3, form, BETA);
                InteractiveSparseVector conversation = mechanism(allowance, neighborhood, 3, form);
                assertThat(conversation.description()).isEqualTo(list.description());
                assertThat(conversation.event()).isEqualTo(list.event());
                assertThat(conversation.intervalHalfWidthSteps()).isEqualTo(list.intervalHalfWidthSteps());
                assertThat(conversation.alphaSteps(EXACT.length)).isEqualTo(list.alphaSteps());
                assertThat(conversation.alphaSteps(1)).isLessThanOrEqualTo(list.alphaSteps());
                assertThat(conversation.alphaSteps(1_000_000)).isGreaterThan(list.alphaSteps());
            }
        }
    }

    @Test
    void comparesTheVariantsAtAThousandStatisticsWhereTheirNumberIsNotLimited() {
        // The better variant changes between 300 and 1000 statistics for 12 positives, and above 1000 for 11.
        assertThat(automatic(12, OptionalInt.of(300))).isEqualTo("sparse");
        assertThat(automatic(12, OptionalInt.of(1_000))).isEqualTo("sparse-restart");
        assertThat(automatic(12, OptionalInt.empty())).isEqualTo("sparse-restart");
        assertThat(automatic(11, OptionalInt.of(1_000))).isEqualTo("sparse");
        assertThat(automatic(11, OptionalInt.of(1_500))).isEqualTo("sparse-restart");
        assertThat(automatic(11, OptionalInt.empty())).isEqualTo("sparse");
    }

    private static String automatic(int maxPositives, OptionalInt maxQueries) {
        return new InteractiveSparseVector(
                        new PrivacyAllowance.Concentrated(Epsilon.parse("4")),
                        ThresholdFamily.ofCounts(SmallData.ADD_OR_REMOVE_ROW),
                        BigInteger.ZERO,
                        maxPositives,
                        maxQueries,
                        PureMechanisms.optimal(Release.INDICES, Variant.AUTOMATIC),
                        BETA)
                .description()
                .name();
    }

    @Test
    void movesTheOneSidedThresholdByTheLargestNumberOfStatistics() {
        Form oneSided = PureMechanisms.optimal(Release.INDICES, Variant.ONE_SIDED);
        ThresholdFamily family = ThresholdFamily.ofCounts(SmallData.ADD_OR_REMOVE_ROW);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new InteractiveSparseVector(
                        TWO, family, BigInteger.ZERO, 1, OptionalInt.empty(), oneSided, BETA))
                .withMessage("the one-sided variant requires a largest number of statistics");
        InteractiveSparseVector few =
                new InteractiveSparseVector(TWO, family, BigInteger.ZERO, 1, OptionalInt.of(2), oneSided, BETA);
        InteractiveSparseVector many =
                new InteractiveSparseVector(TWO, family, BigInteger.ZERO, 1, OptionalInt.of(9_999), oneSided, BETA);
        assertThat(ExactTranscripts.scale(few.description(), "thresholdShift"))
                .isLessThan(ExactTranscripts.scale(many.description(), "thresholdShift"));
    }

    @ParameterizedTest
    @MethodSource("forms")
    void isOverAfterTheLastPermittedPositive(Form form) {
        for (int c = 1; c <= 4; c++) {
            InteractiveSparseVector mechanism = mechanism(TWO, SmallData.ADD_OR_REMOVE_ROW, c, form);
            RandomBits bits = new SeededBits(c);
            for (int round = 0; round < 50; round++) {
                ScanState state = mechanism.begin(bits);
                int positives = 0;
                int most = mechanism.positivesLeft(state);
                assertThat(most).isEqualTo(c);
                for (int i = 0; mechanism.positivesLeft(state) > 0; i++) {
                    Reply reply = ask(mechanism, state, i % EXACT.length, bits);
                    int left = mechanism.positivesLeft(reply.next());
                    assertThat(left).isEqualTo(reply.above() ? Math.min(left, most - 1) : most);
                    if (form.variant() != Variant.ADAPTIVE) {
                        assertThat(left).isEqualTo(reply.above() ? most - 1 : most);
                    }
                    most = left;
                    positives += reply.above() ? 1 : 0;
                    state = reply.next();
                }
                ScanState over = state;
                assertThat(positives).isLessThanOrEqualTo(c);
                if (form.variant() != Variant.ADAPTIVE) {
                    assertThat(positives).isEqualTo(c);
                }
                assertThat(over.hasEnded()).isTrue();
                assertThatIllegalStateException()
                        .isThrownBy(() -> ask(mechanism, over, 0, bits))
                        .withMessage("the scan has ended");
            }
        }
    }

    @Test
    void leavesAnAdaptiveConversationWhatEpsilonStillCovers() {
        Form form = PureMechanisms.optimal(Release.INDICES, Variant.ADAPTIVE);
        // c = 4 gives n = 3 close positives, or six halves of a close positive.
        InteractiveSparseVector mechanism = mechanism(TWO, SmallData.ADD_OR_REMOVE_ROW, 4, form);
        ScanState begun = mechanism.begin(new SeededBits(3));
        assertThat(mechanism.positivesLeft(begun)).isEqualTo(4);
        assertThat(mechanism.positivesLeft(begun.afterPositive(1))).isEqualTo(3);
        assertThat(mechanism.positivesLeft(begun.afterPositive(2))).isEqualTo(3);
        assertThat(mechanism.positivesLeft(begun.afterPositive(2).afterPositive(1)))
                .isEqualTo(2);
        assertThat(mechanism.positivesLeft(begun.afterPositive(2).afterPositive(2)))
                .isEqualTo(1);
        assertThat(mechanism.positivesLeft(
                        begun.afterPositive(2).afterPositive(2).afterPositive(1)))
                .isZero();
        assertThat(mechanism.positivesLeft(begun.ended())).isZero();
    }

    @Test
    void drawsANewThresholdAfterAPositiveOnlyWhereItRestarts() {
        for (Variant variant :
                List.of(Variant.SINGLE_THRESHOLD, Variant.RESTART, Variant.ONE_SIDED, Variant.ADAPTIVE)) {
            InteractiveSparseVector mechanism = mechanism(
                    new PrivacyAllowance.Pure(Epsilon.parse("0.01")),
                    SmallData.ADD_OR_REMOVE_ROW,
                    40,
                    PureMechanisms.optimal(Release.INDICES, variant));
            RandomBits bits = new SeededBits(5);
            ScanState state = mechanism.begin(bits);
            int changes = 0;
            int positives = 0;
            for (int i = 0; i < 30 && mechanism.positivesLeft(state) > 0; i++) {
                Reply reply = ask(mechanism, state, i % EXACT.length, bits);
                boolean changed = !reply.next().hasEnded()
                        && !reply.next().thresholdOffset().equals(state.thresholdOffset());
                assertThat(changed && !reply.above()).isFalse();
                changes += changed ? 1 : 0;
                positives += reply.above() ? 1 : 0;
                state = reply.next();
            }
            assertThat(positives).isPositive();
            assertThat(changes).isEqualTo(variant == Variant.RESTART ? positives : 0);
        }
    }

    @Test
    void refusesWhatTheFamilyDoesNotAdmitAndDrawsNothingForIt() {
        InteractiveSparseVector mechanism = mechanism(
                TWO, SmallData.ADD_OR_REMOVE_ROW, 1, PureMechanisms.optimal(Release.INDICES, Variant.AUTOMATIC));
        ScanState state = mechanism.begin(new SeededBits(1));
        RandomBits none = count -> {
            throw new AssertionError("noise is drawn");
        };
        List<Statistic> refused = List.of(
                new Statistic.NegatedCount(new Statistic.Count(0, false, 0, 1)),
                new Statistic.ClampedSum(0, false, 0, 1),
                new Statistic.ClipLoss(0, false, 0, 1));
        for (Statistic statistic : refused) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() ->
                            mechanism.ask(state, statistic, BigInteger.ONE, SmallData.ADD_OR_REMOVE_ROW, DATA, none))
                    .withMessage("the statistic is not one of the declared family");
        }
        Statistic count = COUNTS.getFirst();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> mechanism.ask(state, count, BigInteger.ONE, SmallData.REPLACE_ROW, DATA, none));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> mechanism.ask(state, count, BigInteger.TWO, SmallData.ADD_OR_REMOVE_ROW, DATA, none));
        assertThatIllegalStateException()
                .isThrownBy(() ->
                        mechanism.ask(state.ended(), count, BigInteger.ONE, SmallData.ADD_OR_REMOVE_ROW, DATA, none));
    }

    @Test
    void refusesAStateThatHasHadMorePositivesThanItPermits() {
        Form form = PureMechanisms.optimal(Release.INDICES, Variant.AUTOMATIC);
        InteractiveSparseVector two = mechanism(TWO, SmallData.ADD_OR_REMOVE_ROW, 2, form);
        for (int positives = 2; positives < 5; positives++) {
            ScanState ofAnother = ScanState.begun(BigInteger.ZERO);
            for (int i = 0; i < positives; i++) {
                ofAnother = ofAnother.afterPositive(1);
            }
            ScanState state = ofAnother;
            assertThat(two.positivesLeft(state)).isZero();
            assertThatIllegalStateException().isThrownBy(() -> ask(two, state, 0, new SeededBits(1)));
        }
    }

    @Test
    void isNotBuiltForTheTextbookOrWithParametersOutOfRange() {
        Form right = PureMechanisms.optimal(Release.INDICES, Variant.AUTOMATIC);
        Form textbook = new Form(Release.INDICES, Allocation.TEXTBOOK, Variant.AUTOMATIC);
        ThresholdFamily family = ThresholdFamily.ofCounts(SmallData.ADD_OR_REMOVE_ROW);
        List<Runnable> attempts = List.of(
                () -> new InteractiveSparseVector(TWO, family, BigInteger.ZERO, 1, OptionalInt.of(1), textbook, BETA),
                () -> new InteractiveSparseVector(TWO, family, BigInteger.ZERO, 0, OptionalInt.of(1), right, BETA),
                () -> new InteractiveSparseVector(TWO, family, BigInteger.ZERO, -1, OptionalInt.empty(), right, BETA),
                () -> new InteractiveSparseVector(TWO, family, BigInteger.ZERO, 1, OptionalInt.of(0), right, BETA),
                () -> new InteractiveSparseVector(TWO, family, BigInteger.ZERO, 1, OptionalInt.of(1), right, 0),
                () -> new InteractiveSparseVector(
                        new PrivacyAllowance.Pure(Epsilon.ZERO),
                        family,
                        BigInteger.ZERO,
                        1,
                        OptionalInt.of(1),
                        right,
                        BETA));
        for (Runnable attempt : attempts) {
            assertThatIllegalArgumentException().isThrownBy(attempt::run);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> mechanism(TWO, SmallData.REPLACE_ROW, 1, right).alphaSteps(0))
                .withMessage("the bound is for at least one statistic");
    }

    @Test
    void comparesSumsInCommonSteps() {
        InteractiveSparseVector mechanism = new InteractiveSparseVector(
                new PrivacyAllowance.Pure(Epsilon.parse("100")),
                ThresholdFamily.ofSums(BigInteger.valueOf(90)),
                BigInteger.valueOf(1_000),
                2,
                OptionalInt.empty(),
                PureMechanisms.optimal(Release.VALUES, Variant.AUTOMATIC),
                BETA);
        Statistic sum = new Statistic.ClampedSum(0, false, 0, 9);
        Sensitive<List<Buckets>> far =
                Sensitive.of(SmallData.ONE_COLUMN.tables(List.of(sum), SmallData.repeated(100, 9)));
        RandomBits bits = new SeededBits(6);
        // The sum is 900 of its own steps. The threshold is 1000 common steps. At one common step each, 900 is below
        // it; at ten, far above.
        Reply below = mechanism.ask(mechanism.begin(bits), sum, BigInteger.ONE, SmallData.REPLACE_ROW, far, bits);
        assertThat(below.above()).isFalse();
        Reply above = mechanism.ask(below.next(), sum, BigInteger.TEN, SmallData.REPLACE_ROW, far, bits);
        assertThat(above.above()).isTrue();
        assertThat(above.valueSteps().orElseThrow())
                .isBetween(BigInteger.valueOf(9_000 - 200), BigInteger.valueOf(9_000 + 200));
    }

    @Test
    void makesASequenceOfOnePositiveEachWhichIsTheRestart() {
        // Positives are paid for one by one: each instance has the noises of one run.
        PrivacyAllowance each = new PrivacyAllowance.Pure(Epsilon.parse("0.5"));
        Form form = PureMechanisms.optimal(Release.GAPS, Variant.RESTART);
        InteractiveSparseVector one = mechanism(each, SmallData.REPLACE_ROW, 1, form);
        InteractiveSparseVector four = mechanism(TWO, SmallData.REPLACE_ROW, 4, form);
        for (String scale : List.of("thresholdScale", "comparisonScale")) {
            assertThat(one.description().parameters().get(scale))
                    .isEqualTo(four.description().parameters().get(scale));
        }
        assertThat(one.event()).isEqualTo(new PrivacyEvent.PureDifferentialPrivacy(Epsilon.parse("0.5")));
        assertThat(one.description().name()).isEqualTo("sparse-gaps");
    }

    @Test
    void hasAProofNoteAndTheNamesOfListedMechanisms() {
        assertThat(Path.of("src/main/java/dev/purser/mechanism/InteractiveSparseVector.md"))
                .isNotEmptyFile()
                .content()
                .contains("**Claim.**", "**Preconditions.**", "**Argument.**");
        List<String> listed =
                Mechanisms.ALL.stream().map(Mechanisms.Listing::name).toList();
        forms().forEach(form -> assertThat(listed)
                .contains(mechanism(TWO, SmallData.REPLACE_ROW, 3, form)
                        .description()
                        .name()));
    }
}
