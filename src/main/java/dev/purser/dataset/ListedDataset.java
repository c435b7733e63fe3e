package dev.purser.dataset;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a dataset that lists show. Its registration, which may be long, is not read for them.
 *
 * @param title what its custodian calls it; null without one
 * @param account the ledger account its questions are charged to: its own id, or that of the dataset it shares with
 * @param custodian the principal that registered it
 */
public record ListedDataset(
        String id,
        @Nullable String title,
        String account,
        DatasetState state,
        String custodian,
        Instant registeredAt) {}
