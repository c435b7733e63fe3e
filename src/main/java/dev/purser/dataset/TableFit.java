package dev.purser.dataset;

import dev.purser.privacy.Grid;
import dev.purser.privacy.PrivacyUnit;
import dev.purser.privacy.PrivacyUnit.IdType;
import dev.purser.problem.Violation;
import dev.purser.problem.Violations;
import dev.purser.tables.ColumnType;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Checks whether a table can be read as registered. The check uses the names and types of its columns, never its rows.
 */
public final class TableFit {
    private static final int MAX_DIGITS = 18;

    private TableFit() {}

    /**
     * The rules that reading the table would break, with their places in the registration.
     *
     * @param types the types of the readable columns, by name
     */
    public static Violations violations(Registration registration, Map<String, ColumnType> types) {
        Violations violations = new Violations();
        int position = 0;
        for (Column column : registration.columns()) {
            String pointer = "/columns/" + position++;
            ColumnType type = types.get(column.name());
            if (type == null) {
                violations.add(Violation.atPointer(
                        pointer + "/name", "the table has no column \"" + column.name() + "\" that may be read"));
            } else {
                rule(column, type).ifPresent(rule -> violations.add(Violation.atPointer(pointer + "/type", rule)));
            }
            if (column instanceof Column.Numeric numeric && !isExact(numeric)) {
                violations.add(Violation.atPointer(
                        pointer + "/resolution",
                        "the resolution and the bounds of a table's column have at most " + MAX_DIGITS
                                + " digits before the point and " + MAX_DIGITS + " after it"));
            }
        }
        if (registration.privacyUnit() instanceof PrivacyUnit.Column(String unit, int _, IdType idType)) {
            ColumnType type = types.get(unit);
            if (type == null || !type.hasText()) {
                violations.add(Violation.atPointer(
                        "/privacyUnit/column",
                        "the table must have a column \"" + unit + "\" of integers, text or truth values"));
            } else if (idType == IdType.INTEGER && type != ColumnType.INTEGER) {
                violations.add(Violation.atPointer(
                        "/privacyUnit/idType",
                        "idType \"integer\" needs a table's column of integers, but \"" + unit
                                + "\" has another type"));
            }
        }
        return violations;
    }

    /** The rule that reading a column of {@code type} as {@code column} would break. */
    private static Optional<String> rule(Column column, ColumnType type) {
        return switch (column) {
            case Column.Numeric numeric ->
                switch (numeric.notation()) {
                    case Notation.Numbers numbers ->
                        numbers.whole()
                                ? broken(
                                        type.isWhole(),
                                        "an integer column is read from integers, or decimals without a fraction")
                                : broken(type.isNumber(), "a decimal column is read from numbers");
                    case Notation.Dates _ -> broken(type == ColumnType.DATE, "a date column is read from dates");
                    case Notation.Timestamps _ ->
                        broken(type.isTime(), "a timestamp column is read from timestamps or dates");
                };
            case Column.Category category ->
                broken(type.hasText(), "a " + category.type() + " column is read from text, integers or truth values");
        };
    }

    /** Whether every database can compute exactly with the grid and the bounds. Some support only 38 digits. */
    private static boolean isExact(Column.Numeric column) {
        Grid grid = column.grid();
        return Stream.of(grid.resolution(), grid.toDecimal(column.lower()), grid.toDecimal(column.upper()))
                .allMatch(number -> number.scale() <= MAX_DIGITS && number.precision() - number.scale() <= MAX_DIGITS);
    }

    private static Optional<String> broken(boolean holds, String rule) {
        return holds ? Optional.empty() : Optional.of(rule + ", but the table's column has another type");
    }
}
