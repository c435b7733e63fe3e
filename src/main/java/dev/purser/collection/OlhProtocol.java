package dev.purser.collection;

import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.local.HashedCategory;
import dev.purser.local.OptimizedLocalHashing;
import dev.purser.privacy.Epsilon;
import java.util.List;
import java.util.Map;

import static dev.purser.collection.ReportForm.both;
import static dev.purser.collection.ReportForm.integer;
import static dev.purser.local.OptimizedLocalHashing.PRIME;

/** A report of a category is a hash function, and a randomized value of this function for the category. */
final class OlhProtocol extends CategoriesProtocol {
    private static final Field<Integer> MULTIPLIER = field("multiplier", "Of %s: the hash function's.");
    private static final Field<Integer> SHIFT = field("shift", "Of %s: the hash function's.");
    private static final Field<Integer> VALUE = field("value", "Of %s: the hashed category.");

    private static Field<Integer> field(String name, String description) {
        return Field.optional(name, FieldType.integer(0, (int) PRIME - 1), description);
    }

    OlhProtocol() {
        super("olh", List.of(MULTIPLIER, SHIFT, VALUE));
    }

    @Override
    int together(int sums) {
        return Pieces.mostOfAllSums(sums);
    }

    private record Hash(int multiplier, int shift) {}

    @Override
    Protocol<?> protocol(Epsilon epsilon, List<String> categories, int maxReportBits) {
        var randomizer = new OptimizedLocalHashing(categories.size(), epsilon);
        ReportForm<Hash> hash = both(
                ReportForm.of(MULTIPLIER, report -> report),
                ReportForm.of(SHIFT, report -> report),
                Hash::new,
                Hash::multiplier,
                Hash::shift);
        ReportForm<HashedCategory> form = both(
                hash,
                integer(VALUE, 0, randomizer.values() - 1),
                (function, value) -> new HashedCategory(function.multiplier, function.shift, value),
                report -> new Hash(report.multiplier(), report.shift()),
                HashedCategory::value);
        return protocol(randomizer, form, Map.of("values", randomizer.values(), "prime", PRIME));
    }
}
