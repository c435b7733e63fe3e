package dev.purser.ledger;

import dev.purser.accounting.PureAccountant;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.PrivacyEvent;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.purser.Records.with;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Books of several pages: sound books, and books with one error before or after a page's end. */
class VerificationTests {
    private static final int PAGE = 4096;
    private static final String SUMMARY = "the account's row, allotments or blocks do not agree with its entries";
    private static final String QUESTIONS = "the questions do not agree with the charges";

    private static final List<LedgerEntry> CHAIN = new ArrayList<>();

    /** One limit entry, and charges of one unit each, over four pages. */
    @BeforeAll
    static void chain() {
        Instant at = Instant.ofEpochMilli(1);
        Step step = LedgerRules.open("adult", new PureAccountant(), units(1_000_000), null, "carla", at);
        CHAIN.clear();
        CHAIN.add(step.entry());
        RequestIdentity identity = new RequestIdentity("ana", "POST /", "k");
        PrivacyEvent event = new PrivacyEvent.PureDifferentialPrivacy(new Epsilon(1));
        ChargeRequest request = new ChargeRequest(
                "adult", "adult", "mean", event, identity, "{}".getBytes(UTF_8), OpenLedger.ANY_FORM, null);
        while (CHAIN.size() < 3 * PAGE + 10) {
            step = LedgerRules.charge(WithoutBlocks.standing(step.after(), null), request, at, "Q" + CHAIN.size());
            CHAIN.add(step.entry());
        }
    }

    private static PrivacyAmount units(long nanos) {
        return PrivacyAmount.pure(new Epsilon(nanos));
    }

    /** Books that have only what a verification looks at. */
    private static final class FewBooks implements LedgerStore {
        final List<LedgerEntry> entries;
        final List<Allotment> allotments = new ArrayList<>();

        @Nullable
        Account row;

        long lastSequence;
        long questions;
        long unpaid;
        long notAnEntry;

        @Nullable
        Throwable failure;

        FewBooks(int length) {
            entries = new ArrayList<>(CHAIN.subList(0, length));
            LedgerEntry last = entries.getLast();
            row = WithoutBlocks.account(
                    "adult", new PureAccountant(), last.limitAfter(), last.spentAfter(), length, last.hash());
            lastSequence = length;
            questions = length - 1L;
        }

        private void visit(long after, long upTo, Books.BookingVisitor visitor) throws Throwable {
            if (failure != null) {
                throw failure;
            }
            for (LedgerEntry entry : entries) {
                if (entry.sequence() > after && entry.sequence() <= upTo) {
                    if (entry.sequence() == notAnEntry) {
                        throw new IllegalArgumentException("no entry has that");
                    }
                    visitor.visit(entry, entry.sequence() != unpaid);
                }
            }
        }

        private Books books() {
            return (Books) Proxy.newProxyInstance(
                    Books.class.getClassLoader(), new Class<?>[] {Books.class}, (proxy, method, arguments) -> {
                        switch (method.getName()) {
                            case "bookings" ->
                                visit((Long) arguments[1], (Long) arguments[2], (Books.BookingVisitor) arguments[3]);
                            case "spentBlocks" -> {
                                return null;
                            }
                            case "lastSequence" -> {
                                return lastSequence;
                            }
                            case "questions" -> {
                                return questions;
                            }
                            case "account" -> {
                                return Optional.ofNullable(row);
                            }
                            case "allotments" -> {
                                return allotments;
                            }
                            default -> throw new AssertionError(method.getName());
                        }
                        return Optional.empty();
                    });
        }

        @Override
        public <T extends @Nullable Object> T change(String account, Work<T> work) {
            throw new AssertionError("a verification changes nothing");
        }

        @Override
        public <T extends @Nullable Object> T look(Work<T> work) {
            try {
                return work.run(books());
            } catch (SQLException failed) {
                throw new AssertionError(failed);
            }
        }

