package dev.purser.upload;

import dev.purser.ProcessorTime;
import dev.purser.dataset.Column;
import dev.purser.dataset.DatasetsForTests;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class GridReaderTests {
    private static final long MAX = 1L << 40;

    /** Reads a text at the end of a buffer and amid other digits; both must give the same. */
    private static long read(GridReader reader, String text) {
        long amid = read(reader, "x", text, "5.5-5e55");
        boolean clamped = reader.clamped();
        assertThat(read(reader, "5", text, "")).as(text).isEqualTo(amid);
        assertThat(reader.clamped()).as(text).isEqualTo(clamped);
        return amid;
    }

    private static long read(GridReader reader, String before, String text, String after) {
        byte[] bytes = (before + text + after).getBytes(StandardCharsets.UTF_8);
        int from = before.length();
        return reader.read(new FieldText().set(bytes, from, bytes.length - after.length()));
    }

    private static GridReader decimal(String resolution) {
        return new GridReader(DatasetsForTests.decimal("x", resolution, -MAX, MAX, null), true, false);
    }

    @ParameterizedTest
    @CsvSource({
        "0.25, 0.125, 1",
        "0.25, 0.1249999999999999999999999999999, 0",
        "0.25, -0.125, 0",
        "0.25, -0.12500000000000000000000000000001, -1",
        "0.25, -0.375, -1",
        "1, 0.5, 1",
        "1, -0.5, 0",
        "1, -1.5, -1",
        "1, 2.5, 3",
        "1, -2.5000000000000000000001, -3",
        "0.1, 0.05, 1",
        "0.1, -0.05, 0",
        "3, 1.5, 1",
        "3, -1.5, 0",
        "0.3, 0.45, 2",
        "1E+2, 50, 1",
        "1E+2, 49.99, 0",
        "1E-30, 0.0000000000000000000000000000005, 1",
        "1, 1e2, 100",
        "1, 1E+2, 100",
        "1, 100e-2, 1",
        "1, .5e1, 5",
        "1, 5., 5",
        "1, +7, 7",
        "1, -0, 0",
        "1, 0000000000000000000000000000000000012, 12",
        "0.7, 0.34999999999999999999, 0",
        "0.7, 0.35, 1",
        "0.123456789, 90000000000, 729000006634",
        "0.12345678901, 99999999, 809999999",
        "500000000000000001, 0.5, 0",
    })
    void roundsHalfUpExactly(String resolution, String text, long steps) {
        assertThat(read(decimal(resolution), text)).isEqualTo(steps);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "-",
                "+",
                ".",
                "-.",
                "e5",
                "1e",
                "1e+",
                "1e5x",
                "1..2",
                "1.2.3",
                "--1",
                " 1",
                "1 ",
                "NaN",
                "Infinity",
                "-inf",
                "0x10",
                "1_000",
                "1,5",
                "1e5.0",
                "١",
                "1d",
                "1f"
            })
    void doesNotReadWhatIsNoNumber(String text) {
        assertThat(read(decimal("0.5"), text)).isEqualTo(GridReader.UNREADABLE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.5", "1e-1", ".5", "1.00000000000000000000000001"})
    void doesNotReadAFractionAsAnInteger(String text) {
        assertThat(read(new GridReader(DatasetsForTests.integer("x", 0, 10), false, false), text))
                .isEqualTo(GridReader.UNREADABLE);
    }

    @ParameterizedTest
    @CsvSource({
        "1e1000000000, 4",
        "1e99999999999999999999999999, 4",
        "-1e1000000000, -4",
        "1e-1000000000, 0",
        "-1e-1000000000, 0",
        "123456789012345678901234567890, 4",
        "9223372036854775808, 4",
        "-9223372036854775809, -4",
        "1.0000001, 4",
        "1.0, 4",
        "-1.1, -4",
        "-1.01, -4",
    })
    void clampsAnyMagnitudeAtOnce(String text, long steps) {
        GridReader reader = new GridReader(DatasetsForTests.decimal("x", "0.25", -4, 4, null), true, false);
        ProcessorTime.isBelow(
                Duration.ofSeconds(1), () -> assertThat(read(reader, text)).isEqualTo(steps));
        assertThat(reader.clamped()).isEqualTo(new BigDecimalRange(text).isOutside());
    }

    /** Whether a text lies outside [-1, 1], decided without a large number. */
    private record BigDecimalRange(String text) {
        private boolean isOutside() {
            return !text.contains("e-") && !text.equals("1.0");
        }
    }

    @Test
    void readsAMegabyteOfDigitsQuickly() {
        String digits = "9".repeat(1 << 20);
        ProcessorTime.isBelow(Duration.ofSeconds(2), () -> {
            assertThat(read(decimal("1"), "0." + digits)).isEqualTo(1);
            assertThat(read(decimal("1"), "0.4" + digits)).isEqualTo(0);
            assertThat(read(decimal("1"), "-0.5" + "0".repeat(1 << 20) + "1")).isEqualTo(-1);
            assertThat(read(decimal("1"), digits + "e-" + (digits.length() - 1)))
                    .isEqualTo(10);
            assertThat(read(decimal("1"), "0." + "0".repeat(1 << 20) + "7e" + (1 + (1 << 20))))
                    .isEqualTo(7);
        });
    }

    private static boolean isWhole(BigDecimal number) {
        return number.signum() == 0 || number.stripTrailingZeros().scale() <= 0;
    }

    /** All texts of up to five characters, each from those of a number's form or from some further characters. */
    @Test
    void readsEveryShortTextAsItsFormSays() {
        Pattern number = Pattern.compile("[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?");
        String signs = "019.-+eE/:\u0000x";
        GridReader decimals = decimal("0.25");
        GridReader integers = new GridReader(DatasetsForTests.decimal("x", "1", -5, 1000, null), false, false);
        List<String> texts = List.of("");
        for (int length = 0; length <= 5; length++) {
            List<String> longer = new ArrayList<>();
            for (String text : texts) {
                long fours =
                        number.matcher(text).matches() ? nearestFourth(new BigDecimal(text)) : GridReader.UNREADABLE;
                long whole = number.matcher(text).matches() && isWhole(new BigDecimal(text))
                        ? new BigDecimal(text)
                                .max(BigDecimal.valueOf(-5))
                                .min(BigDecimal.valueOf(1000))
                                .longValueExact()
                        : GridReader.UNREADABLE;
                if (read(decimals, text) != fours || read(integers, text) != whole) {
                    assertThat(read(decimals, text)).as(text).isEqualTo(fours);
                    assertThat(read(integers, text)).as(text).isEqualTo(whole);
                }
                for (int i = 0; length < 5 && i < signs.length(); i++) {
                    longer.add(text + signs.charAt(i));
                }
            }
            texts = longer;
        }
    }

    private static long nearestFourth(BigDecimal value) {
        BigDecimal steps = value.multiply(BigDecimal.valueOf(4)).add(new BigDecimal("0.5"));
        BigDecimal bounded = steps.min(BigDecimal.valueOf(MAX)).max(BigDecimal.valueOf(-MAX));
        return bounded.setScale(0, RoundingMode.FLOOR).longValueExact();
    }

    @Test
    void readsAPointInEveryPlace() {
        for (String digits : List.of("12345678", "1234567", "87654321", "00000001", "10000000", "99999999")) {
            for (int point = 0; point <= digits.length(); point++) {
                String text = digits.substring(0, point) + "." + digits.substring(point);
                long steps = new BigDecimal("0" + text).movePointRight(8).longValueExact();
                assertThat(read(
                                new GridReader(DatasetsForTests.decimal("x", "1E-8", -MAX, MAX, null), true, false),
                                text))
                        .isEqualTo(Math.min(steps, MAX));
            }
            assertThat(read(decimal("1"), digits)).isEqualTo(Long.parseLong(digits));
            assertThat(read(decimal("1"), "-" + digits)).isEqualTo(-Long.parseLong(digits));
        }
    }

    @Test
    void agreesWithArbitraryPrecisionOnRandomNumbers() {
        Random random = new Random(20260501);
        String[] resolutions = {
            "1", "0.25", "0.1", "0.3", "7", "0.007", "1E+3", "1E-9", "0.123456789012345678901", "1E-25"
        };
        for (int i = 0; i < 200_000; i++) {
            BigDecimal resolution = new BigDecimal(resolutions[random.nextInt(resolutions.length)]);
            long lower = random.nextInt(2000) - 1500;
            long upper = lower + random.nextInt(2000);
            Column.Numeric column = DatasetsForTests.decimal("x", resolution.toString(), lower, upper, null);
            BigDecimal value = randomNear(random, resolution);
            GridReader reader = new GridReader(column, true, false);
            long expected = value.add(resolution.divide(BigDecimal.TWO))
                    .divide(resolution, new MathContext(80, RoundingMode.FLOOR))
                    .setScale(0, RoundingMode.FLOOR)
                    .longValueExact();
            String text = random.nextBoolean() ? value.toString() : value.toPlainString();
            assertThat(read(reader, text)).as(text).isEqualTo(Math.clamp(expected, lower, upper));
            assertThat(reader.clamped())
                    .as(text)
                    .isEqualTo(value.compareTo(resolution.multiply(BigDecimal.valueOf(lower))) < 0
                            || value.compareTo(resolution.multiply(BigDecimal.valueOf(upper))) > 0);
        }
    }

    /** A number that is often exactly on a rounding boundary, or very near it. */
    private static BigDecimal randomNear(Random random, BigDecimal resolution) {
        BigDecimal halves = BigDecimal.valueOf(random.nextInt(8000) - 4000);
        BigDecimal value = resolution.divide(BigDecimal.TWO).multiply(halves);
        return switch (random.nextInt(4)) {
            case 0 -> value;
            case 1 -> value.add(BigDecimal.ONE.movePointLeft(10 + random.nextInt(40)));
            case 2 -> value.subtract(BigDecimal.ONE.movePointLeft(10 + random.nextInt(40)));
            default -> value.add(new BigDecimal(random.nextGaussian()).multiply(resolution));
        };
    }

    /** A time belongs to the step that has begun. The whole step of the upper bound is within the bounds. */
    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "43200, 0",
        "86399.999, 0",
        "86400, 1",
        "129600, 1",
        "864000, 10",
        "950399.9, 10",
        "950400, 10 clamped",
        "-0.001, -1",
        "-1e-30, -1",
        "-86400, -1",
        "-86401, -2",
        "-86400.00000000000000000000000000000000000000001, -2",
        "-172800, -2",
        "-172800.5, -2 clamped"
    })
    void timesAreRoundedDown(String text, String expected) {
        GridReader days = new GridReader(DatasetsForTests.decimal("at", "86400", -2, 10, null), true, true);
        byte[] bytes = text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
        long value = days.read(new FieldText().set(bytes, 0, bytes.length));
        assertThat(value + (days.clamped() ? " clamped" : "")).isEqualTo(expected);
    }
}
