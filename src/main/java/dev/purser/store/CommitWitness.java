package dev.purser.store;

import java.io.IOException;
import java.util.Map;

/**
 * Is told what was committed before anyone is answered from it, so that a restored older database can be recognised.
 */
@FunctionalInterface
public interface CommitWitness {
    /**
     * Receives the accounts that have new heads since the last call that returned, each with its last head. Calls come
     * one at a time, in the order of the commits. While they fail, no request is answered, and the same heads are sent
     * again.
     */
    void committed(Map<String, String> heads) throws IOException;
}
