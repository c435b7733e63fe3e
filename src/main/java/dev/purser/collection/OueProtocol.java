package dev.purser.collection;

import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.local.CategoryBits;
import dev.purser.local.OptimizedUnaryEncoding;
import dev.purser.privacy.Epsilon;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** A report of a category has one bit for each category, as hexadecimal digits. */
final class OueProtocol extends CategoriesProtocol {
    /** The most bits of a report. The test vectors have about 200 times as many bits. */
    static final int MOST_BITS = 1 << 12;

    private static final Field<String> BITS = Field.optional(
            "bits",
            FieldType.text(Pattern.compile("[0-9a-f]{1," + MOST_BITS / 4 + "}"), "hexadecimal digits"),
            "Of %s: hexadecimal digits; the first bit is that of the first category.");

    OueProtocol() {
        super("oue", List.of(BITS));
    }

    @Override
    int together(int sums) {
        return Pieces.mostOfAllSums(sums);
    }

    @Override
    Protocol<?> protocol(Epsilon epsilon, List<String> categories, int maxReportBits) {
        var randomizer = new OptimizedUnaryEncoding(categories.size(), epsilon);
        if (categories.size() > MOST_BITS) {
            throw new IllegalArgumentException("a report has a bit for each category, at most " + MOST_BITS);
        }
        return protocol(randomizer, form(categories.size()), Map.of());
    }

    static ReportForm<CategoryBits> form(int categories) {
        int digits = (categories + 3) / 4;
        Pattern pattern = Pattern.compile("[0-9a-f]{" + digits + "}");
        String form = digits + " hexadecimal digits, with zeros after the last category";
        return ReportForm.of(
                BITS.of(FieldType.text(pattern, form)
                        .then((sent, text) -> bits(text, categories).or(() -> sent.broken(form)))),
                report -> text(report.ones(), digits));
    }

    private static Optional<CategoryBits> bits(String text, int categories) {
        BitSet ones = new BitSet(categories);
        for (int bit = 0; bit < 4 * text.length(); bit++) {
            ones.set(bit, (Character.digit(text.charAt(bit / 4), 16) >> 3 - bit % 4 & 1) == 1);
        }
        return ones.length() <= categories ? Optional.of(new CategoryBits(ones)) : Optional.empty();
    }

    private static String text(BitSet ones, int digits) {
        StringBuilder text = new StringBuilder();
        for (int digit = 0; digit < digits; digit++) {
            int value = 0;
            for (int bit = 4 * digit; bit < 4 * digit + 4; bit++) {
                value = 2 * value + (ones.get(bit) ? 1 : 0);
            }
            text.append(Character.forDigit(value, 16));
        }
        return text.toString();
    }
}
