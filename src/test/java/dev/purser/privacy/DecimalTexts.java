package dev.purser.privacy;

import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.Random;

/**
 * Random texts that are amounts, nearly amounts, or nothing of the kind, with an independent rule that tells which of
 * these a text is.
 */
final class DecimalTexts {
    /** {@code Character.isDigit} and {@code new BigDecimal} also accept digits of other scripts. */
    private static final String ALPHABET = "0123456789012345678901234567890123456789....--+eE,_ ٠١٩１９\u0000\nxdfLNaI∞½";

    private static final String[] EXTREME = {
        "9223372036854775807",
        "9223372036854775808",
        "18446744073709551616",
        "9223372036.854775808",
        "1000000",
        "1000000.000000000",
        "1000000.000000001",
        "999999.999999999",
        "0.000000001",
        "0.000000000000000001",
        "1.000000000000000001",
        "0.0000000001",
        "1e1000000000",
        "1e-1000000000",
        "1e-18",
        "9.99e-16",
        "4.9e-324",
        "NaN",
        "-Infinity",
        "-0",
        ""
    };

    private DecimalTexts() {}

    /**
     * A text: a decimal, an extreme decimal, either of them with a few characters changed, or up to 30 characters of
     * any kind.
     */
    static String random(Random random) {
        return switch (random.nextInt(8)) {
            case 0, 1, 2 -> decimal(random, 1 << 1 + random.nextInt(21), 20);
            case 3 -> power(random);
            case 4 -> edited(random, decimal(random, 1 << 1 + random.nextInt(21), 20));
            case 5 -> edited(random, power(random));
            case 6 -> edited(random, EXTREME[random.nextInt(EXTREME.length)]);
            default -> anything(random);
        };
    }

    private static String decimal(Random random, int below, int maxDigits) {
        return EpsilonTests.randomDecimal(random, below, random.nextInt(maxDigits + 1));
    }

    private static String power(Random random) {
        StringBuilder text = new StringBuilder(Integer.toString(random.nextInt(11)));
        int digits = random.nextInt(19);
        for (int i = 0; i < digits; i++) {
            text.append(i == 0 ? "." : "").append(random.nextInt(10));
        }
        return text.append(random.nextBoolean() ? "e-" : "E-")
                .append(random.nextInt(24))
                .toString();
    }

    private static String edited(Random random, String original) {
        StringBuilder text = new StringBuilder(original);
        for (int edits = random.nextInt(3); edits > 0; edits--) {
            int at = random.nextInt(text.length() + 1);
            switch (random.nextInt(3)) {
                case 0 -> text.insert(at, character(random));
                case 1 -> text.delete(at, Math.min(at + 1, text.length()));
                default -> text.replace(at, Math.min(at + 1, text.length()), String.valueOf(character(random)));
            }
        }
        return text.toString();
    }

    private static String anything(Random random) {
        StringBuilder text = new StringBuilder();
        for (int length = random.nextInt(31); length > 0; length--) {
            text.append(character(random));
        }
        return text.toString();
    }

    private static char character(Random random) {
        return ALPHABET.charAt(random.nextInt(ALPHABET.length()));
    }

    /** The number that a plain decimal says: digits 0 to 9, perhaps a point inside, no superfluous leading zeros. */
    static Optional<BigDecimal> plain(String text, int maxFractionDigits) {
        int points = 0;
        for (int i = 0; i < text.length(); i++) {
            boolean point = text.charAt(i) == '.';
            if (point && (i == 0 || i == text.length() - 1)
                    || !point && (text.charAt(i) < '0' || text.charAt(i) > '9')) {
                return Optional.empty();
            }
            points += point ? 1 : 0;
        }
        boolean zeroTooMany = text.length() > 1 && text.charAt(0) == '0' && text.charAt(1) != '.';
        if (text.isEmpty() || points > 1 || zeroTooMany) {
            return Optional.empty();
        }
        return Optional.of(new BigDecimal(text)).filter(value -> value.scale() <= maxFractionDigits);
    }

    /** How many bytes this thread has allocated while it ran. */
    static long bytesOf(Runnable work) {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        work.run();
        return threads.getCurrentThreadAllocatedBytes() - before;
    }
}
