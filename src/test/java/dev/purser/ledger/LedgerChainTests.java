package dev.purser.ledger;

import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.Rho;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LedgerChainTests {
    private static LedgerEntry charge(String analyst, @Nullable String queryId, String kind) {
        return WithoutBlocks.entry(
                2,
                Instant.ofEpochMilli(1_700_000_000_123L),
                LedgerEntry.Type.CHARGE,
                analyst,
                queryId,
                kind,
                "R",
                new PrivacyAmount(new Epsilon(100_000_000), new Delta(7), new Rho(11)),
                new PrivacyAmount(new Epsilon(3_000_000_000L), new Delta(9), new Rho(13)),
                new PrivacyAmount(new Epsilon(100_000_000), new Delta(8), new Rho(12)),
                new Allotment(
                        "bob",
                        new PrivacyAmount(new Epsilon(4), new Delta(5), new Rho(6)),
                        new PrivacyAmount(new Epsilon(1), new Delta(2), new Rho(3))),
                LedgerChain.GENESIS,
                "");
    }

    /**
     * The bytes are written out once more by hand, from the description alone: books of today have to verify for ever.
     */
    @Test
    void hashesTheDocumentedBytes() throws Exception {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        for (String field : List.of(
                "0".repeat(64),
                "purser-entry-1",
                "adult",
                "2",
                "1700000000123",
                "charge",
                "ana",
                "Q",
                "mean",
                "R",
                "100000000",
                "7",
                "11",
                "3000000000",
                "9",
                "13",
                "100000000",
                "8",
                "12",
                "bob",
                "4",
                "5",
                "6",
                "1",
                "2",
                "3")) {
            digest.update(ByteBuffer.allocate(4).putInt(field.length()).array());
            digest.update(field.getBytes(StandardCharsets.UTF_8));
        }

        assertThat(LedgerChain.hash("adult", charge("ana", "Q", "mean")))
                .isEqualTo(HexFormat.of().formatHex(digest.digest()))
                .isEqualTo("6f6e2f68e84955064e552b41437731a44d49dfabac382dc7261126fcbb5b4e41");
    }

    @Test
    void movingACharacterToTheNeighbouringFieldChangesTheHash() {
        assertThat(List.of(
                        LedgerChain.hash("adult", charge("ana", "Q", "mean")),
                        LedgerChain.hash("adult", charge("anaQ", "", "mean")),
                        LedgerChain.hash("adult", charge("an", "aQ", "mean")),
                        LedgerChain.hash("adulta", charge("na", "Q", "mean"))))
                .doesNotHaveDuplicates();
    }

    @Test
    void anAbsentFieldIsNotAnEmptyOne() {
        assertThat(LedgerChain.hash("adult", charge("ana", null, "mean")))
                .isNotEqualTo(LedgerChain.hash("adult", charge("ana", "", "mean")));
    }
}
