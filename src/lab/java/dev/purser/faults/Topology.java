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

    /** A new view of the ledger's tables, past the services. */
    StoredBooks books() throws SQLException;

    /** What can go wrong here, by the machine's abilities; each states itself when it has to be left out. */
    List<Nemesis> nemeses();

    /** Brings the store up again, if a fault has stopped it; before services are started. */
    void healStore() throws IOException, InterruptedException;

    /**
     * Ends services and store, and puts away what they leave.
     *
     * @param kept where the ledger goes that broke an invariant; null if none did
     */
    void end(Path kept) throws IOException, InterruptedException;
}
