package dev.purser.dataset.ingest;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.parser.FieldFrames;
import dev.purser.dataset.parser.FormRule;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a Parquet file, whose parser hands them over in batches, column by column. A number means what its text would mean in a CSV
 * file: where the answer is not certain without it, the text is written and read.
 */
final class ParquetColumns implements UploadRows {
    /** After a header on line 1. */
    private static final long FIRST_LINE = 2;

    private final Dataset dataset;
    private final FrameBuffer stream;
    private final Fields fields;
    private final @Nullable SharedBatches shared;
    private final FrameBuffer memory = FrameBuffer.ofMemory();
    /** Where the batch is: one of the two. */
    private FrameBuffer buffer;

    private final FingerprintDigest fingerprint;
    private final FieldReader[] readers;
    private final RowBatch batch;

    private final TextField field = new TextField();
    private final byte[] digits = new byte[NumberText.MAX_BYTES];
    private final NumberText numberText = new NumberText(digits);
    /** Of the column read last: whether no row's is missing, and if one is, which are there. */
    private boolean complete;

    private final long[] present = new long[FieldFrames.MAX_BATCH_ROWS / Long.SIZE];
    private final long[] words = new long[FieldFrames.MAX_BATCH_ROWS];
    private final int[] lengths = new int[FieldFrames.MAX_BATCH_ROWS];

    private @Nullable UploadHeader header;
    private InlinedTexts[] texts = {};
    private int rows;
    /** The first row with a value that is refused, and its column. */
    private int refusedRow;

    private int refusedColumn;
    private int rowWithoutUnit;
    /** The first row that does not have the form of a row, and the rule it breaks. */
    private int malformedRow;

    private FormRule malformedRule = FormRule.NOT_PARQUET;

    /**
     * @param stream of frames
     * @param shared where batches may be that are not in the stream
     * @param fingerprint is told all fields of every row, listed or not
     */
    ParquetColumns(Dataset dataset, FrameBuffer stream, @Nullable SharedBatches shared, FingerprintDigest fingerprint) {
        this.dataset = dataset;
        this.stream = stream;
        this.shared = shared;
        buffer = stream;
        fields = new Fields(stream);
        this.fingerprint = fingerprint;
        readers = FieldReader.ofAll(dataset.columns());
        batch = new RowBatch(readers.length);
    }

    /** Places in memory only for columns that have texts. */
    private static InlinedTexts[] inlinedTexts(UploadHeader header) {
        int places = FieldReader.remembered(header.fields());
        return header.forms().stream()
                .map(form -> new InlinedTexts(form instanceof FieldForm.Text ? places : 1))
                .toArray(InlinedTexts[]::new);
    }

    @Override
    public RowBatch batch() {
        return batch;
    }

    @Override
    public boolean next() throws ParserFailure {
        if (header == null) {
            header = UploadHeader.read(fields, dataset);
            texts = inlinedTexts(header);
        }
        rows = fields.nextBatch();
        if (rows == 0) {
            batch.clear(0);
            return false;
        }
        if (rows > 1 && rows * header.fields() > FieldFrames.MAX_BATCH_FIELDS) {
            throw new ParserFailure();
        }
        moveToBatch();
        batch.clear(rows);
        fingerprint.begin(header.fields(), rows);
        refusedRow = Integer.MAX_VALUE;
        rowWithoutUnit = Integer.MAX_VALUE;
        malformedRow = Integer.MAX_VALUE;
        for (int i = 0; i < header.fields(); i++) {
            readColumn(header, i);
        }
        if (fields.isShared() && memory.position < memory.limit) {
            throw new ParserFailure();
        }
        judge();
        fingerprint.addRows(rows);
        batch.complete(rows);
        return true;
    }

    private void moveToBatch() throws ParserFailure {
        buffer = stream;
        if (fields.isShared()) {
            if (shared == null) {
                throw new ParserFailure();
            }
            shared.next(fields.sharedLength(), memory);
            buffer = memory;
        }
    }

    /** Refuses the first row that breaks a rule. */
    private void judge() {
        long allowed = Math.min(rows, dataset.maxRows() - batch.total());
        long line = FIRST_LINE + batch.total();
        if (malformedRow < allowed && malformedRow <= Math.min(refusedRow, rowWithoutUnit)) {
            throw InvalidData.at(line + malformedRow, malformedRule.text());
        }
        if (refusedRow < allowed && refusedRow <= rowWithoutUnit) {
            throw InvalidData.at(
                    line + refusedRow, dataset.columns().get(refusedColumn).name(), readers[refusedColumn].rule());
        }
        if (rowWithoutUnit < allowed) {
            throw InvalidData.at(line + rowWithoutUnit, UploadHeader.unitColumn(dataset), UploadRows.EMPTY_UNIT);
        }
        if (rows > allowed) {
            throw InvalidData.at(line + allowed, UploadRows.TOO_MANY);
        }
    }

    private void readColumn(UploadHeader header, int i) throws ParserFailure {
        int column = header.columns()[i];
        boolean isUnit = i == header.unit();
        switch (header.forms().get(i)) {
            case FieldForm.Text _ -> readTexts(i, column, isUnit);
            case FieldForm.Numbers numbers -> {
                readNumbers(numbers);
                fingerprintNumbers(i, numbers);
                if (column != UploadHeader.NOT_STORED) {
                    storeNumbers(column, numbers);
                }
                for (int row = 0; isUnit && row < rows; row++) {
                    putUnit(row, text(row, numbers));
                }
            }
        }
    }

