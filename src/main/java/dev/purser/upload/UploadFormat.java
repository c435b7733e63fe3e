package dev.purser.upload;

/** The formats that rows can be uploaded in. */
public enum UploadFormat {
    CSV,
    PARQUET
}
