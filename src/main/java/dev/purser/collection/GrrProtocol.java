package dev.purser.collection;

import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.local.GeneralizedRandomizedResponse;
import dev.purser.privacy.Epsilon;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A report of a category is a category. */
final class GrrProtocol extends CategoriesProtocol {
    private static final Field<String> CATEGORY = Field.optional("category", CATEGORY_NAME, "Of %s.");

    GrrProtocol() {
        super("grr", List.of(CATEGORY));
    }

    @Override
    Protocol<?> protocol(Epsilon epsilon, List<String> categories, int maxReportBits) {
        var randomizer = new GeneralizedRandomizedResponse(categories.size(), epsilon);
        Map<String, Integer> indexes = new HashMap<>();
        for (int index = 0; index < categories.size(); index++) {
            indexes.put(categories.get(index), index);
        }
        ReportForm<Integer> form = ReportForm.of(
                CATEGORY.of(new FieldType<>(
                        CATEGORY.type().shape(),
                        in -> in.string(
                                "a category of the collection", text -> Optional.ofNullable(indexes.get(text))))),
                categories::get);
        return protocol(randomizer, form, Map.of());
    }
}