        @Nullable
        String fault() {
            return Verification.of(this, "adult").fault();
        }
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                1,
                2,
                PAGE - 1,
                PAGE,
                PAGE + 1,
                2 * PAGE,
                2 * PAGE + 1,
                3 * PAGE - 1,
                3 * PAGE,
                3 * PAGE + 1,
                3 * PAGE + 10
            })
    void soundBooksOfAnyLengthHaveNoFault(int length) {
        assertThat(Verification.of(new FewBooks(length), "adult"))
                .isEqualTo(new ChainVerification(length, CHAIN.get(length - 1).hash(), null));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, PAGE, PAGE + 1, 2 * PAGE, 3 * PAGE, 3 * PAGE + 1, 3 * PAGE + 10})
    void namesWhatIsWrongWhereverItIs(int sequence) {
        FewBooks changed = new FewBooks(CHAIN.size());
        changed.entries.set(sequence - 1, CHAIN.get(sequence - 1).withHash("f".repeat(64)));
        assertThat(changed.fault()).isEqualTo("entry " + sequence + " was changed");

        FewBooks gap = new FewBooks(CHAIN.size());
        gap.entries.remove(sequence - 1);
        boolean endsAPage = sequence % PAGE == 0 || sequence == CHAIN.size();
        assertThat(gap.fault()).isEqualTo(endsAPage ? SUMMARY : "entry " + sequence + " is missing");

        FewBooks unpaid = new FewBooks(CHAIN.size());
        unpaid.unpaid = sequence;
        assertThat(unpaid.fault()).isEqualTo(QUESTIONS);

        FewBooks notAnEntry = new FewBooks(CHAIN.size());
        notAnEntry.notAnEntry = sequence;
        assertThat(notAnEntry.fault()).isEqualTo("entry " + sequence + ": no entry has that");
    }

    @Test
    void namesASumThatNoAmountCanBe() {
        FewBooks books = new FewBooks(3);
        books.entries.set(2, with(CHAIN.get(2), "charge", units(1_000_000_000_000_000L)));

        assertThat(books.fault()).isEqualTo("entry 3 was changed");
        books.entries.set(2, LedgerChain.sealed("adult", books.entries.get(2)));
        assertThat(books.fault()).startsWith("entry 3: epsilon must be between 0 and");
    }

    @Test
    void namesASummaryThatDoesNotFollow() {
        Account sound = Objects.requireNonNull(new FewBooks(3).row);
        PrivacyAmount other = units(7);
        for (Account row : new @Nullable Account[] {
            null,
            with(sound, "limit", other),
            with(sound, "spent", other),
            with(sound, "headSequence", 2L),
            with(sound, "headHash", "f".repeat(64))
        }) {
            FewBooks books = new FewBooks(3);
            books.row = row;
            assertThat(books.fault()).as("%s", row).isEqualTo(SUMMARY);
        }
        FewBooks allotted = new FewBooks(3);
        allotted.allotments.add(new Allotment("ana", other, units(2)));
        assertThat(allotted.fault()).isEqualTo(SUMMARY);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 3})
    void namesAQuestionThatIsMissingOrTooMany(long questions) {
        FewBooks books = new FewBooks(3);
        books.questions = questions;

        assertThat(books.fault()).isEqualTo(QUESTIONS);
    }

    /** A gap ends the verification: nobody waits for entries up to a number that somebody has forged. */
    @Test
    void aNumberFarOffDoesNotMakeItReadForEver() {
        FewBooks books = new FewBooks(3);
        books.lastSequence = Long.MAX_VALUE - 1;

        Assertions.assertTimeoutPreemptively(
                Duration.ofSeconds(20),
                () -> assertThat(Verification.of(books, "adult").entries()).isEqualTo(3));
    }

    @Test
    void whatFailsInAPageFailsAsItIs() {
        for (Throwable failure : new Throwable[] {new IllegalStateException("gone"), new StackOverflowError()}) {
            FewBooks books = new FewBooks(3);
            books.failure = failure;

            assertThatThrownBy(books::fault).isSameAs(failure);
        }
    }
}
