package dev.purser.ledger;

import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Verifies an account's books: the chain with {@link ChainVerifier}, and every charge against the question it was made
 * for.
 *
 * <p>The account's summary is read first, as of one moment. The entries up to that moment never change, so they can be
 * read page by page later. Two threads read pages and compute their hashes, which is most of the work. The pages are
 * joined in order. No snapshot stays open meanwhile, because it would keep the write-ahead log from being truncated.
 * Memory holds a few pages and grows with the numbers of analysts and of blocks.
 */
final class Verification {
    private static final int THREADS = 2;
    private static final int PAGE = 4096;

    /** How many pages are read ahead. */
    private static final int PAGES_AHEAD = THREADS + 1;

    /** Shared by all verifications, which bounds how many of the database's readers they use together. */
    private static final ExecutorService READERS = Executors.newFixedThreadPool(
            THREADS, Thread.ofPlatform().daemon().name("ledger-verifier-", 1).factory());

    /**
     * The account's summary at one moment. The row is null if the account has none, or if its columns hold invalid
     * values.
     */
    private record Summary(
            @Nullable Account row,
            List<Allotment> allotments,
            Map<String, String> ofBlocks,
            long lastSequence,
            long questions) {
        static Summary of(Books books, String account) throws SQLException {
            long lastSequence = books.lastSequence(account);
            long questions = books.questions(account);
            try {
                SpentDigests ofBlocks = new SpentDigests();
                books.spentBlocks(account, ofBlocks::add);
                return new Summary(
                        books.account(account).orElse(null),
                        books.allotments(account),
                        ofBlocks.byHolder(),
                        lastSequence,
                        questions);
            } catch (IllegalArgumentException notAnAmount) {
                return new Summary(null, List.of(), Map.of(), lastSequence, questions);
            }
        }
    }

    /** An entry, whether its hash is right, and whether it was made for its question. */
    private record Booking(LedgerEntry entry, boolean hashed, boolean paidForItsQuestion) {}

    /** @param notAnEntry why the next row after these is not a valid entry; null if there is no such row */
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

    /** @param store a store that several threads can read */
    static ChainVerification of(LedgerStore store, String account) {
        return chain(store, account).verification();
    }

    /** As {@link #of}, with the whole chain. */
    static ChainVerifier chain(LedgerStore store, String account) {
        Verification verification = new Verification(store, account);
        Summary summary = store.look(books -> Summary.of(books, account));
        verification.readUpTo(summary.lastSequence());
        return verification.against(summary);
    }

    /** Stops at a gap. Otherwise an entry with a very large sequence number would make this run for ever. */
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
            // Reading a page throws no checked exception.
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
                // The row has an amount or a type that no entry can have.
                return new Page(bookings, String.valueOf(notAnEntry.getMessage()));
            }
        });
    }

    /** Joins a page; returns whether the chain has reached {@code upTo}. */
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

    private ChainVerifier against(Summary summary) {
        chain.require(
                chain.isSummarisedBy(summary.row(), summary.allotments(), summary.ofBlocks()),
                "the account's row, allotments or blocks do not agree with its entries");
        chain.require(paid && charges == summary.questions(), "the questions do not agree with the charges");
        return chain;
    }
}
