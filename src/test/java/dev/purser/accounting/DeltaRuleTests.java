package dev.purser.accounting;

import dev.purser.privacy.Delta;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

class DeltaRuleTests {
    @Test
    void permitsTheDeltasThatItsTextSays() {
        List<Delta> deltas = List.of(Delta.ZERO, new Delta(1), new Delta(Delta.ATTOS_PER_UNIT));

        assertThat(deltas).filteredOn(DeltaRule.ZERO::permits).containsExactly(Delta.ZERO);
        assertThat(deltas).allMatch(DeltaRule.ANY::permits);
        assertThat(deltas)
                .filteredOn(DeltaRule.ABOVE_ZERO::permits)
                .doesNotContain(Delta.ZERO)
                .hasSize(2);
        assertThat(DeltaRule.ZERO.text()).isEqualTo("must be 0");
        assertThat(DeltaRule.ANY.text()).isEmpty();
        assertThat(DeltaRule.ABOVE_ZERO.text()).isEqualTo("must be above 0");
    }

    @Test
    void everyAccountantHasItsRules() {
        assertThat(Accountants.ALL)
                .extracting(Accountant::name, Accountant::deltaOfLimit, Accountant::deltaOfQuestion)
                .containsExactly(
                        tuple("pure", DeltaRule.ZERO, DeltaRule.ZERO),
                        tuple("approximate", DeltaRule.ANY, DeltaRule.ANY),
                        tuple("zcdp", DeltaRule.ABOVE_ZERO, DeltaRule.ZERO));
        assertThat(Accountants.named("renyi")).isEmpty();
    }
}
