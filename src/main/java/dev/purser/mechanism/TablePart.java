package dev.purser.mechanism;

import dev.purser.mechanism.Aggregate.Measure;
import dev.purser.noise.Rational;
import dev.purser.privacy.Neighborhood;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Integers that are measured once for each group of a table. Aggregates are computed from such parts. Several
 * aggregates can share a part.
 *
 * <p>A pair or a triple has several integers, to which every row adds terms that are not negative and add up to the
 * same number. A row therefore moves all integers together by as much as one sum alone, and each integer gets noise of
 * the part's whole share. Argument in {@code NoisyTable.md}.
 *
 * @param measure null for the number of rows, and for cells
 * @param cells the cells, if cells are measured; otherwise null
 */
record TablePart(
        Quantity quantity,
        @Nullable Measure measure,
        @Nullable Cells cells) {
    static final TablePart ROWS = new TablePart(Quantity.COUNT, null, null);

    /** What is measured, of values c clamped to a range of the width R, with u = c − lower and v = upper − c. */
    enum Quantity {
        /** The number of rows. */
        COUNT("count", 1, 0),
        /** The number of privacy units. */
        UNITS("units", 1, 0),
        /** Σc. */
        SUM("sum", 1, 1),
        /** Σu and Σv. A row adds R to both together. */
        PAIR("pair", 2, 1),
        /** Σu and Σv where the number n of rows is public: Σv is then nR − Σu, with the negated noise. */
        PAIR_OF_PUBLIC_ROWS("pair", 1, 1),
        /** The number of rows in each cell of a column. A row adds 1 to all cells together. */
        CELLS("share", 0, 1),
        /** Σu², 2Σuv and Σv². A row adds R² to all three together. */
        TRIPLE("triple", 3, 2),
        /** Σuv, for a variance where the number of rows is public. */
        PRODUCTS("products", 1, 2);

        private final String label;
        private final int draws;
        private final int degree;

        Quantity(String label, int draws, int degree) {
            this.label = label;
            this.draws = draws;
            this.degree = degree;
        }

        TablePart of(Measure measure) {
            return new TablePart(this, measure, null);
        }
    }

    /** The number of draws of noise for one group. */
    int draws() {
        return cells == null ? quantity.draws : cells.all().size();
    }

    /** Whether the moments of a measure's values are computed from this part. */
    boolean isOf(Measure wanted) {
        return cells == null ? wanted.equals(measure) : wanted.isShareOf(cells.column());
    }

    /**
     * The places of the integers that add up to Σu of a measure, to Σu² for a triple, or to the rows of a share for
     * cells.
     */
    List<Integer> first(Measure wanted) {
        return cells == null ? List.of(0) : cells.of(wanted);
    }

    /**
     * What each part of a table claims: the largest weight of the aggregates that it serves.
     *
     * @param hasPublicRows whether the number of rows is public
     * @param ofCells whether shares of one column may be measured as cells
     */
    static SequencedMap<TablePart, Rational> claims(
            List<Aggregate> aggregates, boolean hasPublicRows, boolean ofCells) {
        Map<String, TablePart> cells = ofCells && !hasPublicRows ? cells(aggregates) : Map.of();
        SequencedMap<TablePart, Rational> claims = new LinkedHashMap<>();
        for (Aggregate aggregate : aggregates) {
            Measure measure = aggregate.measure();
            List<TablePart> parts = measure != null
                            && cells.get(measure.column()) instanceof TablePart together
                            && together.isOf(measure)
                    ? List.of(together)
                    : of(aggregate, aggregates, hasPublicRows);
            for (TablePart part : parts) {
                claims.merge(part, Rational.of(aggregate.weight(), 1), Rational::max);
            }
        }
        aggregates.stream()
                .filter(aggregate -> aggregate.function() == Aggregate.Function.COUNT)
                .forEach(count ->
                        claims.merge(ofRows(claims.sequencedKeySet()), Rational.of(count.weight(), 1), Rational::max));
        return claims;
    }

    /**
     * By column, the cells of its shares, if the column has several shares and at most as many cells as the pairs of
     * these shares would have integers. Many general shares could need more cells, and each cell adds its noise.
     */
    private static Map<String, TablePart> cells(List<Aggregate> aggregates) {
        Map<String, Set<Measure>> shares = new LinkedHashMap<>();
        for (Aggregate aggregate : aggregates) {
            Measure measure = aggregate.measure();
            if (measure != null && measure.isShareOf(measure.column())) {
                shares.computeIfAbsent(measure.column(), _ -> new LinkedHashSet<>())
                        .add(measure);
            }
        }
        Map<String, TablePart> cells = new HashMap<>();
        shares.forEach((column, measures) -> {
            Cells all = Cells.of(List.copyOf(measures));
            if (measures.size() > 1 && all.all().size() <= 2 * measures.size()) {
                cells.put(column, new TablePart(Quantity.CELLS, null, all));
            }
        });
        return cells;
    }

    /** The parts that an aggregate of values is computed from. For a range of no width, only a sum is measured. */
    private static List<TablePart> of(Aggregate aggregate, List<Aggregate> all, boolean hasPublicRows) {
        Measure measure = aggregate.measure();
        if (measure == null) {
            return List.of();
        }
        if (aggregate.function() == Aggregate.Function.UNITS) {
            return List.of(Quantity.UNITS.of(measure));
        }
        List<Aggregate.Function> functions = all.stream()
                .filter(other -> measure.equals(other.measure()))
                .map(Aggregate::function)
                .filter(function ->
                        function != Aggregate.Function.SUM && measure.width().signum() > 0)
                .toList();
        boolean hasVariance = functions.stream().anyMatch(function -> function != Aggregate.Function.MEAN);
        if (functions.isEmpty()) {
            return aggregate.function() == Aggregate.Function.SUM ? List.of(Quantity.SUM.of(measure)) : List.of();
        } else if (!hasPublicRows) {
            return List.of((hasVariance ? Quantity.TRIPLE : Quantity.PAIR).of(measure));
        }
        TablePart pair = Quantity.PAIR_OF_PUBLIC_ROWS.of(measure);
        return hasVariance && aggregate.function().isOfSquares()
                ? List.of(pair, Quantity.PRODUCTS.of(measure))
                : List.of(pair);
    }

    /**
     * The part that serves a count: the first part of moments with the fewest integers, or the number of rows itself.
     */
    private static TablePart ofRows(Collection<TablePart> parts) {
        return parts.stream()
                .filter(TablePart::isOfMoments)
                .min(Comparator.comparing(TablePart::draws))
                .orElse(ROWS);
    }

    /** What one row adds to all integers of a pair or a triple together. */
    BigInteger total() {
        return measure == null ? BigInteger.ONE : measure.width().pow(quantity.degree);
    }

    /** Whether estimates of the moments of a column's values are computed from the part. */
    boolean isOfMoments() {
        return switch (quantity) {
            case PAIR, PAIR_OF_PUBLIC_ROWS, TRIPLE, CELLS -> true;
            case COUNT, UNITS, SUM, PRODUCTS -> false;
        };
    }

    /** How far a privacy unit moves the integers of all groups together. */
    GroupSensitivity sensitivity(Neighborhood neighborhood, NoisyTable.Shape shape) {
        return switch (quantity) {
            case COUNT -> scalar(neighborhood, shape, BigInteger.ONE, BigInteger.ONE);
            case UNITS -> GroupSensitivity.ofUnits(neighborhood, shape.leavesOut(), shape.ofBlock());
            case SUM -> {
                Measure values = values();
                yield scalar(
                        neighborhood, shape, BigInteger.valueOf(values.lower()), BigInteger.valueOf(values.upper()));
            }
            case PAIR_OF_PUBLIC_ROWS -> scalar(neighborhood, shape, BigInteger.ZERO, total());
            case PAIR, TRIPLE, CELLS -> GroupSensitivity.ofTotal(neighborhood, total());
            case PRODUCTS ->
                scalar(neighborhood, shape, BigInteger.ZERO, products(values()).largestTerm());
        };
    }

    private static GroupSensitivity scalar(
            Neighborhood neighborhood, NoisyTable.Shape shape, BigInteger least, BigInteger greatest) {
        return GroupSensitivity.of(neighborhood, shape.filtered(), shape.groups(), least, greatest);
    }

    /** The statistics that the engine has to collect. */
    List<Statistic> statistics() {
        return switch (quantity) {
            case COUNT -> List.of(Statistic.Count.ofAll(0, true));
            case UNITS, SUM, PAIR, PAIR_OF_PUBLIC_ROWS -> List.of(values().sum());
            case TRIPLE, PRODUCTS -> List.of(values().sum(), products(values()));
            case CELLS -> List.copyOf(inCells());
        };
    }

    /** The exact integers of one group. */
    List<BigInteger> of(List<Buckets> group) {
        return switch (quantity) {
            case COUNT -> List.of(rows(0, group));
            case UNITS, SUM -> List.of(values().sum().of(group));
            case PAIR, PAIR_OF_PUBLIC_ROWS -> ends(group);
            case TRIPLE -> {
                List<BigInteger> ends = ends(group);
                BigInteger width = values().width();
                BigInteger products = products(values()).of(group);
                // u² = u·(R − v), and in the same way v².
                yield List.of(
                        ends.get(0).multiply(width).subtract(products),
                        products.shiftLeft(1),
                        ends.get(1).multiply(width).subtract(products));
            }
            case PRODUCTS -> List.of(products(values()).of(group));
            case CELLS -> inCells().stream().map(cell -> cell.of(group)).toList();
        };
    }

    /** Σu and Σv. */
    private List<BigInteger> ends(List<Buckets> group) {
        Measure values = values();
        BigInteger sum = values.sum().of(group);
        BigInteger rows = rows(values.table(), group);
        return List.of(
                sum.subtract(rows.multiply(BigInteger.valueOf(values.lower()))),
                rows.multiply(BigInteger.valueOf(values.upper())).subtract(sum));
    }

    // No statistic here is asked for a sensitivity, so it does not matter whether rows can be left out.

    private static BigInteger rows(int table, List<Buckets> group) {
        return Statistic.Count.ofAll(table, true).of(group);
    }

    private static Statistic.Products products(Measure values) {
        return new Statistic.Products(values.table(), true, values.lower(), values.upper());
    }

    private List<Statistic.RowsWithin> inCells() {
        return Objects.requireNonNull(cells).all();
    }

    private Measure values() {
        return Objects.requireNonNull(measure);
    }

    /** What is measured, as answers state it. */
    SequencedMap<String, Object> described() {
        SequencedMap<String, Object> described = new LinkedHashMap<>();
        boolean isCounted = measure != null && measure.counted() != null;
        described.put("statistic", isCounted && isOfMoments() ? "share" : quantity.label);
        if (measure != null && quantity != Quantity.UNITS) {
            described.put("column", measure.column());
        }
        if (cells != null) {
            described.put("column", cells.column());
            described.put("cells", cells.all().size());
        }
        if (measure != null && !isCounted) {
            described.put("lower", measure.grid().toDecimal(measure.lower()));
            described.put("upper", measure.grid().toDecimal(measure.upper()));
        }
        return described;
    }

    /** A number in steps, or in squared steps, converted to the unit of the data. */
    BigDecimal inData(BigDecimal steps) {
        return measure == null
                ? steps
                : steps.multiply(measure.grid().resolution().pow(quantity.degree));
    }

    /** A number in steps, converted to rows: divided by what one row adds. */
    Rational inRows(BigInteger steps) {
        return new Rational(steps, total());
    }
}
