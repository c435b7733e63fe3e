package dev.purser.dataset;

import java.time.Instant;

/**
 * The parts of a dataset that lists show. Nothing of its registration is read for them.
 *
 * @param account the ledger account its questions are charged to: its own id, or that of the dataset it shares with
 * @param custodian the principal that registered it
 */
public record ListedDataset(String id, String account, DatasetState state, String custodian, Instant registeredAt) {}
