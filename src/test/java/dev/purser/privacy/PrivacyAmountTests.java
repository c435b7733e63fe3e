package dev.purser.privacy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class PrivacyAmountTests {
    private static PrivacyAmount amount(long nanos, long attos) {
        return amount(nanos, attos, 0);
    }

    private static PrivacyAmount amount(long nanos, long attos, long picos) {
        return new PrivacyAmount(new Epsilon(nanos), new Delta(attos), new Rho(picos));
    }

    @Test
    void addsEachPart() {
        assertThat(amount(1, 2, 3).plus(amount(10, 20, 30))).isEqualTo(amount(11, 22, 33));
    }

    @ParameterizedTest
    @CsvSource({"10,0,0,3,0,0,3", "10,0,0,5,0,0,2", "10,7,0,1,4,0,1", "10,7,9,1,1,2,4", "5,5,5,6,0,0,0", "0,0,9,0,0,9,1"
    })
    void fitsAsOftenAsItsScarcestPart(
            long nanos, long attos, long picos, long eachNanos, long eachAttos, long eachPicos, long times) {
        assertThat(amount(eachNanos, eachAttos, eachPicos).timesWithin(amount(nanos, attos, picos)))
                .isEqualTo(times);
    }

    @Test
    void isNeverMoreThanItsPartsCanHold() {
        long largest = Epsilon.MAX_WHOLE * Epsilon.NANOS_PER_UNIT;

        assertThatIllegalArgumentException().isThrownBy(() -> amount(largest, 0).plus(amount(1, 0)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> amount(0, Delta.ATTOS_PER_UNIT).plus(amount(0, Delta.ATTOS_PER_UNIT)));
    }

    @Test
    void isShownAsTheMostItsPartsCanHold() {
        PrivacyAmount most = amount(Epsilon.MAX_WHOLE * Epsilon.NANOS_PER_UNIT, Delta.ATTOS_PER_UNIT, Rho.MAX.picos());
        assertThat(most.plusUpToCeiling(most)).isEqualTo(most);
        assertThat(most.plusUpToCeiling(amount(0, 0, 1))).isEqualTo(most);
        assertThat(amount(1, 2, 3).plusUpToCeiling(amount(10, 20, 30))).isEqualTo(amount(11, 22, 33));
    }

    @Test
    void subtractsEachPartDownToZero() {
        assertThat(amount(5, 1).minusDownToZero(amount(3, 4))).isEqualTo(amount(2, 0));
        assertThat(amount(1, 9).minusDownToZero(amount(3, 4))).isEqualTo(amount(0, 5));
        assertThat(amount(0, 0, 5).minusDownToZero(amount(0, 0, 3))).isEqualTo(amount(0, 0, 2));
        assertThat(amount(0, 0, 3).minusDownToZero(amount(0, 0, 5))).isEqualTo(PrivacyAmount.ZERO);
    }

    @Test
    void fitsOnlyIfEachPartFitsAndEqualityFits() {
        assertThat(amount(3, 4).fitsWithin(amount(3, 4))).isTrue();
        assertThat(amount(4, 4).fitsWithin(amount(3, 4))).isFalse();
        assertThat(amount(3, 5).fitsWithin(amount(3, 4))).isFalse();
        assertThat(amount(3, 4, 5).fitsWithin(amount(3, 4, 5))).isTrue();
        assertThat(amount(3, 4, 6).fitsWithin(amount(3, 4, 5))).isFalse();
    }
}
