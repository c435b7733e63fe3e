package dev.purser.upload.parquet;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Writes CSV as in RFC 4180, with line feeds. A field is quoted if it has to be. An empty field that is alone in its
 * record is quoted too, because an empty last line is no record.
 */
final class CsvWriter {
    private final OutputStream out;
    private boolean startsRecord = true;
    private boolean isBlank = true;

    CsvWriter(OutputStream out) {
        this.out = new BufferedOutputStream(out, 1 << 16);
    }

    /** Writes a field of ASCII characters that needs no quotes. */
    void plain(String field) throws IOException {
        separate();
        isBlank &= field.isEmpty();
        out.write(field.getBytes(StandardCharsets.US_ASCII));
    }

    /** Writes a field of any text. */
    void text(byte[] utf8) throws IOException {
        separate();
        isBlank &= utf8.length == 0;
        if (!needsQuotes(utf8)) {
            out.write(utf8);
            return;
        }
        out.write('"');
        for (byte next : utf8) {
            if (next == '"') {
                out.write('"');
            }
            out.write(next);
        }
        out.write('"');
    }

    private static boolean needsQuotes(byte[] text) {
        for (byte next : text) {
            if (next == '"' || next == ',' || next == '\n' || next == '\r') {
                return true;
            }
        }
        return false;
    }

    private void separate() throws IOException {
        if (!startsRecord) {
            out.write(',');
            isBlank = false;
        }
        startsRecord = false;
    }

    void endRecord() throws IOException {
        if (isBlank) {
            out.write('"');
            out.write('"');
        }
        out.write('\n');
        startsRecord = true;
        isBlank = true;
    }

    void flush() throws IOException {
        out.flush();
    }
}
