package dev.purser.faults;

import dev.purser.privacy.BlockWindow;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** Checks a dataset's ledger, as stored in the database, against what the witness saw. Nobody may ask meanwhile. */
final class Invariants {
    /** Refinements that were answered. */
    static final String REFINED = "refinements answered";

    /** Refinements that have another number than the answer that they refine. */
    static final String MOVED = "refinements with another number";

    private final Witness witness;
    private final Findings findings;

    Invariants(Witness witness, Findings findings) {
        this.witness = witness;
        this.findings = findings;
    }

    /** Checks the whole account, and gives its entries. */
    List<Booked> check(TestDataset dataset, StoredBooks books) throws SQLException {
        String account = books.account(dataset.id());
        List<Booked> entries = books.entries(account);
        StoredBooks.Summary summary = books.summary(account);
        checkChain(entries, summary);
        checkSums(entries, summary);
        checkForward(dataset.seen(), entries, summary);
        checkAgainstWitness(dataset, entries, checkedPlans(dataset, entries, books));
        checkRefinements();
        dataset.saw(summary);
        findings.count("entries checked", entries.size());
        return entries;
    }

    /**
     * I25: almost nothing was paid for a refinement, so at most one in 500 has other noise. If refinements drew noise
     * of their own, nearly all would have other noise.
     */
    private void checkRefinements() {
        long refined = findings.counted(REFINED);
        long moved = findings.counted(MOVED);
        findings.holds(
                moved <= 4 + refined / 20, "I25", moved + " of " + refined + " refinements have other noise", "");
    }

    /** I17: a copy is the ledger as of one moment, with every answer from before the copy was begun. */
    void checkCopy(TestDataset dataset, List<Exchange> before, StoredBooks copied, StoredBooks present)
            throws SQLException {
        String account = copied.account(dataset.id());
        List<Booked> entries = copied.entries(account);
        StoredBooks.Summary summary = copied.summary(account);
        checkChain(entries, summary);
        checkSums(entries, summary);
        List<Booked> now = present.entries(account);
        findings.holds(
                entries.size() <= now.size()
                        && entries.getLast()
                                .hash()
                                .equals(now.get(entries.size() - 1).hash()),
                "I17",
                "the copy ends at " + summary + ", which is no entry of the ledger",
                "");
        Set<String> keys = entries.stream().map(Invariants::key).collect(Collectors.toSet());
        copied.plans(dataset.id()).forEach(plan -> keys.add(plan.key()));
        for (Exchange answered : before) {
            String key = answered.asked().key();
            findings.holds(keys.contains(key), "I17", "answered before the backup, but not in it", key);
        }
    }

    /** I7: the entries are dense and linked, and every hash is the hash of its entry. */
    private void checkChain(List<Booked> entries, StoredBooks.Summary summary) {
        String previous = EntryHash.GENESIS;
        long sequence = 0;
        for (Booked entry : entries) {
            findings.holds(
                    entry.sequence() == ++sequence
                            && entry.previousHash().equals(previous)
                            && entry.hash().equals(EntryHash.of(entry)),
                    "I7",
                    "the chain breaks at entry " + entry.sequence() + " of " + entry.account(),
                    key(entry));
            previous = entry.hash();
        }
        findings.holds(
                summary.headSequence() == sequence && summary.headHash().equals(previous),
                "I7",
                "the account's head is " + summary + ", its last entry " + sequence + " " + previous,
                "");
    }

    /**
     * I1 and I2: what is spent is the sum of the charges, and within the limit of the moment at every prefix. With
     * blocks, this holds for each block, and the account has the most that is spent of one block.
     */
    private void checkSums(List<Booked> entries, StoredBooks.Summary summary) {
        long[] sums = new long[blocks(entries)];
        long spent = 0;
        long limit = 0;
        for (Booked entry : entries) {
            limit = entry.isCharge() ? limit : entry.limitAfter()[0];
            long window = spend(sums, entry);
            spent = Math.max(spent, window);
            findings.holds(
                    entry.isCharge() == entry.chargedNanos() > 0
                            && entry.spentAfter()[0] == spent
                            && (!entry.isCharge() || entry.spentNanos() == window),
                    "I1",
                    "entry " + entry.sequence() + " says spent " + entry.spentNanos() + " and " + entry.spentAfter()[0]
                            + ", its prefix sums to " + window + " and " + spent,
                    key(entry));
            findings.holds(
                    spent <= limit && entry.limitAfter()[0] == limit,
                    "I2",
                    "entry " + entry.sequence() + " makes " + spent + " spent of " + limit,
                    key(entry));
        }
        findings.holds(
                summary.spentNanos() == spent && summary.limitNanos() == limit,
                "I1",
                "the account says " + summary + ", its entries " + spent + " spent of " + limit,
                "");
    }

    private static int blocks(List<Booked> entries) {
        return entries.isEmpty() ? 1 : entries.getFirst().blocks();
    }

    /** Adds a charge to every block that it was charged to, and gives the largest sum of these blocks. */
    private static long spend(long[] sums, Booked entry) {
        return DividedDataset.blocks(entry.charged())
                .mapToLong(block -> sums[block] = Math.addExact(sums[block], entry.chargedNanos()))
                .max()
                .orElseThrow();
    }

