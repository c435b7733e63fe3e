package dev.purser.collection;

import dev.purser.json.ObjectReader;
import dev.purser.local.LeveledNoise;
import dev.purser.local.LocalLaplace;
import dev.purser.local.ReportSums;
import dev.purser.privacy.Epsilon;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import static dev.purser.collection.Protocol.WIDTH;
import static dev.purser.collection.Protocol.constant;

/** A report of a number is the number with the noise of its level. The level is public. */
final class MultilevelLaplaceProtocol extends LevelsProtocol {
    MultilevelLaplaceProtocol() {
        super("multilevel-laplace", List.of(EPSILONS, Bounds.RANGE), List.of(ReportForm.LEVEL, LaplaceProtocol.NOISY));
    }

    @Override
    Function<List<Epsilon>, Protocol<?>> furtherFieldsOf(ObjectReader in, Optional<Bounds> range, int levels) {
        in.read(NO_REUSE);
        return this::protocol;
    }

    private Protocol<?> protocol(List<Epsilon> epsilons) {
        List<LocalLaplace> each = epsilons.stream()
                .map(epsilon -> new LocalLaplace(epsilon, WIDTH))
                .toList();
        List<Map<String, String>> levels = each.stream()
                .map(level -> Map.of("epsilon", constant(level.epsilon(), 1), "scale", constant(level.scale())))
                .toList();
        return new Protocol<>(
                name(),
                epsilons.getFirst(),
                "That is the epsilon of the first level; a device of another level spends the epsilon of its own. The"
                        + " level is public and has to be chosen without looking at the value. ",
                ReportForm.both(
                        ReportForm.integer(ReportForm.LEVEL, 1, each.size()),
                        LaplaceProtocol.form(each.getLast()),
                        LeveledNoise::new,
                        LeveledNoise::level,
                        LeveledNoise::steps),
                new LeveledSums(each),
                Pieces.MAX,
                (sums, reports, beta) -> Estimate.ofNoisy(each, sums, beta),
                Estimate.PROVEN,
                Map.of("width", WIDTH, "levels", levels),
                examples(
                        each.size(),
                        (level, position, bits) ->
                                new LeveledNoise(level, each.get(level - 1).report(position, bits))));
    }

    /** The sum and the number of the reports of each level. */
    private record LeveledSums(List<LocalLaplace> levels) implements ReportSums<LeveledNoise> {
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
}
