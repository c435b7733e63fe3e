package dev.purser.ledger.proof;

import dev.purser.accounting.Accountant;
import dev.purser.accounting.Accountants;
import dev.purser.digest.Sha256;
import dev.purser.journal.CanonicalBytes;
import dev.purser.ledger.CommittedDebit;
import dev.purser.ledger.LedgerChain;
import dev.purser.ledger.LedgerEntry;
import dev.purser.ledger.OneAccountLedger;
import dev.purser.ledger.OpenLedger;
import dev.purser.ledger.view.LedgerEntryView;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.StatedAmount;
import dev.purser.store.PurserHome;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.purser.Records.with;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Receipts of a real ledger, and forged receipts that were signed again. Each fault is named. */
class ReceiptProofTests extends OneAccountLedger {
    private static final Instant AT = Instant.ofEpochMilli(1_700_000_000_123L);
    private static final byte[] ANSWER = """
            {"count":1}""".getBytes(UTF_8);
    private static final String OTHER_ENTRY = "The hash of the entry is wrong.";
    private static final String OTHER_HEAD = "The signed head does not follow from the entry.";

    @TempDir
    Path folder;

    private SigningKey key;
    private Receipts receipts;
    private Receipt receipt;
    private byte[] request = {};

    /**
     * Ana asks two questions. The receipt is of the first question, which is answered; its head is the second
     * question's entry.
     */
    @BeforeEach
    void askAndTakeTheReceipt() {
        SigningKeys keys = SigningKeys.of(new PurserHome(folder.resolve("keys")), "");
        key = keys.newest();
        receipts = new Receipts(open.database, keys, Clock.fixed(AT, ZoneOffset.UTC));
        CommittedDebit debit = open.debit("k1", "0.1");
        open.ledger.settle(debit, ANSWER);
        open.debit("k2", "0.2");
        request = OpenLedger.question(OpenLedger.ACCOUNT, "ana", "k1", "0.1").requestBody();
        receipt = receipts.receipt(debit.queryId()).orElseThrow();
    }

    private List<LedgerEntry> ledger() {
        return open.ledger.entries(OpenLedger.ACCOUNT, 0, 100);
    }

    @Test
    void aReceiptSaysWhatIsInTheBooks() {
        LedgerEntry entry = ledger().get(1);

        assertThat(receipt.format()).isEqualTo("purser-receipt-1");
        assertThat(receipt.queryId()).isEqualTo(entry.queryId());
        assertThat(receipt.account()).isEqualTo(OpenLedger.ACCOUNT);
        assertThat(receipt.datasetId()).isEqualTo(OpenLedger.ACCOUNT);
        assertThat(receipt.entry().entry()).isEqualTo(entry);
        assertThat(receipt.request().idempotencyKey()).isEqualTo("k1");
        assertThat(receipt.head())
                .isEqualTo(new Receipt.SignedHead(3, ledger().get(2).hash()));
        assertThat(receipt.signedAt()).isEqualTo(AT);
        assertThat(receipt.publicKey()).isEqualTo(key.publicKeyText());
        assertThat(receipt.keyId())
                .isEqualTo(Sha256.hexOf(key.publicKey().getEncoded()).substring(0, 16));
        assertThat(receipts.receipt("01ARZ3NDEKTSV4RRFFQ69G5FAV")).isEmpty();
    }

    @Test
    void provesWhatBelongsTogether() {
        ReceiptProof proof = new ReceiptProof(receipt);

        assertThat(proof.fault(null)).isNull();
        assertThat(proof.fault(key.publicKeyText())).isNull();
        assertThat(proof.fault(publicKeyOfOthers() + pem(key))).isNull();
        assertThat(proof.faultOfAnswer(ANSWER)).isNull();
        assertThat(proof.faultOfRequest(request)).isNull();
        assertThat(proof.faultOfLedger(ledger())).isNull();
    }

    @Test
    void namesAnotherAnswerOrRequest() {
        ReceiptProof proof = new ReceiptProof(receipt);

        assertThat(proof.faultOfAnswer(request)).isEqualTo("The answer is not the one that was stored.");
        assertThat(proof.faultOfRequest(ANSWER)).isEqualTo("The request is not the one that was charged.");
    }

    @Test
    void aQuestionWithoutAnAnswerHasAReceiptToo() {
        Receipt early = receipts.receipt(open.debit("k3", "0.1").queryId()).orElseThrow();

        assertThat(early.answerDigest()).isNull();
        assertThat(new ReceiptProof(early).fault(null)).isNull();
        assertThat(new ReceiptProof(early).faultOfAnswer(ANSWER))
                .isEqualTo("The question had no answer yet when the receipt was signed.");
    }

    private SigningKey others() {
        return SigningKeys.of(new PurserHome(folder.resolve("others")), "").newest();
    }

    private String publicKeyOfOthers() {
        return pem(others());
    }

    private static String pem(SigningKey key) {
        return new String(Pem.text("PUBLIC KEY", key.publicKey().getEncoded()), UTF_8);
    }

