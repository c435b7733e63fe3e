package dev.purser.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** How a JSON document, or a part of it, is sent as CSV. */
public interface CsvForm {
    /** Reads a document that has this form and writes it as CSV. It holds one row of the table at a time. */
    void render(InputStream document, OutputStream csv) throws IOException;
}