    /** I8: what was seen before is still there, and nothing was given back. */
    private void checkForward(StoredBooks.Summary before, List<Booked> entries, StoredBooks.Summary now) {
        boolean stands = entries.size() >= before.headSequence()
                && (before.headSequence() == 0
                        || entries.get((int) before.headSequence() - 1).hash().equals(before.headHash()));
        findings.holds(
                stands && now.spentNanos() >= before.spentNanos(), "I8", "was " + before + ", is now " + now, "");
    }

    /**
     * I19: of a plan, all questions have an entry under the plan's row, or none has; the reply that was seen is made of
     * their stored answers. Gives the keys of all plans.
     */
    private Set<String> checkedPlans(TestDataset dataset, List<Booked> entries, StoredBooks books) throws SQLException {
        Map<String, Booked> items =
                entries.stream().filter(Booked::isOfPlan).collect(Collectors.toMap(Booked::queryId, entry -> entry));
        Set<String> keys = new HashSet<>();
        for (StoredBooks.Plan plan : books.plans(dataset.id())) {
            keys.add(plan.key());
            Exchange exchange = witness.exchange(plan.key());
            List<Booked> charged = plan.items().stream()
                    .map(items::remove)
                    .filter(Objects::nonNull)
                    .toList();
            findings.holds(
                    exchange != null && isPaid(plan, exchange.asked(), charged),
                    "I19",
                    "the entries are not those of the plan: " + plan + ": " + charged,
                    plan.key());
            if (exchange != null && exchange.answer() != null) {
                findings.count("plans answered");
                findings.holds(
                        exchange.answer().bodyDigest().equals(books.replyDigest(plan)),
                        "I19",
                        "the stored answers are not those that were sent",
                        plan.key());
            }
        }
        items.values().stream()
                .limit(3)
                .forEach(entry -> findings.broken("I19", "an entry of a plan without the plan: " + entry));
        return keys;
    }

    private static boolean isPaid(StoredBooks.Plan plan, Asked asked, List<Booked> charged) {
        return plan.operation().equals(asked.operation())
                && plan.requestDigest().equals(asked.bodyDigest())
                && charged.stream().map(Booked::chargedNanos).toList().equals(asked.nanosOfItems())
                && charged.stream()
                        .allMatch(entry -> entry.key().equals(entry.queryId())
                                && entry.principal().equals(asked.principal())
                                && entry.analyst().equals(asked.principal())
                                && entry.operation().equals(plan.operation())
                                && EntryHash.ofRequest(
                                                entry.dataset(), entry.operation(), entry.key(), entry.requestDigest())
                                        .equals(entry.requestHash()));
    }

    private void checkAgainstWitness(TestDataset dataset, List<Booked> entries, Set<String> plans) {
        Map<String, Booked> byKey = new HashMap<>();
        for (Booked entry : entries) {
            if (entry.isCharge() && !entry.isSession() && !entry.isOfPlan()) {
                findings.holds(byKey.put(entry.key(), entry) == null, "I3", "two entries under one key", entry.key());
                checkEntry(entry);
            }
        }
        long[] answered = new long[blocks(entries)];
        for (Exchange exchange : witness.of(dataset.id())) {
            boolean isBooked = (exchange.asked().isPlan() ? plans : byKey.keySet())
                    .contains(exchange.asked().key());
            if (exchange.answer() != null) {
                DividedDataset.blocks(exchange.window() == null ? new BlockWindow(0, 0) : exchange.window())
                        .forEach(block -> answered[block] += exchange.asked().epsilonNanos());
                findings.holds(
                        isBooked,
                        "I3",
                        "answered, but there is no entry",
                        exchange.asked().key());
            } else if (exchange.isRefused()) {
                findings.holds(
                        !isBooked,
                        "I9",
                        "refused, but there is an entry",
                        exchange.asked().key());
            }
        }
        long spent = entries.isEmpty() ? 0 : entries.getLast().spentAfter()[0];
        long worth = LongStream.of(answered).max().orElseThrow();
        findings.holds(
                worth <= spent,
                "I12",
                "the answers that were seen are worth " + worth + ", spent is " + spent
                        + "; the difference in binary is " + Long.toBinaryString(worth - spent),
                "");
    }

    /** I3, I12: the entry belongs to the request, and its stored answer is the answer that was seen. */
    private void checkEntry(Booked entry) {
        Exchange exchange = witness.exchange(entry.key());
        if (exchange == null) {
            findings.broken("I3", "an entry under a key that was never sent", entry.key());
            return;
        }
        Asked asked = exchange.asked();
        findings.holds(
                asked.principal().equals(entry.principal())
                        && asked.principal().equals(entry.analyst())
                        && asked.dataset().equals(entry.dataset())
                        && asked.operation().equals(entry.operation())
                        && EntryHash.ofRequest(asked).equals(entry.requestHash())
                        && asked.bodyDigest().equals(entry.requestDigest()),
                "I3",
                "the entry is not that of the request: " + entry,
                entry.key());
        findings.holds(
                entry.chargedNanos() == asked.epsilonNanos(),
                "I12",
                "asked for " + asked.epsilonNanos() + " nano-epsilon, charged " + entry.chargedNanos(),
                entry.key());
        if (exchange.answer() != null) {
            findings.holds(
                    exchange.answer().bodyDigest().equals(entry.bodyDigest()),
                    "I3",
                    "the stored answer is not the one that was sent",
                    entry.key());
        }
    }

    private static String key(Booked entry) {
        return entry.key() == null ? "" : entry.key();
    }
}
