package dev.purser.sql;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.Notation;
import dev.purser.privacy.PrivacyUnit;
import dev.purser.sql.SqlExpression.Name;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a dataset by the names that a statement may give them.
 *
 * @param alias the name that the statement gives the table; null if it gives none
 * @param names the names of the columns
 */
record SqlColumns(Dataset dataset, @Nullable String alias, SqlNames names) {
    SqlColumns(Dataset dataset, @Nullable String alias) {
        this(
                dataset,
                alias,
                new SqlNames(dataset.columns().stream().map(Column::name).toList()));
    }

    /** A column as a statement would write it. */
    static String written(Column column) {
        return column.name().matches("[a-z_][a-z0-9_]*")
                ? column.name()
                : '"' + column.name().replace("\"", "\"\"") + '"';
    }

    /** The table's name in the statement. */
    String called() {
        return alias == null ? dataset.id() : alias;
    }

    Column named(Name name) {
        return dataset.columns().get(names.place(name, List.of(called())));
    }

    /** The named column; empty if there is none, or the name can mean several columns. */
    Optional<Column> find(Name name) {
        try {
            return Optional.of(named(name));
        } catch (SqlRefusal none) {
            return Optional.empty();
        }
    }

    Column.Numeric numeric(Name name) {
        return ranged(name, "numbers, dates or timestamps", Notation.class);
    }

    Column.Numeric numbers(Name name) {
        return ranged(name, "numbers", Notation.Numbers.class);
    }

    private Column.Numeric ranged(Name name, String of, Class<? extends Notation> notation) {
        Column column = named(name);
        if (column instanceof Column.Numeric numeric && notation.isInstance(numeric.notation())) {
            return numeric;
        }
        throw SqlRefusal.unsupported(
                "the column " + written(column) + " is of type " + column.type() + ", but must have " + of + " here");
    }

    /** Whether this names the column of the privacy unit, which is not stored, and no other column. */
    boolean isUnit(Name name) {
        return dataset.privacyUnit() instanceof PrivacyUnit.Column unit
                && dataset.column(name.last()).isEmpty()
                && SqlNames.areAlike(unit.column(), name.last());
    }
}
