package dev.purser.engine;

import dev.purser.dataset.Dataset;
import dev.purser.ledger.CommittedDebit;
import dev.purser.mechanism.Buckets;
import dev.purser.mechanism.Sensitive;
import java.util.List;

/**
 * Where rows are read. An engine does one thing: exact bucket statistics, one pass per request. A new engine is one class
 * that passes {@code DataEngineContract}.
 */
public interface DataEngine {
    /**
     * Reads the rows of {@code dataset}.
     *
     * @param debit proof that the question was paid for, durably, before this call: only the ledger makes one
     * @param requests from public facts alone, each on the dataset's own columns
     * @return one {@link Buckets} per request, in order
     * @throws dev.purser.problem.ProblemException {@code temporarily-unavailable}, one text whatever went wrong
     */
    Sensitive<List<Buckets>> collect(CommittedDebit debit, Dataset dataset, List<BucketRequest> requests);
}
