package dev.purser.engine;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.privacy.PrivacyUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The common part of requests that can share a pass over the rows. */
record SharedPass(@Nullable Column column, Filter filter, List<GroupKey> keys, boolean units) {
    /**
     * @throws IllegalArgumentException if a column is not the dataset's, or if units are counted that no column names.
     *     Such a planning error is public.
     */
    static SharedPass of(Dataset dataset, BucketRequest request) {
        List<Column> columns = new ArrayList<>();
        request.filter().conditions().forEach(condition -> columns.add(condition.column()));
        request.keys().forEach(key -> columns.add(key.column()));
        if (request.column() != null) {
            columns.add(request.column());
        }
        if (request.units() && dataset.privacyUnit() instanceof PrivacyUnit.Row) {
            throw new IllegalArgumentException("no column names the units of dataset " + dataset.id());
        }
        for (Column column : columns) {
            if (!dataset.columns().contains(column)) {
                throw new IllegalArgumentException("not a column of dataset " + dataset.id() + ": " + column.name());
            }
        }
        return new SharedPass(request.column(), request.filter(), request.keys(), request.units());
    }
}
