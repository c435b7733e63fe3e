package dev.purser.collection;

import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.local.HierarchicalAggregator;
import dev.purser.local.LeveledPosition;
import dev.purser.local.LeveledResponse;
import dev.purser.local.LeveledSign;
import dev.purser.noise.SecureBits;
import dev.purser.privacy.Epsilon;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/** A report of a number is a sign with a private level. */
abstract class LeveledSignProtocol extends LevelsProtocol {
    static final Field<List<BigDecimal>> DIVISIONS = Field.optional(
            "divisions",
            divisions(2, MAX_LEVELS),
            "With %s: the ends of the intervals of the range that the levels belong to, ascending, one more"
                    + " than levels. Without them, devices choose their level otherwise.",
            List.of());

    private static FieldType<List<BigDecimal>> divisions(int leastLevels, int mostLevels) {
        return FieldType.listOf(FieldType.NUMBER, leastLevels + 1, mostLevels + 1)
                .orNone();
    }

    LeveledSignProtocol(String name, Field<?>... own) {
        super(
                name,
                Field.all(List.of(EPSILONS, Bounds.RANGE), List.of(own), List.of(DIVISIONS, REUSE)),
                List.of(ReportForm.LEVEL, ReportForm.SIGN));
    }

    /**
     * The randomizer of a declaration.
     *
     * @param levelEpsilons for each level, the epsilon at which the level itself is reported
     * @param remark as in {@link Protocol}
     */
    record Response(LeveledResponse randomizer, List<Epsilon> levelEpsilons, String remark) {}

    /**
     * Reads the fields that only this protocol has. The function that it returns is called if no field broke a rule.
     */
    abstract Function<List<Epsilon>, Response> response(ObjectReader in);

    @Override
    final Function<List<Epsilon>, Protocol<?>> furtherFieldsOf(ObjectReader in, Optional<Bounds> range, int levels) {
        Function<List<Epsilon>, Response> response = response(in);
        Optional<List<Long>> divisions = range.flatMap(known -> divisions(in, known, levels));
        int reuse = in.read(REUSE.of(FieldType.integer(1, levels))).orElse(1);
        return epsilons -> protocol(epsilons, response.apply(epsilons), divisions.orElse(List.of()), reuse);
    }

    /** The grid steps at which the levels' intervals of the range begin, and the end of the range. */
    private static Optional<List<Long>> divisions(ObjectReader in, Bounds range, int levels) {
        if (!in.has(DIVISIONS)) {
            return Optional.empty();
        }
        return in.read(DIVISIONS.of(divisions(levels, levels))).flatMap(sent -> {
            boolean ascend = IntStream.range(1, sent.size())
                    .allMatch(i -> sent.get(i - 1).compareTo(sent.get(i)) < 0);
            boolean isWhole = sent.getFirst().compareTo(range.lower()) == 0
                    && sent.getLast().compareTo(range.upper()) == 0;
            if (!ascend || !isWhole) {
                in.refuse(
                        DIVISIONS,
                        "divisions must ascend from the lower to the upper end of the range, "
                                + range.lower().toPlainString() + " to "
                                + range.upper().toPlainString());
                return Optional.empty();
            }
            return Optional.of(sent.stream().map(range::part).toList());
        });
    }

    /**
     * The protocol of a declaration.
     *
     * @param divisions the ends of the levels' intervals; empty if devices choose their level in another way
     * @param reuse at how many levels a report is used
     */
    private Protocol<?> protocol(List<Epsilon> epsilons, Response response, List<Long> divisions, int reuse) {
        LeveledResponse randomizer = response.randomizer();
        var aggregator = new HierarchicalAggregator(randomizer, reuse, new SecureBits());
        Map<String, Object> constants = new LinkedHashMap<>();
        constants.put("width", Protocol.WIDTH);
        constants.put("levels", levels(response.levelEpsilons(), epsilons));
        if (!divisions.isEmpty()) {
            constants.put("divisions", divisions);
        }
        return new Protocol<>(
                name(),
                randomizer.epsilon(),
                response.remark(),
                form(epsilons.size()),
                aggregator,
                Pieces.MAX,
                (sums, reports, beta) -> Estimate.ofMeans(
                        new double[] {aggregator.contributions(sums, 0) / reports},
                        aggregator.largestVariance() / reports,
                        reports,
                        beta),
                Estimate.APPROXIMATE,
                constants,
                examples(
                        epsilons.size(),
                        (level, position, bits) -> randomizer.report(new LeveledPosition(level, position), bits)));
    }

    static ReportForm<LeveledSign> form(int levels) {
        return ReportForm.both(
                ReportForm.integer(ReportForm.LEVEL, 1, levels),
                ReportForm.OF_SIGN,
                LeveledSign::new,
                LeveledSign::level,
                LeveledSign::sign);
    }

    static List<Map<String, String>> levels(List<Epsilon> ofLevels, List<Epsilon> ofSigns) {
        return IntStream.range(0, ofSigns.size())
                .mapToObj(level -> Map.of(
                        "levelEpsilon", Protocol.constant(ofLevels.get(level), 1),
                        "signEpsilon", Protocol.constant(ofSigns.get(level), 1)))
                .toList();
    }
}
