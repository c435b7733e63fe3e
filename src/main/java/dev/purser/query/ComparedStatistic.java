package dev.purser.query;

import dev.purser.dataset.Dataset;
import dev.purser.engine.BucketRequest;
import dev.purser.json.ObjectReader;
import dev.purser.mechanism.Statistic;
import dev.purser.privacy.Grid;
import java.util.List;
import java.util.Optional;

/**
 * One statistic to be compared with a threshold, as an entry of {@code queries} of a threshold question.
 *
 * @param grid the grid of its value
 * @param requests the data it is read from
 */
public record ComparedStatistic(Statistic statistic, Grid grid, List<BucketRequest> requests) {
    /** Reads an object with exactly one of {@code count}, {@code sum} and {@code clipLoss}. */
    public static Optional<ComparedStatistic> read(ObjectReader in, Dataset dataset) {
        return ThresholdItem.read(in, dataset).map(item -> {
            ThresholdList one = ThresholdList.of(List.of(item));
            return new ComparedStatistic(
                    one.statistics().getFirst(), one.grid(), one.plan().requests(one.statistics()));
        });
    }
}
