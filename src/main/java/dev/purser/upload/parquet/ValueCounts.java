package dev.purser.upload.parquet;

import dev.hardwood.InputFile;
import dev.hardwood.internal.metadata.DataPageHeader;
import dev.hardwood.internal.metadata.DataPageHeaderV2;
import dev.hardwood.internal.metadata.PageHeader;
import dev.hardwood.internal.thrift.OffsetIndexReader;
import dev.hardwood.internal.thrift.PageHeaderReader;
import dev.hardwood.internal.thrift.ThriftCompactReader;
import dev.hardwood.metadata.ColumnChunk;
import dev.hardwood.metadata.FileMetaData;
import dev.hardwood.metadata.PageLocation;
import dev.hardwood.metadata.RowGroup;
import java.io.IOException;

/**
 * Checks that each column has a value, or a null, for every row of each row group. The row reader does not: it would
 * fill up the end of a column that is too short, and shift the rest of one that is too short in an earlier row group.
 *
 * <p>Where a column has no offset index, the row reader itself holds the pages against the number of values of the
 * chunk. Where it has one, the pages are those that it names.
 */
final class ValueCounts {
    private ValueCounts() {}

    static void requireOnePerRow(FileMetaData metaData, InputFile file) throws IOException {
        for (RowGroup group : metaData.rowGroups()) {
            for (ColumnChunk chunk : group.columns()) {
                boolean lacks = chunk.metaData().numValues() != group.numRows()
                        || chunk.offsetIndexOffset() != null && indexedValues(chunk, file) != group.numRows();
                if (lacks) {
                    throw new IOException("a column does not have as many values as its row group has rows");
                }
            }
        }
    }

    private static long indexedValues(ColumnChunk chunk, InputFile file) throws IOException {
        long values = 0;
        ThriftCompactReader index =
                new ThriftCompactReader(file.readRange(chunk.offsetIndexOffset(), chunk.offsetIndexLength()));
        for (PageLocation page : OffsetIndexReader.read(index).pageLocations()) {
            values += values(PageHeaderReader.read(
                    new ThriftCompactReader(file.readRange(page.offset(), page.compressedPageSize()))));
        }
        return values;
    }

    private static int values(PageHeader page) throws IOException {
        DataPageHeader first = page.dataPageHeader();
        DataPageHeaderV2 second = page.dataPageHeaderV2();
        return switch (page.type()) {
            case DATA_PAGE -> first.numValues();
            case DATA_PAGE_V2 -> second.numValues();
            case DICTIONARY_PAGE, INDEX_PAGE -> throw new IOException("no page of data");
        };
    }
}
