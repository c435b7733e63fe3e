package dev.purser.ledger;

import dev.purser.accounting.PureAccountant;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.PrivacyEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Entries that break one rule each, in a chain whose hashes fit: the verifier names the entry and the rule. */
class ChainRulesTests {
    private static final Instant AT = Instant.ofEpochMilli(1_700_000_000_000L);
    private static final String SUM = "has a wrong sum";
    private static final String KIND = "is not valid for its type";

    private final List<LedgerEntry> entries = new ArrayList<>();
    private Account account =
            accountAfter(LedgerRules.open("adult", new PureAccountant(), units(10), null, "carla", AT));

    private static PrivacyAmount units(long nanos) {
        return PrivacyAmount.pure(new Epsilon(nanos));
    }

    private Account accountAfter(Step step) {
        entries.add(step.entry());
        return step.after();
    }

    private void ask(String analyst, @Nullable Allotment allotment, long nanos) {
        ChargeRequest request = new ChargeRequest(
                "adult",
                "adult",
                "mean",
                new PrivacyEvent.PureDifferentialPrivacy(new Epsilon(nanos)),
                new RequestIdentity(analyst, "POST /", "k" + entries.size()),
                "{}".getBytes(UTF_8),
                OpenLedger.ANY_FORM,
                null);
        account = accountAfter(
                LedgerRules.charge(WithoutBlocks.standing(account, allotment), request, AT, "Q" + entries.size()));
    }

    private void allot(String analyst, long charged, long limit) {
        account = accountAfter(LedgerRules.allotment(account, null, units(charged), analyst, units(limit), "carla", AT)
                .orElseThrow());
    }

    /** 1 limit 10; 2 ana 1; 3 ana's allotment 3; 4 ana 1; 5 bob 2; 6 limit 8; 7 ana 1, which spends the allotment. */
    @BeforeEach
    void soundBooks() {
        ask("ana", null, 1);
        allot("ana", 1, 3);
        ask("ana", new Allotment("ana", units(3), units(1)), 1);
        ask("bob", null, 2);
        account = accountAfter(LedgerRules.limit(account, units(8), "carla", AT).orElseThrow());
        ask("ana", new Allotment("ana", units(3), units(2)), 1);
    }

    private @Nullable String faultOf(List<LedgerEntry> chain) {
        ChainVerifier verifier = new ChainVerifier("adult");
        chain.forEach(verifier::read);
        return verifier.fault();
    }

    @Test
    void soundBooksHaveNoFault() {
        ChainVerifier verifier = new ChainVerifier("adult");
        entries.forEach(verifier::read);

        assertThat(verifier.fault()).isNull();
        assertThat(verifier.entries()).isEqualTo(7);
        assertThat(faultOf(List.of())).isNull();
    }

    @Test
    void namesTheFirstEntryThatDoesNotFollow() {
        List<LedgerEntry> gap = new ArrayList<>(entries);
        gap.remove(3);
        assertThat(faultOf(gap)).isEqualTo("entry 4 is missing");

        List<LedgerEntry> relinked = new ArrayList<>(entries);
        relinked.set(
                3,
                LedgerChain.sealed(
                        "adult", entry(4).previousHash("f".repeat(64)).entry()));
        assertThat(faultOf(relinked)).isEqualTo("entry 4 does not follow the entry before it");

        List<LedgerEntry> changed = new ArrayList<>(entries);
        changed.set(3, entries.get(3).withHash("f".repeat(64)));
        assertThat(faultOf(changed)).isEqualTo("entry 4 was changed");
        assertThat(new ChainVerification(7, "", null).valid()).isTrue();
        assertThat(new ChainVerification(7, "", "entry 4 was changed").valid()).isFalse();
    }

    @Test
    void namesAWrongSum() {
        assertFault(5, SUM, entry(5).spentAfter(3));
        assertFault(5, SUM, entry(5).spentAfter(5));
        assertFault(5, SUM, entry(5).charge(9).spentAfter(11));
        // A limit below what is spent: the sum itself is right.
        assertFault(6, SUM, entry(6).limitAfter(3));
        assertSound(entry(6).limitAfter(5));
    }

    @Test
    void namesALimitEntryThatCharges() {
        assertFault(6, KIND, entry(6).charge(1).spentAfter(5));
    }

    @Test
    void namesALimitEntryWithAQuestion() {
        assertFault(6, KIND, entry(6).queryId("Q"));
    }

    @Test
    void namesAChargeOfNothing() {
        assertFault(5, KIND, entry(5).charge(0).spentAfter(2));
    }

    @Test
    void namesAChargeThatMovesTheLimit() {
        assertFault(5, KIND, entry(5).limitAfter(11));
        assertFault(5, KIND, entry(5).limitAfter(9));
    }

    @Test
    void namesAnAllotmentThatMovesTheLimit() {
        assertFault(3, KIND, entry(3).limitAfter(9));
    }

