package dev.purser.query;

import dev.purser.dataset.Column;
import java.math.BigDecimal;
import java.util.List;

/**
 * An exact statistic of rows that a question asks for. Tables of the same rows have it too, so a synopsis can answer it
 * instead. A question whose values are clamped further than their column, or that counts units or groups, has no such
 * statistic.
 */
public sealed interface AskedStatistic {
    /** The probability with which the answer may be outside its bound. */
    BigDecimal beta();

    /** The condition that rows pass. */
    Where where();

    /** The number of rows. */
    record Count(BigDecimal beta, Where where) implements AskedStatistic {}

    /** The sum of a column. */
    record Sum(BigDecimal beta, Where where, Column.Numeric column) implements AskedStatistic {}

    /** The mean of a column. */
    record Mean(BigDecimal beta, Where where, Column.Numeric column) implements AskedStatistic {}

    /**
     * The numbers of rows in bins of a column.
     *
     * @param edges the edges of the bins, in stored integers; none if each category is a bin
     */
    record Histogram(BigDecimal beta, Where where, Column column, long[] edges) implements AskedStatistic {}

    /** The values of a column below which shares of the rows lie. */
    record Quantiles(BigDecimal beta, Where where, Column.Numeric column, List<BigDecimal> probabilities)
            implements AskedStatistic {}
}
