package dev.purser.ledger.view;

import dev.purser.ledger.CommittedDebit;
import dev.purser.ledger.OneAccountLedger;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class StoredMemberTests extends OneAccountLedger {
    private String written(CommittedDebit debit, String... names) {
        StoredMember member = new StoredMember(open.ledger, debit.queryId(), Set.of(names));
        return new JsonMapper().writeValueAsString(List.of(member));
    }

    @Test
    void copiesTheFirstMemberThatHasOneOfTheNames() {
        CommittedDebit debit = open.debit("k", "0.1");
        open.ledger.settle(debit, """
                {"kind":{"mean":0},"mean":{"value":1.50,"of":[10,{}]},"count":2}""".getBytes(UTF_8));

        assertThat(written(debit, "mean")).isEqualTo("""
                [{"value":1.50,"of":[10,{}]}]""");
        assertThat(written(debit, "count", "mean")).startsWith("[{\"value\"");
        assertThat(written(debit, "count")).isEqualTo("[2]");
        assertThat(written(debit, "value")).isEqualTo("[null]");
    }

    @Test
    void isNullWithoutAnAnswer() {
        assertThat(written(open.debit("k", "0.1"), "mean")).isEqualTo("[null]");
    }
}