    @Test
    void namesAnotherKey() {
        SigningKey other = others();
        String none = "The receipt was signed with the key " + key.id() + ", which is none of the given ones.";

        assertThat(new ReceiptProof(receipt).fault(other.publicKeyText())).isEqualTo(none);
        assertThat(new ReceiptProof(receipt).fault(publicKeyOfOthers() + publicKeyOfOthers()))
                .isEqualTo(none);
        assertThat(new ReceiptProof(receipt).fault("x")).isEqualTo(none);
        assertThat(new ReceiptProof(receipt).fault("")).isEqualTo(none);
        assertThat(unsigned("keyId", other.id()).fault(null))
                .isEqualTo("The receipt's key id is not that of its public key.");
        assertThat(unsigned("publicKey", other.publicKeyText(), "keyId", other.id())
                        .fault(null))
                .isEqualTo("The signature does not belong to this receipt.");
        for (String noKey : List.of("", "x", "AAAA", "é")) {
            assertThat(unsigned("publicKey", noKey).fault(null))
                    .isEqualTo("The receipt's public key is not an Ed25519 key.");
        }
    }

    @Test
    void namesAForeignSignature() {
        char other = receipt.signature().startsWith("/") ? 'A' : '/';
        for (String signature :
                List.of("", "x", "AAAA", other + receipt.signature().substring(1))) {
            assertThat(unsigned("signature", signature).fault(null))
                    .isEqualTo("The signature does not belong to this receipt.");
        }
    }

    @Test
    void namesAnotherFormat() {
        assertThat(signed("format", "purser-receipt-2").fault(null))
                .isEqualTo("The receipt has another format than purser-receipt-1.");
    }

    /** Whoever holds the key can sign anything. Then the entry's own hash and the ledger still reveal a forgery. */
    @Test
    void namesAnEntryThatIsNotTheOneChargedForThisRequest() {
        LedgerEntry second = ledger().get(2);
        LedgerEntryView views = receipt.entry();

        assertThat(signed("account", "other").fault(null)).isEqualTo(OTHER_ENTRY);
        assertThat(signed("entry", view(with(views.entry(), "hash", "f".repeat(64))))
                        .fault(null))
                .isEqualTo(OTHER_ENTRY);
        assertThat(signed("queryId", "01ARZ3NDEKTSV4RRFFQ69G5FAV").fault(null))
                .isEqualTo("The entry is not the charge of this question.");
        assertThat(signed("entry", view(ledger().getFirst())).fault(null))
                .isEqualTo("The entry is not the charge of this question.");
        assertThat(signed("entry", view(sealed(with(views.entry(), "type", LedgerEntry.Type.LIMIT))))
                        .fault(null))
                .isEqualTo("The entry is not the charge of this question.");
        assertThat(signed("entry", view(second), "queryId", Objects.requireNonNull(second.queryId()))
                        .fault(null))
                .isEqualTo("The entry was not made for this request.");
        assertThat(signed("datasetId", "other").fault(null)).isEqualTo("The entry was not made for this request.");
    }

    private static LedgerEntry sealed(LedgerEntry entry) {
        return with(entry, "hash", LedgerChain.hash(OpenLedger.ACCOUNT, entry));
    }

    private ReceiptProof unsigned(Object... changes) {
        return new ReceiptProof(with(receipt, changes));
    }

    private ReceiptProof signed(Object... changes) {
        return new ReceiptProof(with(receipt, changes).signedBy(key));
    }

    private static LedgerEntryView view(LedgerEntry entry) {
        return LedgerEntryView.of(entry, Accountants.named("pure").orElseThrow(), null);
    }

    @Test
    void namesAHeadThatTheEntryCannotLeadTo() {
        String hash = receipt.entry().hash();

        assertThat(signed("head", new Receipt.SignedHead(1, hash)).fault(null)).isEqualTo(OTHER_HEAD);
        assertThat(signed("head", new Receipt.SignedHead(2, "f".repeat(64))).fault(null))
                .isEqualTo(OTHER_HEAD);
        assertThat(signed("head", new Receipt.SignedHead(2, hash)).fault(null)).isNull();
        assertThat(signed("head", new Receipt.SignedHead(3, hash)).fault(null)).isNull();
    }

    @Test
    void namesALedgerThatIsNotTheOne() {
        ReceiptProof proof = new ReceiptProof(receipt);
        List<LedgerEntry> ledger = ledger();

        assertThat(proof.faultOfLedger(List.of())).isEqualTo("The ledger does not have the receipt's entry.");
        assertThat(proof.faultOfLedger(ledger.subList(0, 1)))
                .isEqualTo("The ledger does not have the receipt's entry.");
        assertThat(proof.faultOfLedger(ledger.subList(0, 2)))
                .isEqualTo("The ledger does not have the head that was signed.");
        assertThat(proof.faultOfLedger(ledger.subList(1, 3))).isEqualTo("The ledger is not sound: entry 1 is missing.");
        assertThat(signed("head", new Receipt.SignedHead(3, "f".repeat(64))).faultOfLedger(ledger))
                .isEqualTo("The ledger does not have the head that was signed.");
        assertThat(signed("entry", view(ledger.get(2))).faultOfLedger(ledger.subList(0, 2)))
                .isEqualTo("The ledger does not have the receipt's entry.");
        for (long nowhere : new long[] {Long.MIN_VALUE, -1, 0, 4, 1L << 32 | 3, Long.MAX_VALUE}) {
            assertThat(signed(
                                    "head",
                                    new Receipt.SignedHead(
                                            nowhere, receipt.head().hash()))
                            .faultOfLedger(ledger))
                    .as("head %d", nowhere)
                    .isEqualTo("The ledger does not have the head that was signed.");
        }
    }

