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

/** A hash function, and the value that it gives to a category. */
final class OlhProtocol extends CategoriesProtocol {
    private static final Field MULTIPLIER =
            Field.optional("multiplier", FieldType.INTEGER, "Of %s: the hash function's.");
    private static final Field SHIFT = Field.optional("shift", FieldType.INTEGER, "Of %s: the hash function's.");
    private static final Field VALUE = Field.optional("value", FieldType.INTEGER, "Of %s: the hashed category.");

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
                integer(MULTIPLIER, 0, PRIME - 1),
                integer(SHIFT, 0, PRIME - 1),
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