    @Test
    void namesAnAllotmentThatForgetsOrInventsWhatWasSpent() {
        assertFault(3, KIND, entry(3).allotment("ana", 3, 0));
        assertFault(3, KIND, entry(3).allotment("ana", 3, 2));
        assertFault(3, KIND, entry(3).allotment("bob", 3, 1));
    }

    @Test
    void namesAnAllotmentBelowWhatWasSpent() {
        assertFault(3, KIND, entry(3).allotment("ana", 0, 1));
        assertSound(entry(3).allotment("ana", 1, 1));
        assertSound(entry(3).allotment("bob", 0, 0));
    }

    @Test
    void namesAChargeThatLeavesItsAllotmentOut() {
        assertFault(4, KIND, entry(4).withoutAllotment());
    }

    @Test
    void namesAChargeWithAnAllotmentThatNobodySet() {
        assertFault(5, KIND, entry(5).allotment("bob", 3, 2));
    }

    @Test
    void namesAChargeThatBooksItsAllotmentWrongly() {
        assertFault(4, KIND, entry(4).allotment("ana", 3, 1));
        assertFault(4, KIND, entry(4).allotment("ana", 4, 2));
        assertFault(4, KIND, entry(4).allotment("bob", 3, 2));
    }

    @Test
    void namesAChargeAboveItsAllotment() {
        assertFault(7, KIND, entry(7).charge(2).spentAfter(6).allotment("ana", 3, 4));
    }

    /** What is charged before and after an allotment was set, and set again, adds up. */
    @Test
    void anAllotmentSetAgainCountsAllThatWasCharged() {
        allot("ana", 3, 4);
        ask("ana", new Allotment("ana", units(4), units(3)), 1);
        allot("bob", 2, 2);

        assertThat(faultOf(entries)).isNull();
    }

    /** The verifier of stored books makes a fault of it; a command that reads a file says that it is none. */
    @Test
    void aSumPastEveryCeilingIsNoAmount() {
        long ceiling = Epsilon.MAX_WHOLE * Epsilon.NANOS_PER_UNIT;

        assertThatIllegalArgumentException().isThrownBy(() -> faultOf(chainWith(entry(4).charge(ceiling))));
    }

    private void assertFault(int sequence, String rule, Forgery forgery) {
        assertThat(faultOf(chainWith(forgery))).isEqualTo("entry " + sequence + " " + rule);
    }

    /** Up to the forged entry: what follows it may not fit any more. */
    private void assertSound(Forgery forgery) {
        assertThat(faultOf(chainWith(forgery).subList(0, (int) forgery.sequence)))
                .isNull();
    }

    /** The chain written anew from the forged entry on. */
    private List<LedgerEntry> chainWith(Forgery forgery) {
        List<LedgerEntry> chain = new ArrayList<>();
        String head = LedgerChain.GENESIS;
        for (LedgerEntry entry : entries) {
            Forgery next = entry.sequence() == forgery.sequence ? forgery : entry(entry.sequence());
            LedgerEntry sealed =
                    LedgerChain.sealed("adult", next.previousHash(head).entry());
            chain.add(sealed);
            head = sealed.hash();
        }
        return chain;
    }

    private Forgery entry(long sequence) {
        return new Forgery(entries.get((int) sequence - 1));
    }

    /** An entry in the making. */
    private static final class Forgery {
        private final LedgerEntry original;
        private final long sequence;
        private @Nullable String queryId;
        private PrivacyAmount charge;
        private PrivacyAmount limitAfter;
        private PrivacyAmount spentAfter;
        private @Nullable Allotment allotment;
        private String previousHash;

        Forgery(LedgerEntry original) {
            this.original = original;
            sequence = original.sequence();
            queryId = original.queryId();
            charge = original.charge();
            limitAfter = original.limitAfter();
            spentAfter = original.spentAfter();
            allotment = original.allotmentAfter();
            previousHash = original.previousHash();
        }

        Forgery queryId(String other) {
            queryId = other;
            return this;
        }

        Forgery charge(long nanos) {
            charge = units(nanos);
            return this;
        }

        Forgery limitAfter(long nanos) {
            limitAfter = units(nanos);
            return this;
        }

        Forgery spentAfter(long nanos) {
            spentAfter = units(nanos);
            return this;
        }

        Forgery allotment(String analyst, long limit, long spent) {
            allotment = new Allotment(analyst, units(limit), units(spent));
            return this;
        }

        Forgery withoutAllotment() {
            allotment = null;
            return this;
        }

        Forgery previousHash(String other) {
            previousHash = other;
            return this;
        }

        LedgerEntry entry() {
            return WithoutBlocks.entry(
                    sequence,
                    original.at(),
                    original.type(),
                    original.analyst(),
                    queryId,
                    original.kind(),
                    original.requestHash(),
                    charge,
                    limitAfter,
                    spentAfter,
                    allotment,
                    previousHash,
                    "");
        }
    }
}
