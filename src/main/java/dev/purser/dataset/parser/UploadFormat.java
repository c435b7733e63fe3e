package dev.purser.dataset.parser;

/** What an upload may be written in. */
public enum UploadFormat {
    CSV,
    PARQUET
}
