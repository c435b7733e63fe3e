package dev.purser.dataset.ingest;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Numbers as text, held against what DuckDB makes of them. */
class NumberTextTests {
    private static final int RANDOM_DOUBLES = 30_000;
    private static final int SEED = 28;

    private final byte[] bytes = new byte[NumberText.MAX_BYTES];
    private final NumberText numbers = new NumberText(bytes);

    private String text(int length) {
        return new String(bytes, 0, length, StandardCharsets.US_ASCII);
    }

    /** Of one kind after the other: how many decimals the last had must not matter to the next. */
    private static double[] doubles() {
        SplittableRandom random = new SplittableRandom(SEED);
        DoubleStream special = DoubleStream.of(
                0,
                -0.0,
                Double.NaN,
                Double.POSITIVE_INFINITY,
                Double.NEGATIVE_INFINITY,
                Double.MIN_VALUE,
                2 * Double.MIN_VALUE,
                20 * Double.MIN_VALUE,
                Double.MIN_NORMAL,
                Double.MAX_VALUE,
                1e22,
                1e23,
                2e-3,
                1e-4,
                0.00009999999999999999,
                9.999999999999999e14,
                1e15,
                999999999999999.9,
                1e16,
                9007199254740993.0,
                123456789012345.6,
                4.35,
                0.1 + 0.2);
        DoubleStream anyBits = DoubleStream.generate(() -> Double.longBitsToDouble(random.nextLong()));
        DoubleStream plain = DoubleStream.generate(() -> random.nextDouble(-1e3, 1e3));
        DoubleStream decimals = DoubleStream.generate(
                () -> Math.rint(random.nextDouble(-1e7, 1e7)) / Math.pow(10, random.nextInt(0, 13)));
        DoubleStream powers =
                DoubleStream.generate(() -> random.nextInt(1, 100) * Math.pow(10, random.nextInt(-320, 308)));
        return DoubleStream.concat(
                        special,
                        DoubleStream.concat(
                                DoubleStream.concat(anyBits.limit(RANDOM_DOUBLES), plain.limit(RANDOM_DOUBLES)),
                                DoubleStream.concat(decimals.limit(RANDOM_DOUBLES), powers.limit(RANDOM_DOUBLES))))
                .toArray();
    }

    @Test
    void doublesAreWrittenAsDuckDbCastsThem() throws SQLException {
        double[] doubles = doubles();
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE given (place INTEGER, number DOUBLE)");
            try (DuckDBAppender appender =
                    connection.unwrap(DuckDBConnection.class).createAppender("main", "given")) {
                for (int i = 0; i < doubles.length; i++) {
                    appender.beginRow();
                    appender.append(i);
                    appender.append(doubles[i]);
                    appender.endRow();
                }
            }
            try (ResultSet texts = statement.executeQuery("SELECT number::VARCHAR FROM given ORDER BY place")) {
                for (double number : doubles) {
                    texts.next();
                    assertThat(text(numbers.write(number)))
                            .as("%s", number)
                            .isEqualTo(Double.isNaN(number) ? "nan" : texts.getString(1));
                }
            }
        }
    }

    @Test
    void aDoubleIsReadAsTheSameDouble() {
        // Of these DuckDB 1.5 makes other numbers, and even a text that is none.
        DoubleStream wrongInDuckDb = DoubleStream.of(0x1p81, 0x1p91, 0x1p807);
        for (double number :
                DoubleStream.concat(DoubleStream.of(doubles()), wrongInDuckDb).toArray()) {
            String text = text(numbers.write(number));
            if (Double.isFinite(number)) {
                assertThat(Double.parseDouble(text)).isEqualTo(number);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, 0",
        "-7, 0, -7",
        "9223372036854775807, 0, 9223372036854775807",
        "-9223372036854775808, 0, -9223372036854775808",
        "-9223372036854775807, 0, -9223372036854775807",
        "1000000000000000000, 0, 1000000000000000000",
        "999999999999999999, 0, 999999999999999999",
        "-5, 2, -0.05",
        "0, 2, 0.00",
        "999999999999999999, 18, 0.999999999999999999",
        "100, 2, 1.00"
    })
    void unscaledNumbersAreWrittenWithAllTheirDecimals(long unscaled, int decimals, String expected) {
        assertThat(text(numbers.write(unscaled, decimals))).isEqualTo(expected);
    }

    @Test
    void wholeNumbersOfAllLengthsAreWrittenInFull() {
        BigInteger power = BigInteger.ONE;
        while (power.bitLength() < Long.SIZE) {
            for (int around = -1; around <= 1; around++) {
                long number = power.longValue() + around;
                assertThat(text(numbers.write(number, 0))).isEqualTo(Long.toString(number));
                assertThat(text(numbers.write(-number, 0))).isEqualTo(Long.toString(-number));
                for (int decimals = 1; decimals <= 18; decimals++) {
                    assertThat(text(numbers.write(number, decimals)))
                            .isEqualTo(BigDecimal.valueOf(number, decimals).toPlainString());
                }
            }
            power = power.multiply(BigInteger.TEN);
        }
    }
}
