package dev.purser.faults;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;

/** How many services there are and on what store, and what can be done to them. */
interface Topology {
    String name();

    /** The services, at least one. Clients use all of them. */
    List<ServiceUnderTest> services();

    /** A new view of the ledger's tables, directly in the database. */
    StoredBooks books() throws SQLException;

    /** The faults that can be injected here. Each states itself if it has to be left out on this machine. */
    List<Nemesis> nemeses();

    /** Brings the store up again, if a fault has stopped it; before services are started. */
    void healStore() throws IOException, InterruptedException;

    /**
     * Ends services and store, and removes what they leave.
     *
     * @param kept where a ledger that broke an invariant is kept; null if no ledger did
     */
    void end(Path kept) throws IOException, InterruptedException;
}
