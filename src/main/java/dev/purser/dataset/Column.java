package dev.purser.dataset;

import dev.purser.json.Alternatives;
import dev.purser.json.ValueReader;
import dev.purser.privacy.Grid;
import dev.purser.rows.StoredRange;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A column as its custodian declared it: public facts only. */
public sealed interface Column {
    /** What programs write for a missing value. */
    Set<String> USUAL_SPELLINGS = Collections.unmodifiableSet(
            new LinkedHashSet<>(List.of("NA", "N/A", "NaN", "null", "NULL", "None", "\\N", ".", "?", "-")));

    /** The name, which is the column's header in the data. */
    String name();

    /** The column's type, as its registration names it. */
    String type();

    /** The value stored for a missing or unreadable value; null if such a row is refused. */
    @Nullable
    Number missing();

    /**
     * The texts of an upload that stand for a missing value, besides the empty text. None of them is a value of the
     * column.
     */
    Set<String> missingSpellings();

    /** The values that can be stored: grid steps between the bounds of numbers, positions in a list of categories. */
    StoredRange range();

    /**
     * Numbers, dates or timestamps on a grid, clamped to public bounds.
     *
     * @param notation the form of the values, and their grid
     * @param lower the lower bound in grid steps
     * @param upper the upper bound in grid steps, at least {@code lower}
     * @param missing the grid integer that stands for a missing value, and in a table of a database also for an
     *     unreadable value; null if such a row is refused
     */
    record Numeric(
            String name,
            Notation notation,
            long lower,
            long upper,
            @Nullable Long missing,
            Set<String> missingSpellings)
            implements Column {
        /** A column with the usual spellings of a missing value. */
        public Numeric(String name, Notation notation, long lower, long upper, @Nullable Long missing) {
            this(name, notation, lower, upper, missing, USUAL_SPELLINGS);
        }

        public Numeric {
            if (lower > upper || lower < -Grid.MAX_MAGNITUDE || upper > Grid.MAX_MAGNITUDE) {
                throw new IllegalArgumentException("bounds out of order or out of range");
            }
        }

        @Override
        public String type() {
            return notation.type();
        }

        @Override
        public StoredRange range() {
            return new StoredRange(lower, upper);
        }

        /** The grid of the values. */
        public Grid grid() {
            return notation.grid();
        }
    }

    /**
     * A category from a public list, stored as its index.
     *
     * @param spelling how the categories are written
     * @param missing the index that stands for a missing or unlisted value; null if such a row is refused
     */
    record Category(
            String name,
            Spelling spelling,
            List<String> categories,
            @Nullable Integer missing,
            Set<String> missingSpellings)
            implements Column {
        /** A column with the usual spellings of a missing value. */
        public Category(String name, Spelling spelling, List<String> categories, @Nullable Integer missing) {
            this(name, spelling, categories, missing, USUAL_SPELLINGS);
        }

        public Category {
            categories = CategoryList.of(categories);
        }

        /** A column of listed categories that refuses other categories. */
        public static Category ofNames(String name, List<String> categories) {
            return new Category(name, Spelling.NAMES, categories, null);
        }

        /** A column of truth values, 0 for false and 1 for true, that refuses other values. */
        static Category ofTruth(String name) {
            return new Category(name, Spelling.TRUTH, Spelling.FALSE_AND_TRUE, null);
        }

        /** The same column, with the position of a substitute for missing and unlisted values. */
        Category substituting(@Nullable Integer position, Set<String> spellings) {
            return new Category(name, spelling, categories, position, spellings);
        }

        /** Whether the column's values are names from a list, and not truth values. */
        public boolean hasNames() {
            return spelling == Spelling.NAMES;
        }

        @Override
        public String type() {
            return spelling.type();
        }

        @Override
        public StoredRange range() {
            return new StoredRange(0, categories.size() - 1L);
        }

        /** The position of the category that a request names. An unlisted category is refused. */
        public Optional<Integer> read(ValueReader sent) {
            return spelling.category(sent)
                    .map(this::indexOf)
                    .flatMap(index -> index >= 0
                            ? Optional.of(index)
                            : sent.unlisted("one of the categories of \"" + name + "\": ", categories.stream()));
        }

        /** A category, by its position, as a JSON value. */
        public Object shown(int index) {
            return spelling.shown(categories.get(index));
        }

        /** The required form of a field of an upload: completes "must be …". */
        public String formInUpload() {
            return switch (spelling) {
                case NAMES -> "one of the categories " + Alternatives.listed(categories);
                case TRUTH -> "one of true/false, t/f, yes/no, y/n, 1/0, 1.0/0.0";
            };
        }

        /** The position of a category, or -1. Takes constant time, because a request may name millions. */
        public int indexOf(String category) {
            return categories.indexOf(category);
        }

        /** Hashes the name alone: hashing ten thousand categories is too slow for the key of a map. */
        @Override
        public int hashCode() {
            return name.hashCode();
        }
    }
}
