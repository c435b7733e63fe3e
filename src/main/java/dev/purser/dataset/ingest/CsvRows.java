package dev.purser.dataset.ingest;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.parser.FieldFrames;
import dev.purser.problem.ProblemException;
import org.jspecify.annotations.Nullable;

/** The rows of a CSV file. */
final class CsvRows implements UploadRows {
    private static final int MAX_FIELDS = 1 << 11;

    private final Dataset dataset;
    private final Fields fields;
    private final FingerprintDigest fingerprint;
    private final FieldReader[] readers;
    private final RowBatch batch;
    private final TextField field = new TextField();

    private @Nullable UploadHeader header;
    private boolean ended;

    /** @param fingerprint is told all fields of every row, listed or not */
    CsvRows(Dataset dataset, Fields fields, FingerprintDigest fingerprint) {
        this.dataset = dataset;
        this.fields = fields;
        this.fingerprint = fingerprint;
        readers = FieldReader.ofAll(dataset.columns());
        batch = new RowBatch(readers.length);
    }

    @Override
    public RowBatch batch() {
        return batch;
    }

    @Override
    public boolean next() throws ParserFailure {
        if (header == null) {
            header = UploadHeader.read(fields, dataset);
        }
        int most = Math.clamp(MAX_FIELDS / header.fields(), 1, FieldFrames.MAX_BATCH_ROWS);
        batch.clear(most);
        fingerprint.begin(header.fields(), most);
        while (!ended && batch.size() < most && !batch.isFullOfUnits()) {
            if (fields.next()) {
                readRow(header, batch.size());
                batch.complete(1);
            } else {
                ended = true;
            }
        }
        fingerprint.addRows(batch.size());
        return batch.size() > 0;
    }

    /** Reads all of a row before it judges a value: in a row that lost or gained a field, values stand under the wrong column. */
    private void readRow(UploadHeader header, int row) throws ParserFailure {
        if (batch.total() == dataset.maxRows()) {
            throw InvalidData.at(fields.recordLine(), UploadRows.TOO_MANY);
        }
        int last = header.fields() - 1;
        int unreadable = UploadHeader.NOT_STORED;
        for (int i = 0; i <= last; i++) {
            field.set(fields.bytes(), fields.from(), fields.to());
            int column = header.columns()[i];
            if (column != UploadHeader.NOT_STORED && !readValue(column, row) && unreadable == UploadHeader.NOT_STORED) {
                unreadable = column;
            }
            if (i == header.unit()) {
                batch.putUnit(row, field.bytes(), field.from(), field.to());
            }
            fingerprint.field(row, i, field);
            if (fields.endsRecord() != (i == last)) {
                throw fieldCount();
            }
            if (i < last) {
                fields.next();
            }
        }
        if (unreadable != UploadHeader.NOT_STORED) {
            throw InvalidData.at(
                    fields.recordLine(), dataset.columns().get(unreadable).name(), readers[unreadable].rule());
        }
        if (header.unit() != UploadHeader.NOT_STORED && batch.unitFrom(row) == batch.unitTo(row)) {
            throw InvalidData.at(fields.recordLine(), UploadHeader.unitColumn(dataset), UploadRows.EMPTY_UNIT);
        }
    }

    private boolean readValue(int column, int row) {
        FieldReader reader = readers[column];
        long value = reader.read(field);
        if (value == FieldReader.REFUSED) {
            return false;
        }
        if (reader.clamped()) {
            batch.countClamped(1);
        }
        batch.columns()[column][row] = value;
        return true;
    }

    private ProblemException fieldCount() {
        return InvalidData.at(fields.recordLine(), "the row does not have as many fields as the header");
    }
}
