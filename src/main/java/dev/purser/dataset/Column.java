package dev.purser.dataset;

import dev.purser.privacy.Grid;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A column as its custodian declared it: public facts only. */
public sealed interface Column {
    /** The data's own header. */
    String name();

    /** What is stored for a missing or unreadable value, or null if such a row is refused. */
    @Nullable
    Number missing();

    /**
     * Numbers on a grid, clamped to public bounds.
     *
     * @param type {@code integer} or {@code decimal}
     * @param lower the lower bound in grid steps
     * @param upper the upper bound in grid steps, at least {@code lower}
     * @param missing the grid integer that stands for a missing or unreadable value, or null if such a row is refused
     */
    record Numeric(
            String name,
            Type type,
            Grid grid,
            long lower,
            long upper,
            @Nullable Long missing) implements Column {
        /** What a value may look like in an upload. */
        public enum Type {
            INTEGER,
            DECIMAL
        }

        public Numeric {
            if (lower > upper || lower < -Grid.MAX_MAGNITUDE || upper > Grid.MAX_MAGNITUDE) {
                throw new IllegalArgumentException("bounds out of order or out of range");
            }
        }
    }

    /**
     * One of a public list of categories; stored as an index into it.
     *
     * @param missing the index that stands for a missing or unlisted value, or null if such a row is refused
     */
    record Category(
            String name, List<String> categories, @Nullable Integer missing) implements Column {
        public Category {
            categories = CategoryList.of(categories);
        }

        /** The position of a category, or -1: in constant time, for a request may name millions. */
        public int indexOf(String category) {
            return categories.indexOf(category);
        }

        /** Of the name alone: a hash of ten thousand categories is too dear for the key of a map. */
        @Override
        public int hashCode() {
            return name.hashCode();
        }
    }
}
