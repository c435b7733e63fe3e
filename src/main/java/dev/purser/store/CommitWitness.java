package dev.purser.store;

import java.io.IOException;
import java.util.Map;

/** Is told what was committed before anyone is answered from it, so that a database set back can be recognised. */
@FunctionalInterface
public interface CommitWitness {
    /**
     * The accounts that have new heads since the last call that returned, each with its last head. Calls come one after
     * another, in the order of the commits. While they fail, nobody is answered, and the same heads come again.
     */
    void committed(Map<String, String> heads) throws IOException;
}
