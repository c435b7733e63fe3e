package dev.purser.upload.parquet;

/** Says that a file is not read, for a reason that {@link ParquetToCsv} knows. */
final class RefusedFileException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;

    /**
     * @param status the exit status that says why
     * @param message for standard error
     */
    RefusedFileException(int status, String message) {
        super(message);
        this.status = status;
    }

    int status() {
        return status;
    }
}
