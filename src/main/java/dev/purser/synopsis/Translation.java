package dev.purser.synopsis;

import dev.purser.dataset.Column;
import dev.purser.query.AskedStatistic;
import java.util.Optional;

/** Translates a question about rows to the same question about a synopsis. */
final class Translation {
    private Translation() {}

    /** The question about the synopsis that has the same exact answer; empty if there is none. */
    static Optional<? extends FreeQuestion> of(AskedStatistic asked, Synopsis synopsis) {
        ChosenCells cells = new ChosenCells(synopsis, null);
        Column.Numeric measure = synopsis.cells().measure();
        if (synopsis.cells().leavesOut() || measure != null && !(asked instanceof AskedStatistic.Sum)) {
            return Optional.empty();
        }
        return switch (asked) {
            case AskedStatistic.Count count -> FreeQuestion.Linear.count(cells.of(count.where()));
            case AskedStatistic.Sum sum
            when hasSingleValues(sum.column(), synopsis) ->
                FreeQuestion.Linear.sum(
                        cells,
                        Optional.of(sum.column().name())
                                .filter(name -> !sum.column().equals(measure)),
                        cells.of(sum.where()));
            case AskedStatistic.Mean mean
            when hasSingleValues(mean.column(), synopsis) ->
                FreeQuestion.Mean.of(
                        cells,
                        cells.of(mean.where()),
                        cells.numbers(mean.column().name()));
            case AskedStatistic.Histogram histogram
            when histogram.where().isEmpty() -> FreeQuestion.Histogram.of(cells, histogram.column(), histogram.edges());
            case AskedStatistic.Quantiles quantiles
            when quantiles.where().isEmpty() && hasSingleValues(quantiles.column(), synopsis) ->
                FreeQuestion.Quantiles.of(
                        cells,
                        Optional.of(quantiles.probabilities()),
                        cells.ordered(quantiles.column().name()));
            default -> Optional.empty();
        };
    }

    /** Whether no cell has several values of a column. */
    private static boolean hasSingleValues(Column column, Synopsis synopsis) {
        int place = synopsis.place(column.name());
        return place < 0 || !Statements.isWide(synopsis.cells().keys().get(place));
    }
}
