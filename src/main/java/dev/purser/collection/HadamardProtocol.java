package dev.purser.collection;

import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.local.HadamardResponse;
import dev.purser.local.HadamardSign;
import dev.purser.privacy.Epsilon;
import java.util.List;
import java.util.Map;

/** A report of a category is a row of a Hadamard matrix, and a sign for the entry of the category in this row. */
final class HadamardProtocol extends CategoriesProtocol {
    private static final Field<Integer> ROW =
            Field.optional("row", FieldType.integer(0, 2 * MAX_CATEGORIES - 1), "Of %s: from 0.");

    HadamardProtocol() {
        super("hadamard", List.of(ROW, ReportForm.SIGN));
    }

    @Override
    Protocol<?> protocol(Epsilon epsilon, List<String> categories, int maxReportBits) {
        var randomizer = new HadamardResponse(categories.size(), epsilon);
        int rows = randomizer.tallies();
        ReportForm<HadamardSign> form = ReportForm.both(
                ReportForm.integer(ROW, 0, rows - 1),
                ReportForm.OF_SIGN,
                HadamardSign::new,
                HadamardSign::row,
                HadamardSign::sign);
        return protocol(randomizer, form, Map.of("size", rows));
    }
}