    @Test
    void anEntryOfNoTypeIsNoEntry() {
        assertThatIllegalArgumentException().isThrownBy(() -> LedgerChain.typeNamed("refund"));
        assertThat(LedgerChain.typeNamed("limit")).isEqualTo(LedgerEntry.Type.LIMIT);
        assertThat(LedgerChain.typeNamed("charge")).isEqualTo(LedgerEntry.Type.CHARGE);
    }

    /**
     * Lists and receipts contain everything that the hash covers, under every accountant, with and without an
     * allotment.
     */
    @ParameterizedTest
    @ValueSource(strings = {"pure", "approximate", "zcdp"})
    void anEntryIsStatedWithoutLoss(String name) {
        Accountant accountant = Accountants.named(name).orElseThrow();
        Epsilon epsilon = Epsilon.parse("0.01");
        Delta delta = accountant.deltaOfLimit().permits(Delta.ZERO) ? Delta.ZERO : Delta.parse("1e-6");
        PrivacyAmount limit = accountant.limit(Epsilon.parse("1"), delta);
        open.withAccount("other", accountant, limit);
        open.ledger.reserve(OpenLedger.question(
                "other", "ana", "k1", accountant.allowance(epsilon, Delta.ZERO).event()));
        open.ledger.setAllotment("other", "ana", accountant.limit(Epsilon.parse("0.5"), delta), "carla");
        open.ledger.reserve(OpenLedger.question(
                "other", "ana", "k2", accountant.allowance(epsilon, Delta.ZERO).event()));
        List<LedgerEntry> entries = open.ledger.entries("other", 0, 10);
        assertThat(entries).hasSize(4);

        for (LedgerEntry entry : entries) {
            LedgerEntryView view = LedgerEntryView.of(entry, accountant, null);
            assertThat(view.entry()).isEqualTo(entry);
            assertThat(view.limitAfter().epsilon()).hasToString("1");
            assertThat(view.limitAfter().rho() != null).isEqualTo(name.equals("zcdp"));
            Receipt mine = with(receipt, "account", "other", "entry", view);
            assertThat(mine.signedBytes()).isEqualTo(documentedBytes(mine));
        }
        LedgerEntryView last = LedgerEntryView.of(entries.getLast(), accountant, null);
        LedgerEntryView.AllotmentView allotment = Objects.requireNonNull(last.allotmentAfter());
        assertThat(allotment.analyst()).isEqualTo("ana");
        assertThat(allotment.limit().epsilon()).hasToString("0.5");
        assertThat(allotment.spent()).isEqualTo(last.spentAfter());
    }

    /**
     * The bytes are written out once more from the receipt's description: receipts of today have to verify for ever.
     */
    private static byte[] documentedBytes(Receipt receipt) {
        LedgerEntryView entry = receipt.entry();
        LedgerEntryView.AllotmentView allotment = entry.allotmentAfter();
        CanonicalBytes bytes = new CanonicalBytes()
                .text(receipt.format())
                .text(receipt.queryId())
                .text(receipt.datasetId())
                .text(receipt.account())
                .text(Long.toString(entry.sequence()))
                .text(Long.toString(entry.at().toEpochMilli()))
                .text(entry.type())
                .text(entry.analyst())
                .text(entry.queryId())
                .text(entry.kind())
                .text(entry.requestHash());
        amount(bytes, entry.charge());
        amount(bytes, entry.limitAfter());
        amount(bytes, entry.spentAfter());
        bytes.text(allotment == null ? null : allotment.analyst());
        amount(bytes, allotment == null ? null : allotment.limit());
        amount(bytes, allotment == null ? null : allotment.spent());
        return bytes.text(entry.previousHash())
                .text(entry.hash())
                .text(receipt.request().operation())
                .text(receipt.request().idempotencyKey())
                .text(receipt.request().digest())
                .text(receipt.answerDigest())
                .text(Long.toString(receipt.head().sequence()))
                .text(receipt.head().hash())
                .text(Long.toString(receipt.signedAt().toEpochMilli()))
                .text(receipt.publicKey())
                .bytes();
    }

    private static void amount(CanonicalBytes bytes, @Nullable StatedAmount amount) {
        if (amount == null) {
            bytes.text(null).text(null).text(null);
        } else {
            String rho = amount.rho() == null ? null : amount.rho().toString();
            bytes.text(amount.epsilon().toString())
                    .text(amount.delta().toString())
                    .text(rho);
        }
    }
}
