package dev.purser.rows;

import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PrefixesTests {
    @Test
    void addsSumsBeyondSixtyFourBitsExactly() {
        Random random = new Random(31);
        Prefixes all = new Prefixes(1);
        long count = 0;
        BigInteger sum = BigInteger.ZERO;
        for (int i = 0; i < 1000; i++) {
            BigInteger more = new BigInteger(100, random).subtract(BigInteger.ONE.shiftLeft(99));
            long rows = random.nextInt(1 << 30);
            Prefixes part = new Prefixes(1);
            part.add(1, rows, more.shiftRight(Long.SIZE).longValueExact(), more.longValue());
            all.add(part);
            count += rows;
            sum = sum.add(more);
            assertThat(all.counts()).containsExactly(0, count);
            assertThat(all.sumsHigh())
                    .containsExactly(0, sum.shiftRight(Long.SIZE).longValueExact());
            assertThat(all.sumsLow()).containsExactly(0, sum.longValue());
        }
    }
}
