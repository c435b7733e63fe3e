package dev.purser.journal;

import dev.purser.store.Database;
import dev.purser.store.StoreConnection;
import io.micrometer.core.instrument.Metrics;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Compares the journal with itself, with the anchored heads and with all deciding rows.
 *
 * <p>A chain is sound if its entries were made with the key of the home, have the numbers 1, 2, 3 … without a gap, and
 * each follow from the entry before. Its rows are sound if each row is what its latest entry states, in this chain, and
 * if each object has one row. Memory does not grow with the number of entries or rows.
 */
@Component
public final class JournalCheck {
    private static final Logger log = LoggerFactory.getLogger(JournalCheck.class);
    private static final int PAGE = 1_000;

    private static final String ENTRIES = "SELECT " + Journal.COLUMNS
            + " FROM journal j WHERE j.chain = ? AND j.sequence > ? ORDER BY j.sequence LIMIT ?";

    private static final String OBJECTS =
            "SELECT DISTINCT object FROM journal WHERE chain = ? AND object NOT IN (?, ?)";

    /**
     * Objects that never change and still have entries with different contents. An answer has such entries if it was
     * drawn again after its first entry was hidden.
     */
    private static final String DECIDED_TWICE = """
            SELECT object FROM journal
            WHERE chain = ? AND (object LIKE 'answer %' OR object LIKE 'step %' OR object LIKE 'form %'
                OR object LIKE 'plan %' OR object LIKE 'refinement of %'
                OR object LIKE 'registration %' OR object LIKE 'fingerprint %')
            GROUP BY object HAVING count(DISTINCT content) > 1 ORDER BY object LIMIT 1
            """;

    private final List<JournaledRows> kinds;

    /** @param kinds every kind of deciding rows */
    public JournalCheck(List<JournaledRows> kinds) {
        this.kinds = kinds;
        // The meter is 0 from the start, because Prometheus does not count a step from no value to 1 as an increase.
        Metrics.counter(ChangedRow.METER);
    }

    /** Whether a journal was begun here. From then on a row without an entry is refused. */
    public boolean isBegun(Database database) {
        return database.readOne(connection -> new Journal(connection).head(Chain.ACCESS)) != null;
    }

    /** Begins the journal with an entry, so that the anchor has a head before anything is decided. */
    public void begin(Database database) {
        database.write(Database.NO_ACCOUNT, connection -> {
            new Journal(connection).record(Chain.ACCESS, new JournaledRow(Journal.BEGUN, new CanonicalBytes()));
            return null;
        });
    }

    /** All chains that have entries or may have rows. */
    private TreeSet<String> chains(StoreConnection connection) throws SQLException {
        TreeSet<String> names = new TreeSet<>(new Journal(connection).heads().keySet());
        for (JournaledRows rows : kinds) {
            rows.chains(connection).forEach(chain -> names.add(chain.name()));
        }
        return names;
    }

    /** The first fault of all chains and rows, as the beginning of a sentence; null if there is none. */
    public @Nullable String fault(Database database) {
        for (String name : database.read(this::chains)) {
            Optional<Chain> chain = Chain.named(name);
            String fault = chain.isEmpty()
                    ? "the journal has entries of \"" + name + "\", which is no chain"
                    : fault(database, chain.orElseThrow());
            if (fault != null) {
                return fault;
            }
        }
        return null;
    }

    /** The first fault of an account's chains and their rows; null if there is none. */
    public @Nullable String faultOfAccount(Database database, String account) {
        String fault = fault(database, Chain.ofAccount(account));
        return fault == null ? fault(database, Chain.ofSessions(account)) : fault;
    }

    /** The rows that {@link #faultOfAccount} compares with the journal, in the plural. */
    public List<String> coversOfAccount() {
        return kinds.stream()
                .filter(rows -> rows.kind() == Chain.Kind.ACCOUNT || rows.kind() == Chain.Kind.SESSIONS)
                .map(JournaledRows::name)
                .sorted()
                .toList();
    }

    private @Nullable String fault(Database database, Chain chain) {
        return database.read(connection -> {
            String fault = faultOfEntries(connection, chain);
            return fault == null ? faultOfRows(connection, chain) : fault;
        });
    }

    private static @Nullable String faultOfEntries(StoreConnection connection, Chain chain) throws SQLException {
        Journal journal = new Journal(connection);
        long sequence = 0;
        byte[] code = new byte[32];
        List<Journal.Entry> page;
        do {
            page = connection.all(ENTRIES, row -> Journal.Entry.of(chain.name(), row), chain.name(), sequence, PAGE);
            for (Journal.Entry entry : page) {
                boolean follows = entry.sequence() == sequence + 1
                        || entry.object().equals(Journal.ACCEPTED_LOSS) && entry.sequence() > sequence;
                if (!follows || !Arrays.equals(entry.previous(), code)) {
                    return "entry " + (sequence + 1) + " of the journal's chain " + chain + " is missing";
                }
                if (!journal.isGenuine(entry)) {
                    return "entry " + entry.sequence() + " of the journal's chain " + chain.name()
                            + " was not made with this key";
                }
                sequence = entry.sequence();
                code = entry.code();
            }
        } while (page.size() == PAGE);
        return null;
    }

