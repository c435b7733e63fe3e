package dev.purser.collection;

import dev.purser.collection.Protocol.Example;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.local.LocalLaplace;
import dev.purser.local.Position;
import dev.purser.noise.Rational;
import dev.purser.privacy.Epsilon;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static dev.purser.collection.Protocol.WIDTH;
import static dev.purser.collection.Protocol.constant;

/** A report of a number is the number with noise, in grid steps above the lower end of the range. */
final class LaplaceProtocol extends NumbersProtocol {
    /** The probability of a noisy value that is further from the range than this many scales is below e^-64. */
    private static final long MOST_SCALES = 64;

    static final Field<Long> NOISY =
            Field.optional("noisy", type(new LocalLaplace(LEAST, WIDTH)), "Of %s: grid steps above the lower end.");

    LaplaceProtocol() {
        super("laplace", 1, List.of(NOISY));
    }

    private static FieldType<Long> type(LocalLaplace randomizer) {
        long beyond =
                randomizer.scale().times(Rational.of(MOST_SCALES, 1)).ceiling().longValueExact();
        return FieldType.longInteger(-beyond, WIDTH + beyond);
    }

    static ReportForm<BigInteger> form(LocalLaplace randomizer) {
        return ReportForm.of(
                NOISY.of(type(randomizer).then((_, sent) -> Optional.of(BigInteger.valueOf(sent)))), report -> report);
    }

    @Override
    Protocol<?> protocol(Epsilon epsilon, int dimensions) {
        LocalLaplace randomizer = new LocalLaplace(epsilon, WIDTH);
        return new Protocol<>(
                name(),
                epsilon,
                "",
                form(randomizer),
                randomizer,
                Pieces.MAX,
                (sums, reports, beta) -> Estimate.ofNoisy(List.of(randomizer), new long[] {sums[0], reports}, beta),
                Estimate.PROVEN,
                Map.of("width", WIDTH, "epsilon", constant(epsilon, 1), "scale", constant(randomizer.scale())),
                PARTS.stream()
                        .map(part -> new Example<>(
                                Map.<String, Object>of("part", part),
                                bits -> randomizer.report(new Position(part, WIDTH), bits)))
                        .toList());
    }
}
