package dev.purser.upload;

import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;

/** Recognizes files of other formats by their first bytes. */
final class OtherFormats {
    /** The number of first bytes that are needed. */
    static final int BYTES = 8;

    private static final String UTF_16 = "the file is UTF-16: send UTF-8";
    private static final String UTF_32 = "the file is UTF-32: send UTF-8";

    /** The formats. The first format that fits is named. */
    private static final List<Format> FORMATS = List.of(
            new Format("fffe0000", UTF_32),
            new Format("0000feff", UTF_32),
            new Format("fffe", UTF_16),
            new Format("feff", UTF_16),
            new Format("1f8b", compressed("gzip") + "; of a file of R's, send what write.csv writes"),
            new Format("28b52ffd", compressed("zstd")),
            new Format("fd377a585a", compressed("xz")),
            new Format("425a68..31415926", compressed("bzip2")),
            new Format(
                    "504b0304", "the file is a zip archive, as .xlsx is: unpack it, or save the sheet as CSV in UTF-8"),
            new Format("d0cf11e0", "the file is an old Office document: save the sheet as CSV in UTF-8"),
            new Format("53514c6974652066", "the file is a database of SQLite: write the table as CSV"),
            new Format("4645413100|4152524f57310000", "the file is Arrow or Feather: write it as Parquet or CSV"),
            new Format("4f626a01", "the file is Avro: write it as Parquet or CSV"),
            new Format("800[45]95|800363", "the file is a pickle of Python's: write it as CSV"),
            new Format("(5b(0a|20)*)?7b(0a|20)*22", "the file is JSON: write it as CSV"),
            new Format("3c(21444f43|3f786d6c|68746d6c)", "the file is a page or XML: save it as CSV"));

    // A header of CSV may begin with the first four of these bytes.
    private static final Format PARQUET =
            new Format("5041523115", "the file is Parquet: send it as application/vnd.apache.parquet");

    private static final Format ENCRYPTED_PARQUET =
            new Format("50415245", "the file is encrypted Parquet: send it without encryption");

    private static final String PARQUET_END = "PAR1";

    private OtherFormats() {}

    /** @param start the first bytes, as a regular expression of hexadecimal digits */
    private record Format(String start, String rule) {
        private boolean isOf(String file) {
            return Pattern.compile(start).matcher(file).lookingAt();
        }
    }

    private static String compressed(String name) {
        return "the file is compressed with " + name + ": unpack it and send the file inside";
    }

    /** The rule that a file sent as CSV breaks; empty if its first bytes may be CSV. */
    static String insteadOfCsv(byte[] file, int length) {
        String digits = HexFormat.of().formatHex(file, 0, Math.min(length, BYTES));
        if (PARQUET.isOf(digits)) {
            return PARQUET.rule();
        }
        // Without a byte order mark, the first two characters show that a file is UTF-16.
        boolean little = digits.matches("(2[2f]|[3-7].)00(?!00)..00.*");
        boolean big = digits.matches("00(?!00)..00(?!00)...*");
        return little || big ? UTF_16 : known(digits);
    }

    /** The rule that a file sent as Parquet breaks if it cannot be read. */
    static String insteadOfParquet(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            String digits = HexFormat.of().formatHex(in.readNBytes(BYTES));
            String rule = known(digits);
            if (!rule.isEmpty()) {
                return rule;
            }
            if (ENCRYPTED_PARQUET.isOf(digits)) {
                return ENCRYPTED_PARQUET.rule();
            }
            if (!digits.startsWith("504152")) {
                return "the file does not begin as Parquet does: send CSV as text/csv";
            }
        }
        return endsAsParquet(file)
                ? "the file is Parquet that cannot be read: it is damaged or has an encoding that is not read; write it"
                        + " again with other settings, or send CSV"
                : "the file does not end as Parquet does: it is cut off; send it again";
    }

    private static boolean endsAsParquet(Path file) throws IOException {
        byte[] end = new byte[PARQUET_END.length()];
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            in.seek(Math.max(0, in.length() - end.length));
            return in.read(end) == end.length && new String(end, StandardCharsets.US_ASCII).equals(PARQUET_END);
        }
    }

    private static String known(String digits) {
        return FORMATS.stream()
                .filter(format -> format.isOf(digits))
                .map(Format::rule)
                .findFirst()
                .orElse("");
    }
}
