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

import static dev.purser.Records.with;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Entries that break one rule each, in a chain whose hashes fit. The verifier names the entry and the rule. */
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

    /**
     * The entries: 1 limit 10; 2 ana 1; 3 ana's allotment 3; 4 ana 1; 5 bob 2; 6 limit 8; 7 ana 1, which spends the
     * allotment.
     */
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
        relinked.set(3, LedgerChain.sealed("adult", with(entries.get(3), "previousHash", "f".repeat(64))));
        assertThat(faultOf(relinked)).isEqualTo("entry 4 does not follow the entry before it");

        List<LedgerEntry> changed = new ArrayList<>(entries);
        changed.set(3, entries.get(3).withHash("f".repeat(64)));
        assertThat(faultOf(changed)).isEqualTo("entry 4 was changed");
        assertThat(new ChainVerification(7, "", null).valid()).isTrue();
        assertThat(new ChainVerification(7, "", "entry 4 was changed").valid()).isFalse();
    }

    @Test
    void namesAWrongSum() {
        assertFault(5, SUM, entry(5, "spentAfter", units(3)));
        assertFault(5, SUM, entry(5, "spentAfter", units(5)));
        assertFault(5, SUM, entry(5, "charge", units(9), "spentAfter", units(11)));
        // A limit below what is spent: the sum itself is right.
        assertFault(6, SUM, entry(6, "limitAfter", units(3)));
        assertSound(entry(6, "limitAfter", units(5)));
    }

    @Test
    void namesALimitEntryThatCharges() {
        assertFault(6, KIND, entry(6, "charge", units(1), "spentAfter", units(5)));
    }

    @Test
    void namesALimitEntryWithAQuestion() {
        assertFault(6, KIND, entry(6, "queryId", "Q"));
    }

    @Test
    void namesAChargeOfNothing() {
        assertFault(5, KIND, entry(5, "charge", units(0), "spentAfter", units(2)));
    }

    @Test
    void namesAChargeThatMovesTheLimit() {
        assertFault(5, KIND, entry(5, "limitAfter", units(11)));
        assertFault(5, KIND, entry(5, "limitAfter", units(9)));
    }

    @Test
    void namesAnAllotmentThatMovesTheLimit() {
        assertFault(3, KIND, entry(3, "limitAfter", units(9)));
    }

    @Test
    void namesAnAllotmentThatForgetsOrInventsWhatWasSpent() {
        assertFault(3, KIND, entry(3, "allotmentAfter", allotted("ana", 3, 0)));
        assertFault(3, KIND, entry(3, "allotmentAfter", allotted("ana", 3, 2)));
        assertFault(3, KIND, entry(3, "allotmentAfter", allotted("bob", 3, 1)));
    }

    @Test
    void namesAnAllotmentBelowWhatWasSpent() {
        assertFault(3, KIND, entry(3, "allotmentAfter", allotted("ana", 0, 1)));
        assertSound(entry(3, "allotmentAfter", allotted("ana", 1, 1)));
        assertSound(entry(3, "allotmentAfter", allotted("bob", 0, 0)));
    }

    @Test
    void namesAChargeThatLeavesItsAllotmentOut() {
        assertFault(4, KIND, entry(4, "allotmentAfter", null));
    }

    @Test
    void namesAChargeWithAnAllotmentThatNobodySet() {
        assertFault(5, KIND, entry(5, "allotmentAfter", allotted("bob", 3, 2)));
    }

    @Test
    void namesAChargeThatBooksItsAllotmentWrongly() {
        assertFault(4, KIND, entry(4, "allotmentAfter", allotted("ana", 3, 1)));
        assertFault(4, KIND, entry(4, "allotmentAfter", allotted("ana", 4, 2)));
        assertFault(4, KIND, entry(4, "allotmentAfter", allotted("bob", 3, 2)));
    }

    @Test
    void namesAChargeAboveItsAllotment() {
        assertFault(
                7, KIND, entry(7, "charge", units(2), "spentAfter", units(6), "allotmentAfter", allotted("ana", 3, 4)));
    }

    /** Charges before and after an allotment was set, and set again, add up. */
    @Test
    void anAllotmentSetAgainCountsAllThatWasCharged() {
        allot("ana", 3, 4);
        ask("ana", new Allotment("ana", units(4), units(3)), 1);
        allot("bob", 2, 2);

        assertThat(faultOf(entries)).isNull();
    }

    /**
     * The verifier of stored books reports such a sum as a fault. A command that reads a file says what is
     * wrong with the file.
     */
    @Test
    void aSumPastEveryCeilingIsNoAmount() {
        long ceiling = Epsilon.MAX_WHOLE * Epsilon.NANOS_PER_UNIT;

        assertThatIllegalArgumentException().isThrownBy(() -> faultOf(chainWith(entry(4, "charge", units(ceiling)))));
    }

    private void assertFault(int sequence, String rule, LedgerEntry forgery) {
        assertThat(faultOf(chainWith(forgery))).isEqualTo("entry " + sequence + " " + rule);
    }

    /** Requires that the chain is sound up to the forged entry. Later entries may no longer fit. */
    private void assertSound(LedgerEntry forgery) {
        assertThat(faultOf(chainWith(forgery).subList(0, (int) forgery.sequence())))
                .isNull();
    }

    /** The chain written anew from the forged entry on. */
    private List<LedgerEntry> chainWith(LedgerEntry forgery) {
        List<LedgerEntry> chain = new ArrayList<>();
        String head = LedgerChain.GENESIS;
        for (LedgerEntry entry : entries) {
            LedgerEntry next = entry.sequence() == forgery.sequence() ? forgery : entry;
            LedgerEntry sealed = LedgerChain.sealed("adult", with(next, "previousHash", head));
            chain.add(sealed);
            head = sealed.hash();
        }
        return chain;
    }

    /** The entry with this number and these changes. */
    private LedgerEntry entry(int sequence, @Nullable Object... changes) {
        return with(entries.get(sequence - 1), changes);
    }

    private static Allotment allotted(String analyst, long limit, long spent) {
        return new Allotment(analyst, units(limit), units(spent));
    }
}
