package dev.purser.ledger;

import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Holds an account's books against themselves: the chain as {@link ChainVerifier} wants it, and every charge with the question
 * it was made for.
 *
 * <p>What the account says of itself is looked up first, all as of one moment. The entries up to that moment never change, so
 * that they can be read page by page at later ones: two threads read pages and compute their hashes, which is most of the
 * work, and the pages are joined in their order. No snapshot is kept open meanwhile, which would keep the write-ahead log from
 * being emptied. Takes memory by a few pages and the number of analysts.
 */
final class Verification {
    private static final int THREADS = 2;
    private static final int PAGE = 4096;

    /** Read ahead of the page that is joined. */
    private static final int PAGES_AHEAD = THREADS + 1;

    /** Shared, so that verifications take at most as many of the database's readers, whoever asks for them. */
    private static final ExecutorService READERS = Executors.newFixedThreadPool(
            THREADS, Thread.ofPlatform().daemon().name("ledger-verifier-", 1).factory());

    /** What the books say of the account as a whole, at one moment; the row is null where there is none that can be one. */
    private record Summary(@Nullable Account row, List<Allotment> allotments, long lastSequence, long questions) {
        static Summary of(Books books, String account) throws SQLException {
            long lastSequence = books.lastSequence(account);
            long questions = books.questions(account);
            try {
                return new Summary(
                        books.account(account).orElse(null), books.allotments(account), lastSequence, questions);
            } catch (IllegalArgumentException notAnAmount) {
                return new Summary(null, List.of(), lastSequence, questions);
            }
        }
    }

    /** An entry, whether it has the hash that belongs to it, and whether it was made for its question. */
    private record Booking(LedgerEntry entry, boolean hashed, boolean paidForItsQuestion) {}

    /** @param notAnEntry what the row after these has that no entry can have; null if there is no such row */
    private record Page(List<Booking> bookings, @Nullable String notAnEntry) {}

    private final LedgerStore store;
    private final String account;
    private final ChainVerifier chain;
    private long charges;
    private boolean paid = true;

    private Verification(LedgerStore store, String account) {
        this.store = store;
        this.account = account;
        this.chain = new ChainVerifier(account);
    }

    /** @param store that several threads can look at */
    static ChainVerification of(LedgerStore store, String account) {
        Verification verification = new Verification(store, account);
        Summary summary = store.look(books -> Summary.of(books, account));
        verification.readUpTo(summary.lastSequence());
        return verification.against(summary);
    }

    /** A gap ends it: an entry that was given a number far off must not make this take for ever. */
    private void readUpTo(long last) {
        Deque<CompletableFuture<Page>> ahead = new ArrayDeque<>();
        long asked = 0;
        long joined = 0;
        while (joined < last) {
            while (asked < last && ahead.size() < PAGES_AHEAD) {
                long after = asked;
                asked = Math.min(last, after + PAGE);
                long upTo = asked;
                ahead.add(CompletableFuture.supplyAsync(() -> page(after, upTo), READERS));
            }
            joined = Math.min(last, joined + PAGE);
            if (!join(awaited(ahead.remove()), joined)) {
                return;
            }
        }
    }

    private static Page awaited(CompletableFuture<Page> page) {
        try {
            return page.join();
        } catch (CompletionException failure) {
            if (failure.getCause() instanceof Error error) {
                throw error;
            }
            // Reading a page throws nothing checked.
            throw (RuntimeException) Objects.requireNonNull(failure.getCause());
        }
    }

    private Page page(long after, long upTo) {
        return store.look(books -> {
            List<Booking> bookings = new ArrayList<>(PAGE);
            try {
                books.bookings(account, after, upTo, (entry, paidForItsQuestion) -> {
                    boolean hashed = entry.hash().equals(LedgerChain.hash(account, entry));
                    bookings.add(new Booking(entry, hashed, paidForItsQuestion));
                });
                return new Page(bookings, null);
            } catch (IllegalArgumentException notAnEntry) {
                // An amount or a type that no entry can have.
                return new Page(bookings, String.valueOf(notAnEntry.getMessage()));
            }
        });
    }

    /** Whether the chain has come to {@code upTo} with this page. */
    private boolean join(Page page, long upTo) {
        try {
            page.bookings().forEach(this::join);
        } catch (IllegalArgumentException notASum) {
            chain.require(false, "entry " + (chain.entries() + 1) + ": " + notASum.getMessage());
        }
        chain.require(page.notAnEntry() == null, "entry " + (chain.entries() + 1) + ": " + page.notAnEntry());
        return chain.entries() == upTo;
    }

    private void join(Booking booking) {
        chain.read(booking.entry(), booking.hashed());
        paid &= booking.paidForItsQuestion();
        if (booking.entry().type() == LedgerEntry.Type.CHARGE) {
            charges++;
        }
    }

    private ChainVerification against(Summary summary) {
        chain.require(
                chain.isSummarisedBy(summary.row(), summary.allotments()),
                "the account's row or allotments do not say what its last entry says");
        chain.require(
                paid && charges == summary.questions(),
                "the questions are not the ones that the entries were charged for");
        return chain.verification();
    }
}