    private void readTexts(int i, int column, boolean isUnit) throws ParserFailure {
        readPresence();
        int slots = rows * FieldFrames.TEXT_BYTES;
        buffer.require(slots);
        buffer.require(slots + longTexts());
        InlinedTexts known = texts[i];
        int slot = buffer.position;
        int next = slot + slots;
        for (int row = 0; row < rows; row++) {
            int length = lengths[row];
            boolean inlined = length <= FieldFrames.MAX_INLINED;
            // Of a missing text the place says nothing.
            long first = length == 0 ? 0 : buffer.wordAt(slot);
            long second = length == 0 ? 0 : buffer.wordAt(slot + Long.BYTES);
            int from = inlined ? slot + Integer.BYTES : next;
            if (inlined && !isUnit && known.find(first, second)) {
                takeKnown(row, i, column, known);
            } else if (takeText(row, i, column, from, length) && inlined && !isUnit) {
                known.remember(
                        first,
                        second,
                        fingerprint.blockFirst(row, i),
                        fingerprint.blockSecond(row, i),
                        column == UploadHeader.NOT_STORED ? 0 : batch.columns()[column][row],
                        column != UploadHeader.NOT_STORED && readers[column].clamped());
            }
            if (isUnit) {
                putUnit(row, field);
            }
            next += inlined ? 0 : length;
            slot += FieldFrames.TEXT_BYTES;
        }
        buffer.position = next;
    }

    private void takeKnown(int row, int i, int column, InlinedTexts known) {
        fingerprint.block(row, i, known.blockFirst(), known.blockSecond());
        if (column != UploadHeader.NOT_STORED) {
            batch.columns()[column][row] = known.value();
            batch.countClamped(known.clamped());
        }
    }

    /** False if the text breaks a rule. */
    private boolean takeText(int row, int i, int column, int from, int length) {
        field.set(buffer.bytes, from, from + length);
        fingerprint.field(row, i, field);
        boolean kept = column == UploadHeader.NOT_STORED || store(row, column, field);
        if (buffer.hasNul(from, length)) {
            breakRule(row, FormRule.NUL);
            return false;
        }
        return kept;
    }

    /** Reads the lengths of all texts; returns that of those that stand behind the others. */
    private int longTexts() throws ParserFailure {
        int together = 0;
        for (int row = 0; row < rows; row++) {
            int length = isPresent(row) ? buffer.intAt(row * FieldFrames.TEXT_BYTES) : 0;
            if (length < 0 || length > FieldFrames.MAX_FIELD_BYTES - together) {
                throw new ParserFailure();
            }
            together += length > FieldFrames.MAX_INLINED ? length : 0;
            lengths[row] = length;
        }
        return together;
    }

    private void readNumbers(FieldForm.Numbers numbers) throws ParserFailure {
        readPresence();
        buffer.readIntegers(words, rows, numbers.bytesOfRow());
        for (int row = 0; row < rows; row++) {
            if (!numbers.isPermitted(words[row]) && isPresent(row)) {
                breakRule(row, FormRule.NOT_PARQUET);
            }
        }
    }

    private void readPresence() throws ParserFailure {
        complete = buffer.readByte() == 0;
        if (!complete) {
            buffer.readWords(present, Math.ceilDiv(rows, Long.SIZE));
        }
    }

    private boolean isPresent(int row) {
        return complete || (present[row / Long.SIZE] >>> row & 1) != 0;
    }

    /** What a number is in a CSV file; nothing if it is missing. */
    private TextField text(int row, FieldForm.Numbers numbers) {
        int length = isPresent(row) ? numbers.write(words[row], numberText) : 0;
        return field.set(digits, 0, length);
    }

    private void fingerprintNumbers(int i, FieldForm.Numbers numbers) {
        for (int row = 0; row < rows; row++) {
            double exact = isPresent(row) ? numbers.exactDouble(words[row]) : Double.NaN;
            if (Double.isNaN(exact)) {
                fingerprint.field(row, i, text(row, numbers));
            } else {
                fingerprint.number(row, i, exact);
            }
        }
    }

    private void storeNumbers(int column, FieldForm.Numbers numbers) {
        GridReader grid = readers[column].grid();
        if (grid == null) {
            for (int row = 0; row < rows; row++) {
                store(row, column, text(row, numbers));
            }
        } else {
            storeOnGrid(column, numbers, grid);
        }
    }

    private void storeOnGrid(int column, FieldForm.Numbers numbers, GridReader grid) {
        long[] into = batch.columns()[column];
        int clamped = 0;
        for (int row = 0; row < rows; row++) {
            long value = isPresent(row) ? numbers.read(words[row], grid) : GridReader.UNDECIDED;
            if (value == GridReader.UNDECIDED) {
                store(row, column, text(row, numbers));
            } else {
                into[row] = value;
                clamped += grid.clamped() ? 1 : 0;
            }
        }
        batch.countClamped(clamped);
    }

    private void breakRule(int row, FormRule rule) {
        if (row < malformedRow) {
            malformedRow = row;
            malformedRule = rule;
        }
    }

    /** False if the text is refused. */
    private boolean store(int row, int column, TextField text) {
        FieldReader reader = readers[column];
        long value = reader.read(text);
        if (value == FieldReader.REFUSED) {
            if (row < refusedRow) {
                refusedRow = row;
                refusedColumn = column;
            }
            return false;
        }
        batch.columns()[column][row] = value;
        batch.countClamped(reader.clamped() ? 1 : 0);
        return true;
    }

    private void putUnit(int row, TextField text) {
        if (text.from() == text.to()) {
            rowWithoutUnit = Math.min(rowWithoutUnit, row);
        }
        batch.putUnit(row, text.bytes(), text.from(), text.to());
    }
}
