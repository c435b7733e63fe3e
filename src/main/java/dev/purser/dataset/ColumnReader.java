package dev.purser.dataset;

import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.json.ValueReader;
import dev.purser.privacy.Grid;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Reads a column of a registration. */
final class ColumnReader {
    private static final int MAX_CATEGORIES = 10_000;
    private static final int MAX_SPELLINGS = 100;
    private static final String REJECT = "reject";
    private static final String SPELLINGS = "missingSpellings";

    private static final FieldType.Choice TYPES =
            new FieldType.Choice(List.of("integer", "decimal", "boolean", "date", "timestamp", "category"));
    /** The object as the API describes it. */
    static final FieldType.ObjectOf FORM = new FieldType.ObjectOf(
            "ColumnRegistration",
            "Bounds are public, chosen by the custodian and never derived from the data; values outside are clamped."
                    + " Every bound is a multiple of the resolution.",
            List.of(
                    Field.required("name", FieldType.TEXT, "The data's own header, 1 to 128 characters.")
                            .withExample("age"),
                    Field.required("type", TYPES, ""),
                    Field.optional(
                                    "lower",
                                    ColumnValue.TYPE,
                                    "The lower bound: of numbers a number, of dates \"1990-01-01\", of timestamps"
                                            + " \"2020-01-01T00:00:00Z\" or with an offset.")
                            .withExample(0),
                    Field.optional("upper", ColumnValue.TYPE, "The upper bound, written as the lower one.")
                            .withExample(125),
                    Field.optional(
                                    "resolution",
                                    FieldType.NUMBER,
                                    "The grid of numbers, or of timestamps in seconds counted from"
                                            + " 1970-01-01T00:00:00Z; 1 by default, required for decimals. Dates have a"
                                            + " grid of one day.")
                            .withExample(1),
                    Field.optional("categories", new FieldType.ListOf(FieldType.TEXT), "Categories: all of them.")
                            .withExample(List.of("Female", "Male")),
                    Field.optional(
                                    "missing",
                                    new FieldType.Plain(MissingValue.class),
                                    "\"reject\", the default (an upload with a missing or unlisted value fails), or the"
                                            + " value that stands for it, written as a bound; true or false with type"
                                            + " boolean. A value that is there and cannot be read fails in any case.")
                            .withExample(REJECT),
                    Field.optional(
                                    SPELLINGS,
                                    new FieldType.ListOf(FieldType.TEXT),
                                    "What stands for a missing value in an upload, beside an empty field, unless it is"
                                            + " a listed category.")
                            .withExample(List.copyOf(Column.USUAL_SPELLINGS))));

    private ColumnReader() {}

    /**
     * Reads a column.
     *
     * @param ofTable whether its values are in a table, which has no upload that could be refused
     */
    static Optional<Column> read(ObjectReader in, boolean ofTable) {
        Optional<Column> column = read(in);
        if (ofTable && column.filter(read -> read.missing() == null).isPresent()) {
            in.refuse("missing", "missing must be a value: a table has no upload that could be refused");
        }
        if (ofTable && in.has(SPELLINGS)) {
            in.refuse(SPELLINGS, SPELLINGS + " is for uploads: in a table, every value that does not fit is missing");
        }
        return column;
    }

    private static Optional<Column> read(ObjectReader in) {
        Optional<String> name = in.required("name").string(1, 128);
        Optional<String> type = in.required("type").word(TYPES);
        in.notInThisForm("lower", "upper", "resolution", "categories");
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

    /** The grid of a resolution. An optional resolution defaults to 1. */
    private static Optional<Grid> resolution(ObjectReader in, boolean required) {
        ValueReader sent = required ? in.required("resolution") : in.optional("resolution");
        if (!required && !in.has("resolution")) {
            return Optional.of(Grid.ONE);
        }
        return sent.decimal()
                .flatMap(resolution ->
                        resolution.signum() > 0 ? Optional.of(new Grid(resolution)) : sent.broken("above zero"));
    }

    private static Optional<Column> numeric(
            ObjectReader in, Optional<String> name, Optional<Grid> grid, Function<Grid, Notation> notation) {
        Optional<Long> lower = gridValue(in.required("lower"), grid, notation);
        Optional<Long> upper = gridValue(in.required("upper"), grid, notation);
        boolean ordered = lower.isEmpty() || upper.isEmpty() || lower.orElseThrow() <= upper.orElseThrow();
        if (!ordered) {
            in.refuse("upper", "upper must be at least lower");
        }
        ValueReader sentMissing = in.optional("missing");
        Optional<Long> missing = sentMissing.isText(REJECT)
                ? Optional.empty()
                : gridValue(sentMissing, grid, notation).filter(value -> isWithin(in, value, lower, upper));
        Optional<Set<String>> spellings = spellings(in);
        return in.complete(() -> new Column.Numeric(
                name.orElseThrow(),
                notation.apply(grid.orElseThrow()),
                lower.orElseThrow(),
                upper.orElseThrow(),
                missing.orElse(null),
                spellings.orElseThrow()));
    }

    private static Optional<Set<String>> spellings(ObjectReader in) {
        return in.has(SPELLINGS)
                ? in.required(SPELLINGS)
                        .strings(0, MAX_SPELLINGS, 0, 256)
                        .map(list -> Collections.unmodifiableSet(new LinkedHashSet<>(list)))
                : Optional.of(Column.USUAL_SPELLINGS);
    }

    private static boolean isWithin(ObjectReader in, long missing, Optional<Long> lower, Optional<Long> upper) {
        boolean within = missing >= lower.orElse(Long.MIN_VALUE) && missing <= upper.orElse(Long.MAX_VALUE);
        if (!within) {
            in.refuse("missing", "missing must be \"reject\" or a value between lower and upper");
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
        Optional<List<String>> categories = in.required("categories").strings(1, MAX_CATEGORIES, 0, 256);
        if (categories.filter(list -> new HashSet<>(list).size() < list.size()).isPresent()) {
            in.refuse("categories", "categories must differ from each other");
        }
        return name.flatMap(known -> categories.map(list -> Column.Category.ofNames(known, list)));
    }

    private static Optional<Column> category(ObjectReader in, Optional<Column.Category> rejecting) {
        ValueReader sentMissing = in.optional("missing");
        Optional<Integer> missing =
                sentMissing.isText(REJECT) ? Optional.empty() : rejecting.flatMap(column -> column.read(sentMissing));
        Optional<Set<String>> spellings = spellings(in);
        return in.complete(() -> rejecting.orElseThrow().substituting(missing.orElse(null), spellings.orElseThrow()));
    }
}
