package dev.purser.dataset.ingest;

/**
 * The rows of an upload as a dataset stores them: the listed columns in the order of registration, each value a grid integer or
 * the index of a category. Whatever breaks a rule of the registration is refused with its line and column, the first by line and
 * then by its place in the line.
 */
sealed interface UploadRows permits CsvRows, ParquetColumns {
    String TOO_MANY = "there are more rows than the dataset's maxRows";
    String EMPTY_UNIT = "the privacy unit is empty";

    /**
     * Moves on to the next rows; false at the end of the file.
     *
     * @throws dev.purser.problem.ProblemException {@code invalid-data}
     * @throws ParserFailure if the parser died or does not keep to the form
     */
    boolean next() throws ParserFailure;

    /** The rows there are at the moment, and how many there were. */
    RowBatch batch();
}
