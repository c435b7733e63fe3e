package dev.purser.privacy;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.OptionalInt;

/**
 * The blocks of a dataset: consecutive ranges of the values of one column. A row is in the block of its stored value.
 * The registration alone determines the blocks. All blocks therefore exist, with their whole budget, before there is a
 * row. Dates are counted in days since 1970-01-01.
 *
 * <p>Block composition: Lécuyer et al., "Privacy Accounting and Quality Control in the Sage Differentially Private ML
 * Platform" (SOSP 2019), section 3.
 *
 * @param column the column whose value determines the block of a row
 * @param before the number of blocks of this width from the value 0 to the first block; negative if the first block is
 *     below 0
 * @param count the number of blocks
 */
public record Blocks(String column, Width width, long before, int count) {
    /** The most blocks of a dataset. */
    public static final int MOST = 10_000;

    public Blocks {
        if (count < 1 || count > MOST) {
            throw new IllegalArgumentException("there are 1 to " + MOST + " blocks");
        }
    }

    /** How wide a block is. */
    public sealed interface Width {
        /** How many blocks there are from the value 0 to the block of a value. */
        long place(long value);

        /** The least value of a block. */
        long start(long place);

        /** The name of the block that starts at a value. */
        default String label(long start) {
            return LocalDate.ofEpochDay(start).toString();
        }

        /**
         * A value in the block with this name.
         *
         * @throws IllegalArgumentException or {@link DateTimeException} if this cannot be the name of a block
         */
        default long named(String label) {
            return LocalDate.parse(label).toEpochDay();
        }

        /** The name in registrations and ledgers. */
        String text();

        /** The width with this name. */
        static Width of(String text) {
            return switch (text) {
                case "day" -> new Day();
                case "week" -> new Week();
                case "month" -> new Month();
                default -> new Integers(Long.parseLong(text));
            };
        }
    }

    /** A day. */
    public record Day() implements Width {
        @Override
        public long place(long value) {
            return value;
        }

        @Override
        public long start(long place) {
            return place;
        }

        @Override
        public String text() {
            return "day";
        }
    }

    /** A week, from Monday to Sunday. */
    public record Week() implements Width {
        private static final int DAYS = DayOfWeek.values().length;

        /** The number of days from the last Monday before 1970-01-01 to 1970-01-01. */
        private static final int FROM_MONDAY = LocalDate.EPOCH.getDayOfWeek().getValue() - DayOfWeek.MONDAY.getValue();

        @Override
        public long place(long value) {
            return Math.floorDiv(value + FROM_MONDAY, DAYS);
        }

        @Override
        public long start(long place) {
            return place * DAYS - FROM_MONDAY;
        }

        @Override
        public String text() {
            return "week";
        }
    }

    /** A month. */
    public record Month() implements Width {
        private static final int MONTHS = java.time.Month.values().length;

        @Override
        public long place(long value) {
            LocalDate date = LocalDate.ofEpochDay(value);
            return (long) date.getYear() * MONTHS + date.getMonthValue() - 1;
        }

        @Override
        public long start(long place) {
            return LocalDate.of(Math.toIntExact(Math.floorDiv(place, MONTHS)), Math.floorMod(place, MONTHS) + 1, 1)
                    .toEpochDay();
        }

        @Override
        public String label(long start) {
            return YearMonth.from(LocalDate.ofEpochDay(start)).toString();
        }

        @Override
        public long named(String label) {
            return YearMonth.parse(label).atDay(1).toEpochDay();
        }

        @Override
        public String text() {
            return "month";
        }
    }

    /** A range of {@code size} integers that starts at a multiple of {@code size}. */
    public record Integers(long size) implements Width {
        public Integers {
            if (size < 1) {
                throw new IllegalArgumentException("a block has at least one integer");
            }
        }

        @Override
        public long place(long value) {
            return Math.floorDiv(value, size);
        }

        @Override
        public long start(long place) {
            return place * size;
        }

        @Override
        public String label(long start) {
            return String.valueOf(start);
        }

        @Override
        public long named(String label) {
            return Long.parseLong(label);
        }

        @Override
        public String text() {
            return String.valueOf(size);
        }
    }

    /**
     * The blocks that {@link #text} names.
     *
     * @throws IllegalArgumentException if the text names no blocks
     */
    public static Blocks parse(String text) {
        String[] parts = text.split(" ", 4);
        try {
            return from(parts[3], Width.of(parts[0]), parts[1], Integer.parseInt(parts[2]));
        } catch (IndexOutOfBoundsException | DateTimeException notBlocks) {
            throw new IllegalArgumentException("there are no blocks " + text, notBlocks);
        }
    }

    /** Width, first label, number and column, with a space between them. */
    public String text() {
        return width.text() + " " + label(0) + " " + count + " " + column;
    }

    /** The number of blocks of this width that hold the values from a lower to an upper bound. */
    public static long between(Width width, long lower, long upper) {
        return width.place(upper) - width.place(lower) + 1;
    }

    /** The blocks of the values between two bounds of a column. */
    public static Blocks over(String column, Width width, long lower, long upper) {
        return new Blocks(column, width, width.place(lower), Math.toIntExact(between(width, lower, upper)));
    }

    /** The blocks with this first label. */
    public static Blocks from(String column, Width width, String first, int count) {
        return new Blocks(column, width, width.place(width.named(first)), count);
    }

    /** The block of a value between the column's bounds. */
    public int of(long value) {
        return Math.toIntExact(width.place(value) - before);
    }

    /** The least value of a block. For {@link #count} it is the first value after the last block. */
    public long start(int block) {
        return width.start(before + block);
    }

    /** The name of a block. */
    public String label(int block) {
        return width.label(start(block));
    }

    /** The block with this name; empty if there is none. */
    public OptionalInt named(String label) {
        try {
            long block = width.place(width.named(label)) - before;
            return block >= 0 && block < count && label((int) block).equals(label)
                    ? OptionalInt.of((int) block)
                    : OptionalInt.empty();
        } catch (IllegalArgumentException | DateTimeException notALabel) {
            return OptionalInt.empty();
        }
    }

    /** The blocks of a window. Their places are counted from the first block of the window. */
    public Blocks part(BlockWindow window) {
        return new Blocks(column, width, before + window.first(), window.size());
    }

    /** The window of all blocks. */
    public BlockWindow all() {
        return new BlockWindow(0, count - 1);
    }
}
