package dev.purser.journal;

import dev.purser.problem.ProblemException;
import dev.purser.store.StoreConnection;
import java.security.MessageDigest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The append-only record of what was decided besides charges, inside one transaction.
 *
 * <p><b>Guarantee.</b> A person who has the database without the home cannot change, remove, add or set back a deciding
 * row unnoticed. {@link #require} notices a row that is not the latest recorded version, whenever it is read.
 * {@link JournalCheck} also notices a row or an entry that was removed, at every start.
 *
 * <p><b>Construction.</b> An entry states its chain, its sequence number, the object, the SHA-256 of the object's
 * content, and the code of the entry before it. Its own code is the HMAC of all these under the key of the home
 * ({@link dev.purser.store.MacKey}). Without the key no entry can be made, moved to another place, or left out between
 * two others. The head of each chain is anchored outside the database before anybody is answered, like the heads of
 * accounts. So no entry can be left out at the end.
 *
 * <p><b>Failure story.</b> The entry is written in the transaction that writes the row, so both are there or neither
 * is. If we stop after the commit and before the head is anchored, the journal is ahead of its anchor. This is sound,
 * because nobody was answered.
 */
public final class Journal {
    /** The object of an entry after which confirmed entries are missing, because their loss was accepted. */
    static final String ACCEPTED_LOSS = "accepted loss";

    /** The object of the first entry. */
    static final String BEGUN = "begun";

    static final String COLUMNS = "j.sequence, j.object, j.content, j.previous, j.code";

    private static final String WITH_CHAIN = COLUMNS + ", j.chain";

    private static final String GONE = "the journal has an entry of it, and it is gone";

    private static final String FORMAT = "purser-journal-1";
    private static final HexFormat HEX = HexFormat.of();

    private static final String HEAD =
            "SELECT sequence, code FROM journal WHERE chain = ? ORDER BY sequence DESC LIMIT 1";

    /** Adds no entry if the entry before it is missing, because the chain was then set back. */
    private static final String APPEND = """
            INSERT INTO journal (chain, sequence, object, content, previous, code)
            SELECT ?, ?, ?, ?, ?, ?
            WHERE ? = 0 OR EXISTS (SELECT 1 FROM journal j WHERE j.chain = ? AND j.sequence = ? AND j.code = ?)
            ON CONFLICT DO NOTHING
            """;

    private static final String HEADS = """
            SELECT j.sequence, j.code, j.chain
            FROM journal j
                JOIN (SELECT chain, max(sequence) AS last FROM journal GROUP BY chain) l
                ON l.chain = j.chain AND l.last = j.sequence
            """;

    private static final String LATEST =
            "SELECT " + WITH_CHAIN + " FROM journal j WHERE j.object = ?" + " ORDER BY j.sequence DESC LIMIT 1";

    private static final String LATEST_OF_ONE = "(SELECT max(sequence) FROM journal WHERE object = ?)";

    /** Grouped by object, it would read all entries of the objects. */
    private static final String LATEST_OF_TWO = "SELECT " + LATEST_OF_ONE + ", " + LATEST_OF_ONE;

    private final StoreConnection connection;

    public Journal(StoreConnection connection) {
        this.connection = connection;
    }

    /**
     * An entry as it is stored.
     *
     * @param content SHA-256 of the object's content
     * @param previous the code of the entry before it; 32 zeros for the first
     * @param code its own code
     */
    public record Entry(String chain, long sequence, String object, byte[] content, byte[] previous, byte[] code) {
        /** @param row a row that begins with {@link Journal#COLUMNS} */
        static Entry of(String chain, ResultSet row) throws SQLException {
            return of(chain, row, 1);
        }

        private static Entry of(String chain, ResultSet row, int first) throws SQLException {
            return new Entry(
                    chain,
                    row.getLong(first),
                    row.getString(first + 1),
                    row.getBytes(first + 2),
                    row.getBytes(first + 3),
                    row.getBytes(first + 4));
        }

        /** @param row a row that ends with {@link Journal#WITH_CHAIN}; these columns are null if there is no entry */
        private static @Nullable Entry last(ResultSet row) throws SQLException {
            int chain = row.getMetaData().getColumnCount();
            String name = row.getString(chain);
            return name == null ? null : of(name, row, chain - 5);
        }

        Chain inChain() {
            return Chain.named(chain).orElseThrow();
        }

        Head head() {
            return Journal.head(sequence, code);
        }
    }

    /** Whether an entry was made with the key of this home. */
    boolean isGenuine(Entry entry) {
        return MessageDigest.isEqual(
                entry.code(), code(entry.chain(), entry.sequence(), entry.object(), entry.content(), entry.previous()));
    }

    private byte[] code(String chain, long sequence, String object, byte[] content, byte[] previous) {
        return connection
                .key()
                .code(new CanonicalBytes()
                        .text(FORMAT)
                        .text(chain)
                        .number(sequence)
                        .text(object)
                        .bytes(content)
                        .bytes(previous)
                        .bytes());
    }

    /**
     * A statement that finds one row together with the latest entry of its object. It always returns one row, so that a
     * missing row, a removed row and another principal's row take the same work. Its parameters are the parameters of
     * {@code from}, and then the object.
     *
     * @param columns the columns of the row; all are null if there is no row
     * @param from the table with its condition and its joins: {@code access_key k ON k.key_id = ?}
     */
    public static String lookup(String columns, String from) {
        return "SELECT " + columns + ", " + WITH_CHAIN + " FROM (SELECT 1 AS one) o LEFT JOIN " + from
                + " LEFT JOIN journal j ON j.object = ? ORDER BY j.sequence DESC LIMIT 1";
    }

    /**
     * Requires that the row of a {@link #lookup} is the latest recorded version. If {@code present} is null, this
     * requires that nothing was ever recorded of the object.
     *
     * @param present the row; null if there is no row, or rows in its state are not recorded
     * @return the entry; null if there is none
     * @throws ProblemException {@code internal-error} if this does not hold
     */
    public @Nullable Entry requireLast(String object, @Nullable JournaledRow present, ResultSet row)
            throws SQLException {
        Entry entry = Entry.last(row);
        if (present == null) {
            refuse(object, entry == null ? null : GONE);
        } else {
            // The database decides which texts a statement treats as equal.
            refuse(object, present.object().equals(object) ? faultOf(null, present, entry) : "another row is found");
        }
        return entry;
    }

    /** Records the present content of a row, in the transaction that writes it, and returns the number of the entry. */
    public long record(Chain chain, JournaledRow row) throws SQLException {
        return append(chain, 0, row.object(), row.content().digest());
    }

    /**
     * Appends an entry with a sequence number above {@code least}. Usually this connection wrote the last entry and
     * knows it. If another instance was first, the number is taken, and the new entry follows the entries of that
     * instance. The number locks the chain until this transaction ends, so that entries of several instances have one
     * order.
     *
     * @throws ProblemException {@code internal-error} if the chain lacks the known entry, or the database drops the new
     *     entry
     */
    long append(Chain chain, long least, String object, byte[] content) throws SQLException {
        String known = connection.lastHead(chain.name());
        Head last = known == null ? head(chain) : Head.parse(known);
        Entry next = after(chain, last, least, object, content);
        while (!insert(next, last)) {
            if (known != null && !has(chain, Head.parse(known))) {
                throw ChangedRow.refused("the chain " + chain, "its entry " + known + " is gone");
            }
            Head now = head(chain);
            if (Objects.equals(now, last)) {
                throw ChangedRow.refused("the chain " + chain, "the database drops an entry of it");
            }
            last = now;
            next = after(chain, last, least, object, content);
        }
        connection.noteHead(chain.name(), next.head().text());
        return next.sequence();
    }

    private Entry after(Chain chain, @Nullable Head head, long least, String object, byte[] content) {
        long sequence = Math.max(head == null ? 0 : head.sequence(), least) + 1;
        byte[] previous = head == null ? new byte[32] : HEX.parseHex(head.hash());
        byte[] code = code(chain.name(), sequence, object, content, previous);
        return new Entry(chain.name(), sequence, object, content, previous, code);
    }

    /** Returns whether the number was free and the entry before it is there. */
    private boolean insert(Entry entry, @Nullable Head last) throws SQLException {
        return connection.update(
                        APPEND,
                        entry.chain(),
                        entry.sequence(),
                        entry.object(),
                        entry.content(),
                        entry.previous(),
                        entry.code(),
                        last == null ? 0 : 1,
                        entry.chain(),
                        last == null ? 0 : last.sequence(),
                        entry.previous())
                == 1;
    }

    /** The last entry of a chain; null if it has none. */
    @Nullable
    Head head(Chain chain) throws SQLException {
        return connection.first(HEAD, Journal::head, chain.name()).orElse(null);
    }

    private static Head head(ResultSet row) throws SQLException {
        return head(row.getLong(1), row.getBytes(2));
    }

    static Head head(long sequence, byte[] code) {
        return new Head(sequence, HEX.formatHex(code));
    }

    /** The heads of all chains, by the names under which they are anchored. */
    public Map<String, Head> heads() throws SQLException {
        Map<String, Head> heads = new TreeMap<>();
        connection.each(HEADS, row -> heads.put(row.getString(3), head(row)));
        return heads;
    }

    /**
     * Requires that a row is the latest version that was recorded of it.
     *
     * @throws ProblemException {@code internal-error} if it is not
     */
    public void require(JournaledRow row) throws SQLException {
        refuse(row.object(), faultOf(null, row));
    }

    private void refuse(String object, @Nullable String fault) throws SQLException {
        if (fault != null) {
            connection.runAgain();
            throw ChangedRow.refused(object, fault);
        }
    }

    /**
     * Why a row is not the latest version that was recorded; null if it is.
     *
     * @param chain the chain that has to record the row; null if any chain may
     */
    @Nullable
    String faultOf(@Nullable Chain chain, JournaledRow row) throws SQLException {
        return faultOf(chain, row, latest(row.object()).orElse(null));
    }

    private @Nullable String faultOf(@Nullable Chain chain, JournaledRow row, @Nullable Entry entry) {
        if (entry == null) {
            return "the journal has no entry of it";
        }
        if (!isGenuine(entry)) {
            return "its entry in the journal was not made with this key";
        }
        if (!entry.object().equals(row.object())) {
            return "its entry in the journal is about another object";
        }
        if (chain != null && !chain.name().equals(entry.chain())) {
            return "its entry is in the chain " + entry.chain();
        }
        return MessageDigest.isEqual(entry.content(), row.content().digest())
                ? null
                : "it is not what the journal recorded last";
    }

    /**
     * Requires that nothing was ever recorded of an object that has no row.
     *
     * @throws ProblemException {@code internal-error} if something was recorded, so that the row was removed
     */
    public void requireNever(String object) throws SQLException {
        refuse(object, isRecorded(object) ? GONE : null);
    }

    /** Whether anything was ever recorded of an object. */
    public boolean isRecorded(String object) throws SQLException {
        return latest(object).isPresent();
    }

    /**
     * Whether one or two rows are unchanged since they were read. One statement finds this out. It does not look at the
     * rows: they were compared with these entries when they were read.
     *
     * @param entries the number of the latest entry of each row, by its object; 0 if there was no entry
     */
    public boolean areLatest(Map<String, Long> entries) throws SQLException {
        List<Map.Entry<String, Long>> rows = List.copyOf(entries.entrySet());
        if (rows.size() > 2) {
            throw new IllegalArgumentException("more than two rows: " + rows);
        }
        return connection
                .first(
                        LATEST_OF_TWO,
                        row -> row.getLong(1) == rows.getFirst().getValue()
                                && row.getLong(2) == rows.getLast().getValue(),
                        rows.getFirst().getKey(),
                        rows.getLast().getKey())
                .orElseThrow();
    }

    private Optional<Entry> latest(String object) throws SQLException {
        return connection.first(LATEST, row -> Entry.of(row.getString(6), row), object);
    }

    /** Whether the chain has exactly this entry. */
    boolean has(Chain chain, Head confirmed) throws SQLException {
        return connection
                .first(
                        "SELECT code FROM journal WHERE chain = ? AND sequence = ?",
                        row -> HEX.formatHex(row.getBytes(1)),
                        chain.name(),
                        confirmed.sequence())
                .filter(confirmed.hash()::equals)
                .isPresent();
    }
}
