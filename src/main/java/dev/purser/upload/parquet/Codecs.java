package dev.purser.upload.parquet;

import com.github.luben.zstd.util.Native;
import dev.hardwood.metadata.CompressionCodec;
import dev.hardwood.metadata.FileMetaData;
import java.util.EnumSet;
import java.util.Set;

/**
 * Loads the codecs of a file before its pages are read, so that a failure to load is not taken for a fault of the
 * pages.
 */
final class Codecs {
    private Codecs() {}

    /** @throws RefusedFileException if a codec is not supported, or its native library cannot be unpacked and loaded */
    static void load(FileMetaData file) throws RefusedFileException {
        Set<CompressionCodec> codecs = EnumSet.noneOf(CompressionCodec.class);
        file.rowGroups()
                .forEach(group -> group.columns()
                        .forEach(column -> codecs.add(column.metaData().codec())));
        for (CompressionCodec codec : codecs) {
            load(codec);
        }
    }

    private static void load(CompressionCodec codec) throws RefusedFileException {
        try {
            switch (codec) {
                case UNCOMPRESSED, GZIP, SNAPPY, LZ4, LZ4_RAW -> {}
                case ZSTD -> Native.load();
                case LZO, BROTLI -> throw new RefusedFileException(ParquetToCsv.UNSUPPORTED_CODEC, codec.name());
            }
        } catch (LinkageError failure) {
            throw new RefusedFileException(ParquetToCsv.NOT_READY, codec.name());
        }
    }
}
