package dev.purser.dataset;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Dates and times of the proleptic Gregorian calendar (ISO 8601), years 0001 to 9999. Dates are exact numbers of days,
 * and times exact numbers of seconds in UTC, since 1970-01-01. A day has 86,400 seconds, as in POSIX. A leap second 60
 * is not accepted.
 */
final class CivilTime {
    private static final String DATE = "(?<year>(?!0000)[0-9]{4})-(?<month>[0-9]{2})-(?<day>[0-9]{2})";
    private static final String MINUTE = "(?<hour>[01][0-9]|2[0-3]):(?<minute>[0-5][0-9])";
    private static final String SECOND = ":(?<second>[0-5][0-9])(?:\\.(?<fraction>[0-9]{1,30}))?";
    private static final String OFFSET = "(?<sign>[+-])(?<hours>[01][0-9]|2[0-3])";
    private static final String MINUTES = "(?<minutes>[0-5][0-9])";
    private static final Pattern A_DATE = Pattern.compile(DATE);

    /** RFC 3339, section 5.6. */
    private static final Pattern INTERNET =
            Pattern.compile(DATE + "[Tt]" + MINUTE + SECOND + "(?:[Zz]|" + OFFSET + ":" + MINUTES + ")");

    /**
     * Forms that programs write to files: with a space, without seconds, without a zone (UTC), with hours as the zone,
     * or a date alone (midnight).
     */
    private static final Pattern LENIENT = Pattern.compile(
            DATE + "(?:[Tt ]" + MINUTE + "(?:" + SECOND + ")?(?:[Zz]|" + OFFSET + "(?::?" + MINUTES + ")?)?)?");

    /** The first moment of a date, without a zone or in UTC. */
    private static final Pattern MIDNIGHT = Pattern.compile(".{10}[Tt ]00:00(:00(\\.0{1,30})?)?([Zz]|[+]00(:?00)?)?");

    private static final int DATE_LENGTH = 10;

    private static final DateTimeFormatter TO_THE_SECOND = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss");
    private static final int DAY = 86_400;

    private CivilTime() {}

    /** Parses a date such as {@code 2020-01-31}. */
    static Optional<BigDecimal> days(String text) {
        Matcher date = A_DATE.matcher(text);
        return date.matches() ? epochDay(date).map(BigDecimal::valueOf) : Optional.empty();
    }

    /** Parses a date in a field of an upload. Many programs write a date as the first moment of the day. */
    static Optional<BigDecimal> daysInUpload(String text) {
        Optional<BigDecimal> days = days(text);
        return days.isPresent() || !MIDNIGHT.matcher(text).matches() ? days : days(text.substring(0, DATE_LENGTH));
    }

    /** Parses an RFC 3339 time whose year in UTC is also within 0001 to 9999. */
    static Optional<BigDecimal> seconds(String text) {
        return seconds(INTERNET.matcher(text))
                .filter(seconds -> isOurs(secondsAt(seconds).getYear()));
    }

    /** Parses a time in a field of an upload. */
    static Optional<BigDecimal> secondsInUpload(String text) {
        return seconds(LENIENT.matcher(text));
    }

    /** The date of a number of days. */
    static String date(BigDecimal days) {
        return LocalDate.ofEpochDay(days.longValueExact()).toString();
    }

    /** The UTC time of a number of seconds, with this many fraction digits. */
    static String time(BigDecimal seconds, int fractionDigits) {
        BigDecimal fraction = seconds.subtract(seconds.setScale(0, RoundingMode.FLOOR));
        String digits = fractionDigits == 0
                ? ""
                : fraction.setScale(fractionDigits).toPlainString().substring(1);
        return TO_THE_SECOND.format(secondsAt(seconds)) + digits + "Z";
    }

    private static LocalDateTime secondsAt(BigDecimal seconds) {
        long whole = seconds.setScale(0, RoundingMode.FLOOR).longValueExact();
        return LocalDateTime.ofEpochSecond(whole, 0, ZoneOffset.UTC);
    }

    private static boolean isOurs(int year) {
        return year >= 1 && year <= 9999;
    }

    private static Optional<Long> epochDay(Matcher matched) {
        try {
            return Optional.of(LocalDate.of(
                            number(matched.group("year")), number(matched.group("month")), number(matched.group("day")))
                    .toEpochDay());
        } catch (DateTimeException noSuchDay) {
            return Optional.empty();
        }
    }

    private static Optional<BigDecimal> seconds(Matcher text) {
        return text.matches() ? epochDay(text).map(day -> seconds(day, text)) : Optional.empty();
    }

    private static BigDecimal seconds(long day, Matcher matched) {
        long ofDay = 3600L * number(matched.group("hour"))
                + 60L * number(matched.group("minute"))
                + number(matched.group("second"));
        long ahead = 3600L * number(matched.group("hours")) + 60L * number(matched.group("minutes"));
        long utc = day * DAY + ofDay - ("-".equals(matched.group("sign")) ? -ahead : ahead);
        String fraction = matched.group("fraction");
        return fraction == null
                ? BigDecimal.valueOf(utc)
                : BigDecimal.valueOf(utc).add(new BigDecimal("0." + fraction));
    }

    /** Parses a part of the text. An absent part is zero. */
    private static int number(@Nullable String digits) {
        return digits == null ? 0 : Integer.parseInt(digits);
    }
}
