package dev.purser.dataset.ingest;

import dev.purser.dataset.parser.FieldFrames;

/** How a parser hands over the values of one column of a file: {@link FieldFrames}. */
sealed interface FieldForm {
    FieldForm TEXT = new Text();
    FieldForm DOUBLE = new Doubles();

    /** As they stand there. */
    record Text() implements FieldForm {}

    /** Numbers, each in one word here, and in some bytes of the frames. */
    sealed interface Numbers extends FieldForm {
        int bytesOfRow();

        /**
         * The double of which the number is the shortest decimal that is read as it; NaN if there is none, or it takes its text to tell: what
         * {@link TextField#exactDouble} says of its text.
         */
        double exactDouble(long word);

        /** Whether the number is one that its column declares. */
        boolean isPermitted(long word);

        /** The grid integer to store for the number, or {@link GridReader#UNDECIDED}. */
        long read(long word, GridReader grid);

        /** Writes the number as text; returns the text's length. */
        int write(long word, NumberText text);
    }

    /** Integers which stand for their 10^decimals-th part, with their sign and without it below a limit, unless that is 0. */
    record Unscaled(int decimals, int bytesOfRow, long limit) implements Numbers {
        @Override
        public boolean isPermitted(long word) {
            return limit == 0 || word < limit && word > -limit;
        }

        @Override
        public double exactDouble(long word) {
            return word < Decimals.EXACT && word > -Decimals.EXACT
                    ? word / Decimals.DOUBLE_POWERS[decimals]
                    : Double.NaN;
        }

        @Override
        public long read(long word, GridReader grid) {
            return grid.read(word, decimals);
        }

        @Override
        public int write(long word, NumberText text) {
            return text.write(word, decimals);
        }
    }

    /** Floating-point numbers, which stand for the shortest decimals that are read as the same. */
    record Doubles() implements Numbers {
        @Override
        public int bytesOfRow() {
            return Double.BYTES;
        }

        @Override
        public boolean isPermitted(long word) {
            return true;
        }

        @Override
        public double exactDouble(long word) {
            double number = Double.longBitsToDouble(word);
            return Double.isFinite(number) ? number : Double.NaN;
        }

        @Override
        public long read(long word, GridReader grid) {
            return grid.read(Double.longBitsToDouble(word));
        }

        @Override
        public int write(long word, NumberText text) {
            return text.write(Double.longBitsToDouble(word));
        }
    }

    /** @throws ParserFailure if no number has so many decimals or bytes, or is below such a limit */
    static FieldForm unscaled(int decimals, int bytesOfRow, long limit) throws ParserFailure {
        boolean isWidth = Integer.bitCount(bytesOfRow) == 1 && bytesOfRow <= Long.BYTES;
        if (decimals > FieldFrames.MAX_DECIMALS || !isWidth || limit < 0) {
            throw new ParserFailure();
        }
        return new Unscaled(decimals, bytesOfRow, limit);
    }
}
