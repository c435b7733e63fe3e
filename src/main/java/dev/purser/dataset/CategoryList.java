package dev.purser.dataset;

import java.util.AbstractList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/** An immutable list of texts that finds the position of a text in constant time. */
final class CategoryList extends AbstractList<String> implements RandomAccess {
    private final List<String> categories;
    private final Map<String, Integer> positions;

    private CategoryList(List<String> categories) {
        this.categories = List.copyOf(categories);
        positions = HashMap.newHashMap(categories.size());
        for (int i = 0; i < categories.size(); i++) {
            positions.putIfAbsent(categories.get(i), i);
        }
    }

    static List<String> of(List<String> categories) {
        return categories instanceof CategoryList ? categories : new CategoryList(categories);
    }

    @Override
    public String get(int index) {
        return categories.get(index);
    }

    @Override
    public int size() {
        return categories.size();
    }

    @Override
    public int indexOf(@Nullable Object category) {
        return positions.getOrDefault(category, -1);
    }

    @Override
    public boolean contains(@Nullable Object category) {
        return positions.containsKey(category);
    }
}
