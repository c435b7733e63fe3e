package dev.purser;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reports of a collection of signs, one on each line. */
final class ReportLines {
    static final String COLLECTION = """
                    {"id":"signs","protocol":"harmony","range":{"lower":-1,"upper":1},"epsilon":"1"}""";

    private ReportLines() {}

    static Path write(Path file, int count) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (int i = 0; i < count; i++) {
                out.write("""
                        {"reportId":"device-%d","sign":%d}
                        """.formatted(i, i % 3 == 0 ? -1 : 1));
            }
        }
        return file;
    }
}