    private @Nullable String faultOfRows(StoreConnection connection, Chain chain) throws SQLException {
        Journal journal = new Journal(connection);
        long[] missing = {0};
        byte[] unpaired = new byte[32];
        byte[] secret = connection
                .key()
                .code(new CanonicalBytes().text("purser-objects-1").bytes());
        @Nullable String[] fault = {null};
        for (JournaledRows rows : kinds) {
            rows.each(connection, chain, row -> {
                missing[0]--;
                change(unpaired, secret, row.object());
                String found = fault[0] == null ? journal.faultOf(chain, row) : null;
                fault[0] = found == null ? fault[0] : row.object() + " was changed: " + found;
            });
        }
        String twice = connection
                .first(DECIDED_TWICE, row -> row.getString(1), chain.name())
                .orElse(null);
        if (fault[0] == null && twice != null) {
            fault[0] = twice + " was recorded twice, with different contents";
        }
        connection.each(
                OBJECTS,
                row -> {
                    missing[0]++;
                    change(unpaired, secret, row.getString(1));
                },
                chain.name(),
                Journal.ACCEPTED_LOSS,
                Journal.BEGUN);
        if (fault[0] != null || missing[0] == 0 && Arrays.equals(unpaired, new byte[32])) {
            return fault[0];
        }
        return missing[0] > 0
                ? missing[0] + " rows that the journal's chain " + chain + " records are missing"
                : "a row that the journal's chain " + chain + " records is there twice";
    }

    /**
     * Adds an object to a set or removes it, as {@code collection.SetDigest} does. A person without the home cannot
     * choose objects whose digests cancel out.
     */
    private static void change(byte[] set, byte[] secret, String object) {
        byte[] digest = new CanonicalBytes().bytes(secret).text(object).digest();
        for (int i = 0; i < set.length; i++) {
            set[i] ^= digest[i];
        }
    }

    /**
     * Looks for confirmed heads of the journal that the database lacks. If a chain of sessions lacks its head, its
     * sessions are ended, and this counts as no loss.
     *
     * @param confirmed the anchored heads, with the heads of accounts among them
     * @return the first loss, as a sentence; null if there is none
     */
    public @Nullable String lossOf(StoreConnection connection, Map<String, Head> confirmed) throws SQLException {
        for (Map.Entry<Chain, Head> lost : lost(connection, confirmed).entrySet()) {
            Chain chain = lost.getKey();
            if (chain.kind() != Chain.Kind.SESSIONS) {
                return "The journal's chain " + chain + " lacks entry "
                        + lost.getValue().sequence() + ", which was confirmed.";
            }
            log.warn(
                    "the sessions of account {} are closed: the database lacks steps of them; closed: {}",
                    chain.owner(),
                    accept(connection, chain, lost.getValue()));
        }
        return null;
    }

    /**
     * Lets every chain that lacks a confirmed entry go on after it.
     *
     * @return one sentence for each such chain
     */
    public List<String> acceptLosses(StoreConnection connection, Map<String, Head> confirmed) throws SQLException {
        List<String> losses = new ArrayList<>();
        for (Map.Entry<Chain, Head> lost : lost(connection, confirmed).entrySet()) {
            int ended = accept(connection, lost.getKey(), lost.getValue());
            losses.add("the journal's chain " + lost.getKey() + " lost entries; open sessions closed: " + ended);
        }
        return losses;
    }

    /** Whether a chain lacks its confirmed head. */
    public boolean hasLost(StoreConnection connection, Chain chain, Map<String, Head> confirmed) throws SQLException {
        Head head = confirmed.get(chain.name());
        return head != null && !new Journal(connection).has(chain, head);
    }

    /** The confirmed heads that the journal lacks. */
    private static Map<Chain, Head> lost(StoreConnection connection, Map<String, Head> confirmed) throws SQLException {
        Map<Chain, Head> lost = new LinkedHashMap<>();
        for (Map.Entry<String, Head> each : new TreeMap<>(confirmed).entrySet()) {
            Optional<Chain> chain = Chain.named(each.getKey());
            if (chain.isPresent() && !new Journal(connection).has(chain.orElseThrow(), each.getValue())) {
                lost.put(chain.orElseThrow(), each.getValue());
            }
        }
        return lost;
    }

    private int accept(StoreConnection connection, Chain chain, Head confirmed) throws SQLException {
        new Journal(connection).append(chain, confirmed.sequence(), Journal.ACCEPTED_LOSS, new byte[32]);
        return endAfterLoss(connection, chain);
    }

    /** Ends what must not go on after a loss. */
    public int endAfterLoss(StoreConnection connection, Chain chain) throws SQLException {
        int ended = 0;
        for (JournaledRows rows : kinds) {
            ended += rows.end(connection, chain);
        }
        return ended;
    }
}
