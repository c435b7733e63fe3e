package dev.purser.dataset;

import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.json.Shape;
import dev.purser.json.ValueReader;
import dev.purser.privacy.Grid;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Reads a column of a registration. */
final class ColumnReader {
    private static final String REJECT = "reject";
    static final FieldType<String> CATEGORY = FieldType.text(0, 256);

    private static final Field<String> NAME =
            Field.required("name", FieldType.text(1, 128), "The data's own header.", "age");
    private static final Field<String> TYPE = Field.required(
            "type", FieldType.choice("integer", "decimal", "boolean", "date", "timestamp", "category"), "");
    private static final Field<ValueReader> LOWER = Field.optional(
            "lower",
            FieldType.unread(ColumnValue.SHAPE),
            "The lower bound: of numbers a number, of dates \"1990-01-01\", of timestamps"
                    + " \"2020-01-01T00:00:00Z\" or with an offset.",
            0);
    private static final Field<ValueReader> UPPER = Field.optional(
            "upper", FieldType.unread(ColumnValue.SHAPE), "The upper bound, written as the lower one.", 125);
    private static final Field<Grid> RESOLUTION = Field.optional(
            "resolution",
            FieldType.NUMBER.then((sent, resolution) ->
                    resolution.signum() > 0 ? Optional.of(new Grid(resolution)) : sent.broken("above zero")),
            "The grid of numbers, or of timestamps in seconds counted from 1970-01-01T00:00:00Z; 1 by default, required"
                    + " for decimals. Dates have a grid of one day.",
            1);
    private static final Field<List<String>> CATEGORIES = Field.optional(
            "categories",
            FieldType.setOf(CATEGORY, 1, 10_000).orNone(),
            "Categories: all of them.",
            List.of("Female", "Male"));
    private static final Field<ValueReader> MISSING = Field.optional(
            "missing",
            FieldType.unread(new Shape.Of(MissingValue.class)),
            "\"reject\", the default (an upload with a missing or unlisted value fails), or the"
                    + " value that stands for it, written as a bound; true or false with type"
                    + " boolean. A value that is there and cannot be read fails in any case.",
            REJECT);
    private static final Field<List<String>> SPELLINGS = Field.optional(
            "missingSpellings",
            FieldType.listOf(CATEGORY, 0, 100),
            "What stands for a missing value in an upload, beside an empty field, unless it is" + " a listed category.",
            List.copyOf(Column.USUAL_SPELLINGS));

    /** The object as the API describes it. */
    static final Shape.ObjectOf FORM = new Shape.ObjectOf(
            "ColumnRegistration",
            "Bounds are public, chosen by the custodian and never derived from the data; values outside are clamped."
                    + " Every bound is a multiple of the resolution.",
            List.of(NAME, TYPE, LOWER, UPPER, RESOLUTION, CATEGORIES, MISSING, SPELLINGS));

    private ColumnReader() {}

    /**
     * Reads a column.
     *
     * @param ofTable whether the values are in a table, which has no upload that could be refused
     */
    static Optional<Column> read(ObjectReader in, boolean ofTable) {
        Optional<Column> column = read(in);
        if (ofTable && column.filter(read -> read.missing() == null).isPresent()) {
            in.refuse(MISSING, "missing must be a value: a table has no upload that could be refused");
        }
        if (ofTable && in.has(SPELLINGS)) {
            in.refuse(
                    SPELLINGS, "missingSpellings is for uploads: in a table, every value that does not fit is missing");
        }
        return column;
    }

    private static Optional<Column> read(ObjectReader in) {
        Optional<String> name = in.read(NAME);
        Optional<String> type = in.read(TYPE);
        in.notInThisForm(LOWER, UPPER, RESOLUTION, CATEGORIES);
        return switch (type.orElse("")) {
            case "integer" -> numeric(in, name, resolution(in, false), grid -> new Notation.Numbers(true, grid));
            case "decimal" -> numeric(in, name, resolution(in, true), grid -> new Notation.Numbers(false, grid));
            case "date" -> numeric(in, name, Optional.of(Grid.ONE), day -> new Notation.Dates());
            case "timestamp" -> numeric(in, name, resolution(in, false), Notation.Timestamps::new);
            case "boolean" -> category(in, name.map(Column.Category::ofTruth));
            case "category" -> category(in, named(in, name));
            default -> Optional.empty();
        };
    }

    /** The grid of a resolution. If the resolution is not required, it defaults to 1. */
    private static Optional<Grid> resolution(ObjectReader in, boolean required) {
        return required || in.has(RESOLUTION) ? in.required(RESOLUTION) : Optional.of(Grid.ONE);
    }

    private static Optional<Column> numeric(
            ObjectReader in, Optional<String> name, Optional<Grid> grid, Function<Grid, Notation> notation) {
        Optional<Long> lower = in.required(LOWER).flatMap(sent -> gridValue(sent, grid, notation));
        Optional<Long> upper = in.required(UPPER).flatMap(sent -> gridValue(sent, grid, notation));
        boolean ordered = lower.isEmpty() || upper.isEmpty() || lower.orElseThrow() <= upper.orElseThrow();
        if (!ordered) {
            in.refuse(UPPER, "upper must be at least lower");
        }
        Optional<Long> missing = substitute(in)
                .flatMap(sent -> gridValue(sent, grid, notation))
                .filter(value -> requireWithin(in, value, lower, upper));
        Set<String> spellings = spellings(in);
        return in.complete(() -> new Column.Numeric(
                name.orElseThrow(),
                notation.apply(grid.orElseThrow()),
                lower.orElseThrow(),
                upper.orElseThrow(),
                missing.orElse(null),
                spellings));
    }

    /** The value that stands for a missing value. */
    private static Optional<ValueReader> substitute(ObjectReader in) {
        return in.read(MISSING).filter(sent -> !sent.isText(REJECT));
    }

    private static Set<String> spellings(ObjectReader in) {
        return in.read(SPELLINGS)
                .map(list -> Collections.unmodifiableSet(new LinkedHashSet<>(list)))
                .orElse(Column.USUAL_SPELLINGS);
    }

    /** Refuses, and returns false, if a substitute is outside of the bounds. */
    private static boolean requireWithin(ObjectReader in, long missing, Optional<Long> lower, Optional<Long> upper) {
        boolean within = missing >= lower.orElse(Long.MIN_VALUE) && missing <= upper.orElse(Long.MAX_VALUE);
        if (!within) {
            in.refuse(MISSING, "missing must be \"reject\" or a value between lower and upper");
        }
        return within;
    }

    /** Reads a value on the grid. Without a grid only the form of the value is checked. */
    private static Optional<Long> gridValue(ValueReader sent, Optional<Grid> grid, Function<Grid, Notation> notation) {
        if (grid.isEmpty()) {
            notation.apply(Grid.ONE).number(sent);
            return Optional.empty();
        }
        return notation.apply(grid.orElseThrow()).read(sent);
    }

    private static Optional<Column.Category> named(ObjectReader in, Optional<String> name) {
        Optional<List<String>> categories = in.required(CATEGORIES);
        return name.flatMap(known -> categories.map(list -> Column.Category.ofNames(known, list)));
    }

    private static Optional<Column> category(ObjectReader in, Optional<Column.Category> rejecting) {
        Optional<Integer> missing = substitute(in).flatMap(sent -> rejecting.flatMap(column -> column.read(sent)));
        Set<String> spellings = spellings(in);
        return in.complete(() -> rejecting.orElseThrow().substituting(missing.orElse(null), spellings));
    }
}
