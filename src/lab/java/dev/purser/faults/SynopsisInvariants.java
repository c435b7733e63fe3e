package dev.purser.faults;

import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/** I20: a synopsis has the id of its entry, answers for ever, and no other draw of it stays in the database. */
record SynopsisInvariants(SynopsisReader free, Findings findings, Duration patience) {
    private static final int PAUSE_MILLIS = 100;

    /** Checks the database, and asks at most this many of a dataset's synopses. */
    void check(TestDataset dataset, List<Booked> entries, StoredBooks books, RandomGenerator drawn, int asked)
            throws SQLException, InterruptedException {
        Map<String, String> ids = new HashMap<>();
        entries.forEach(entry -> ids.put(entry.key(), entry.queryId()));
        List<Exchange> synopses = dataset.synopses();
        for (Exchange bought : synopses) {
            String key = bought.asked().key();
            findings.holds(
                    bought.synopsisId().equals(ids.get(key)),
                    "I20",
                    "synopsis " + bought.synopsisId() + " is of entry " + ids.get(key),
                    key);
        }
        checkSwept(dataset, books);
        free.readBack(some(synopses, drawn, asked), patience);
    }

    private static List<Exchange> some(List<Exchange> synopses, RandomGenerator drawn, int most) {
        return synopses.size() <= most
                ? synopses
                : drawn.ints(most, 0, synopses.size()).mapToObj(synopses::get).toList();
    }

    /** The service sweeps after its start. A synopsis that was answered before then has only its own pieces. */
    private void checkSwept(TestDataset dataset, StoredBooks books) throws SQLException, InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        Set<String> left = left(dataset, books);
        while (!left.isEmpty() && System.nanoTime() < deadline) {
            Thread.sleep(PAUSE_MILLIS);
            left = left(dataset, books);
        }
        left.stream()
                .limit(3)
                .forEach(key -> findings.broken("I20", "pieces of another draw stay in the database", key));
    }

    private static Set<String> left(TestDataset dataset, StoredBooks books) throws SQLException {
        Set<String> left = new TreeSet<>(books.keysWithLeftovers(dataset.id()));
        left.retainAll(dataset.synopsesBeforeRestart().stream()
                .map(bought -> bought.asked().key())
                .toList());
        return left;
    }
}
