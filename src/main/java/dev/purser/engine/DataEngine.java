package dev.purser.engine;

import dev.purser.dataset.Dataset;
import dev.purser.ledger.CommittedDebit;
import dev.purser.mechanism.Buckets;
import dev.purser.mechanism.Sensitive;
import java.util.List;

/**
 * Reads rows: computes exact bucket statistics, one pass per request. A new engine is one class that passes
 * {@code DataEngineContract}.
 */
public interface DataEngine {
    /**
     * Reads the rows of {@code dataset}.
     *
     * @param debit proof that the question's charge was committed before this call: only the ledger creates one
     * @param requests the passes, which follow from public facts alone; each is on the dataset's own columns
     * @return one {@link Buckets} per request, in order
     * @throws dev.purser.problem.ProblemException {@code temporarily-unavailable}, with one text for every failure
     */
    Sensitive<List<Buckets>> collect(CommittedDebit debit, Dataset dataset, List<BucketRequest> requests);
}
