package dev.purser.ledger;

import dev.purser.accounting.PureAccountant;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BudgetTests {
    private static PrivacyAmount units(long nanos) {
        return PrivacyAmount.pure(new Epsilon(nanos));
    }

    @Test
    void everyAnalystHasTheirOwnAllotmentOrNone() {
        Allotment anas = new Allotment("ana", units(3), units(1));
        Allotment bobs = new Allotment("bob", units(9), units(1));
        Budget budget = new Budget(new PureAccountant(), units(10), units(5), List.of(anas, bobs));

        assertThat(budget.allotmentOf("ana")).contains(anas);
        assertThat(budget.allotmentOf("bob")).contains(bobs);
        assertThat(budget.allotmentOf("eve")).isEmpty();
        assertThat(budget.remainingFor("ana")).isEqualTo(units(2));
        assertThat(budget.remainingFor("bob")).isEqualTo(units(5));
        assertThat(budget.remainingFor("eve")).isEqualTo(units(5));
    }
}
