package dev.purser.dataset;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class CivilTimeTests {
    @ParameterizedTest
    @CsvSource({
        "0001-01-01, -719162",
        "1582-10-10, -141432",
        "1969-12-31, -1",
        "1970-01-01, 0",
        "2000-02-29, 11016",
        "9999-12-31, 2932896",
    })
    void countsDaysOfTheProlepticCalendar(String date, BigDecimal days) {
        assertThat(CivilTime.days(date)).contains(days);
        assertThat(CivilTime.date(days)).isEqualTo(date);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2020",
                "2020-1-1",
                "2020-01-1",
                "20200101",
                "0000-01-01",
                "-001-01-01",
                "+2020-01-01",
                "10000-01-01",
                "2019-02-29",
                "1900-02-29",
                "2020-00-01",
                "2020-13-01",
                "2020-01-00",
                "2020-01-32",
                "2020-04-31",
                " 2020-01-01",
                "2020-01-01 ",
                "2020-01-01\n",
                "2020/01/01",
                "２０２０-01-01",
                "2020-01-01T00:00:00Z",
                "NaN",
            })
    void isNoDate(String text) {
        assertThat(CivilTime.days(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "1970-01-01T00:00:00Z, 0",
        "1969-12-31T23:59:59Z, -1",
        "1969-12-31T23:59:59.75Z, -0.25",
        "1970-01-01t00:00:00.000000000000000000000000000001z, 0.000000000000000000000000000001",
        "2020-02-29T12:30:15.5+02:00, 1582972215.5",
        "2020-02-29T12:30:15-09:30, 1583013615",
        "1970-01-01T23:59:00+23:59, 0",
        "1970-01-01T00:00:00-00:00, 0",
        "0001-01-01T00:00:00Z, -62135596800",
        "9999-12-31T23:59:59Z, 253402300799",
    })
    void countsSecondsOfRequestsAndOfUploads(String time, BigDecimal seconds) {
        assertThat(CivilTime.seconds(time).map(BigDecimal::stripTrailingZeros)).contains(seconds.stripTrailingZeros());
        assertThat(CivilTime.secondsInUpload(time)).isEqualTo(CivilTime.seconds(time));
    }

    @ParameterizedTest
    @CsvSource({
        "1970-01-02, 86400",
        "1970-01-01 00:00:01, 1",
        "1970-01-01T00:00:01, 1",
        "1970-01-01 00:02, 120",
        "2020-01-01T00:00Z, 1577836800",
        "1970-01-01T02:00+02, 0",
        "1970-01-01 00:00:01.5, 1.5",
        "1970-01-01 00:00:01Z, 1",
        "1970-01-01 02:00:00+02, 0",
        "1970-01-01 02:00:00+0200, 0",
        "1969-12-31 22:30:00-01:30, 0",
        "0001-01-01T00:00:00+01:00, -62135600400",
    })
    void countsSecondsOfUploadsInMoreForms(String time, BigDecimal seconds) {
        assertThat(CivilTime.secondsInUpload(time).map(BigDecimal::stripTrailingZeros))
                .contains(seconds.stripTrailingZeros());
        assertThat(CivilTime.seconds(time)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2020-02-30T00:00:00Z",
                "2020-01-01T24:00:00Z",
                "2020-01-01T00:60:00Z",
                "2020-01-01T00:00:60Z",
                "2016-12-31T23:59:60Z",
                "2020-01-01T00:00:00.Z",
                "2020-01-01T00:00:00,5Z",
                "2020-01-01T00:00:00.0000000000000000000000000000000Z",
                "2020-01-01T00:00:00+24:00",
                "2020-01-01T00:00:00+01:60",
                "2020-01-01T00:00:00+1",
                "2020-01-01T00:00:00 Z",
                "2020-01-01T00:00:00+01:",
                "2020-01-01T00:00:00[UTC]",
                "2020-01-01  00:00:00",
                "2020-01-01T",
                "0000-12-31T00:00:00Z",
                "1583013615",
            })
    void isNoTime(String text) {
        assertThat(CivilTime.seconds(text)).isEmpty();
        assertThat(CivilTime.secondsInUpload(text)).isEmpty();
    }

    @Test
    void requestsStayWithinTheYearsThatAnswersCanShow() {
        assertThat(CivilTime.seconds("0001-01-01T00:00:00+00:01")).isEmpty();
        assertThat(CivilTime.seconds("9999-12-31T23:59:59-00:01")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, 1970-01-01T00:00:00Z",
        "-0.25, 2, 1969-12-31T23:59:59.75Z",
        "-0.5, 3, 1969-12-31T23:59:59.500Z",
        "1582972200, 0, 2020-02-29T10:30:00Z",
        "-62135596800, 1, 0001-01-01T00:00:00.0Z",
        "253402300799.9, 1, 9999-12-31T23:59:59.9Z",
    })
    void showsTimesInUtcWithTheDigitsAsked(BigDecimal seconds, int digits, String shown) {
        assertThat(CivilTime.time(seconds, digits)).isEqualTo(shown);
    }

    @Test
    void agreesWithThePlatformOnRandomTimes() {
        SplittableRandom random = new SplittableRandom(4);
        for (int i = 0; i < 20_000; i++) {
            LocalDate date = LocalDate.ofEpochDay(random.nextLong(-719_162, 2_932_897));
            assertThat(CivilTime.days(date.toString())).contains(BigDecimal.valueOf(date.toEpochDay()));
            int offset = random.nextInt(-18 * 60, 18 * 60 + 1);
            OffsetDateTime time = date.atTime(random.nextInt(24), random.nextInt(60), random.nextInt(1, 60))
                    .atOffset(ZoneOffset.ofTotalSeconds(offset * 60));
            Optional<BigDecimal> expected = Optional.of(BigDecimal.valueOf(time.toEpochSecond()));
            assertThat(CivilTime.secondsInUpload(time.toString())).isEqualTo(expected);
        }
    }
}
