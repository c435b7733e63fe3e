package dev.purser.dataset;

import dev.purser.json.ValueReader;
import dev.purser.privacy.Grid;
import java.math.BigDecimal;
import java.util.Optional;

/**
 * The form of the values of numbers, dates and timestamps in requests, uploads and answers, and their grid. Only this
 * type knows the form. All other code works with grid integers.
 */
public sealed interface Notation {
    /** The column's type, as its registration names it. */
    String type();

    /** The grid, in the unit of {@link #number}. */
    Grid grid();

    /** The required form of a field of an upload: completes "must be …". */
    String formInUpload();

    /** The exact number of a value in a request: the number itself, or days or seconds since 1970-01-01 in UTC. */
    Optional<BigDecimal> number(ValueReader sent);

    /** The value for a number, as it is shown. */
    ColumnValue shown(BigDecimal number);

    /** The unit of distances, after a space; empty for plain numbers. */
    default String unit() {
        return "";
    }

    /** The step that every value is a multiple of, for a sentence. */
    default String step() {
        return "the resolution " + distance(1);
    }

    /** The distance of this many steps, for a sentence. */
    default String distance(long steps) {
        return grid().toDecimal(steps).toPlainString() + unit();
    }

    /** The value for a grid integer, as it is shown. */
    default ColumnValue shown(long steps) {
        return shown(grid().toDecimal(steps));
    }

    /** The grid integer for a value of a request. A value between two grid points or too far out is refused. */
    default Optional<Long> read(ValueReader sent) {
        return number(sent).flatMap(number -> onGrid(sent, number));
    }

    /** As {@link #read}, for a value whose number is known. */
    default Optional<Long> onGrid(ValueReader sent, BigDecimal number) {
        return grid().toGrid(number).or(() -> sent.broken("a multiple of " + step() + " and at most 2^40 times it"));
    }

    /**
     * Numbers. Only numbers can be added up.
     *
     * @param whole whether an upload may hold integers only
     */
    record Numbers(boolean whole, Grid grid) implements Notation {
        @Override
        public String type() {
            return whole ? "integer" : "decimal";
        }

        @Override
        public String formInUpload() {
            return whole ? "an integer" : "a decimal number";
        }

        @Override
        public Optional<BigDecimal> number(ValueReader sent) {
            return sent.decimal();
        }

        @Override
        public ColumnValue shown(BigDecimal number) {
            return ColumnValue.of(number);
        }
    }

    /** Points in time, written as text. */
    sealed interface Times extends Notation {
        /** The number for a field of an upload; empty if the field is unreadable. */
        Optional<BigDecimal> numberInUpload(String field);
    }

    /** Dates, on a grid of one day. */
    record Dates() implements Times {
        @Override
        public String type() {
            return "date";
        }

        @Override
        public Grid grid() {
            return Grid.ONE;
        }

        @Override
        public String unit() {
            return " d";
        }

        @Override
        public String formInUpload() {
            return "a date such as 2020-01-31";
        }

        @Override
        public Optional<BigDecimal> number(ValueReader sent) {
            return sent.string("a date such as \"2020-01-31\"", CivilTime::days);
        }

        @Override
        public Optional<BigDecimal> numberInUpload(String field) {
            return CivilTime.daysInUpload(field);
        }

        @Override
        public ColumnValue shown(BigDecimal number) {
            return ColumnValue.of(CivilTime.date(number));
        }
    }

    /** Points in time, on a grid of seconds or parts of them. */
    record Timestamps(Grid grid) implements Times {
        @Override
        public String type() {
            return "timestamp";
        }

        @Override
        public String formInUpload() {
            return "a time such as 2020-01-31T12:00:00Z, 2020-01-31 12:00:00+02 or, in UTC, 2020-01-31 12:00:00";
        }

        @Override
        public String unit() {
            return " s";
        }

        @Override
        public String step() {
            return Times.super.step() + ", counted from 1970-01-01T00:00:00Z,";
        }

        @Override
        public Optional<BigDecimal> number(ValueReader sent) {
            return sent.string("a time with Z or an offset, such as \"2020-01-31T12:00:00Z\"", CivilTime::seconds);
        }

        @Override
        public Optional<BigDecimal> numberInUpload(String field) {
            return CivilTime.secondsInUpload(field);
        }

        @Override
        public ColumnValue shown(BigDecimal number) {
            return ColumnValue.of(
                    CivilTime.time(number, Math.max(0, grid.resolution().scale())));
        }
    }
}
