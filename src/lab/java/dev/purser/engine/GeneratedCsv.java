package dev.purser.engine;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetFiles;
import dev.purser.upload.CsvForTests;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/** A file of ages, weights, amounts and sexes that is made while it is read. It has the same rows every time. */
final class GeneratedCsv extends InputStream {
    private final Random random = new Random(1);
    private long rowsLeft;
    private byte[] line = "age,weight,amount,sex\n".getBytes(StandardCharsets.US_ASCII);
    private int at;

    GeneratedCsv(long rows) {
        rowsLeft = rows;
    }

    /** Stores such a file as the rows of a dataset. */
    static void upload(long rows, Dataset dataset, DatasetFiles files) throws IOException {
        CsvForTests.store(dataset, new GeneratedCsv(rows), files);
    }

    @Override
    public int read() {
        return nextLine() ? line[at++] : -1;
    }

    @Override
    public int read(byte[] into, int offset, int length) {
        int read = 0;
        while (read < length && nextLine()) {
            int piece = Math.min(length - read, line.length - at);
            System.arraycopy(line, at, into, offset + read, piece);
            at += piece;
            read += piece;
        }
        return read == 0 && length > 0 ? -1 : read;
    }

    private boolean nextLine() {
        if (at < line.length) {
            return true;
        }
        if (rowsLeft-- <= 0) {
            return false;
        }
        long age = Math.clamp(Math.round(40 + 15 * random.nextGaussian()), 0, 125);
        long weight = Math.clamp(Math.round(Math.exp(12 + 0.7 * random.nextGaussian())), 0, 2_000_000);
        long amount = random.nextLong() >> 23;
        String row = age + "," + weight + "," + amount + (random.nextBoolean() ? ",F\n" : ",M\n");
        line = row.getBytes(StandardCharsets.US_ASCII);
        at = 0;
        return true;
    }
}
