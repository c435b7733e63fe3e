package dev.purser.mechanism;

import dev.purser.noise.Rational;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The integers of a release, exactly as they were released and before they were rounded or combined, each with the
 * scale of its discrete Laplace noise. They are as public as the answer.
 *
 * <p>An answer that holds tables keeps their numbers itself. Each such table is one integer here: the number of its
 * nodes.
 */
public record ReleasedIntegers(List<One> integers) {
    /**
     * Names the form, and the exact statistics. It is raised when a change of the program computes another exact
     * integer from the same rows and question. Integers that were released before can then not be refined.
     */
    static final String FORM = "1";

    private static final String SCALE = "*";

    /**
     * A released integer.
     *
     * @param scale the scale of its noise, in the same unit
     */
    public record One(BigInteger value, Rational scale) {}

    public ReleasedIntegers {
        integers = List.copyOf(integers);
    }

    /** Whether a mechanism can refine these integers: it has as many, each with Laplace noise of no larger scale. */
    public boolean canBecome(Refinable<?> mechanism) {
        Iterator<One> before = integers.iterator();
        return mechanism
                        .noises()
                        .allMatch(noise ->
                                before.hasNext() && canBecome(before.next().scale(), noise))
                && !before.hasNext();
    }

    private static boolean canBecome(Rational before, AdditiveNoise noise) {
        return noise instanceof AdditiveNoise.Laplace(var laplace)
                && laplace.scale().compareTo(before) <= 0
                && laplace.scale().signum() == before.signum();
    }

    /**
     * As text: the form, then the integers. A scale precedes its integer, unless the integer before has the same scale.
     */
    public byte[] bytes() {
        StringBuilder text = new StringBuilder(FORM);
        Map<Rational, Integer> scales = new LinkedHashMap<>();
        Rational last = null;
        for (One each : integers) {
            if (!each.scale().equals(last)) {
                last = each.scale();
                Integer known = scales.putIfAbsent(last, scales.size());
                text.append(' ').append(SCALE).append(known == null ? last : String.valueOf(known));
            }
            text.append(' ').append(each.value());
        }
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }

    /** Reads {@link #bytes}; empty if they are of another form. */
    public static Optional<ReleasedIntegers> parse(byte[] bytes) {
        String[] words = new String(bytes, StandardCharsets.US_ASCII).split(" ", -1);
        if (!words[0].equals(FORM)) {
            return Optional.empty();
        }
        List<One> integers = new ArrayList<>(words.length);
        List<Rational> scales = new ArrayList<>();
        Rational last = Rational.ZERO;
        for (int i = 1; i < words.length; i++) {
            if (words[i].startsWith(SCALE)) {
                last = scale(words[i].substring(SCALE.length()), scales);
            } else {
                integers.add(new One(new BigInteger(words[i]), last));
            }
        }
        return Optional.of(new ReleasedIntegers(integers));
    }

    /** A scale is written out where it first occurs, and as its place among the scales from then on. */
    private static Rational scale(String word, List<Rational> scales) {
        int slash = word.indexOf('/');
        if (slash < 0) {
            return scales.get(Integer.parseInt(word));
        }
        scales.add(new Rational(new BigInteger(word.substring(0, slash)), new BigInteger(word.substring(slash + 1))));
        return scales.getLast();
    }
}
