package dev.purser.privacy;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class PrivacyAmountTests {
    private static PrivacyAmount amount(long nanos, long attos) {
        return new PrivacyAmount(new Epsilon(nanos), new Delta(attos));
    }

    @Test
    void addsBothParts() {
        assertThat(amount(1, 2).plus(amount(10, 20))).isEqualTo(amount(11, 22));
    }

    @Test
    void isNeverMoreThanItsPartsCanHold() {
        long largest = Epsilon.MAX_WHOLE * Epsilon.NANOS_PER_UNIT;

        assertThatIllegalArgumentException().isThrownBy(() -> amount(largest, 0).plus(amount(1, 0)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> amount(0, Delta.ATTOS_PER_UNIT).plus(amount(0, Delta.ATTOS_PER_UNIT)));
    }

    @Test
    void subtractsEachPartDownToZero() {
        assertThat(amount(5, 1).minusDownToZero(amount(3, 4))).isEqualTo(amount(2, 0));
        assertThat(amount(1, 9).minusDownToZero(amount(3, 4))).isEqualTo(amount(0, 5));
    }

    @Test
    void fitsOnlyIfBothPartsFitAndEqualityFits() {
        assertThat(amount(3, 4).fitsWithin(amount(3, 4))).isTrue();
        assertThat(amount(4, 4).fitsWithin(amount(3, 4))).isFalse();
        assertThat(amount(3, 5).fitsWithin(amount(3, 4))).isFalse();
    }
}
