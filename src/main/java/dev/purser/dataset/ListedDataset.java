package dev.purser.dataset;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a dataset that lists show. They are read without its registration, which may be long.
 *
 * @param title the title that its custodian gave; null if there is none
 * @param account the ledger account that its questions are charged to: its own id, or the account of the dataset that
 *     it shares an account with
 * @param custodian the principal that registered it
 */
public record ListedDataset(
        String id,
        @Nullable String title,
        String account,
        DatasetState state,
        String custodian,
        Instant registeredAt) {}
