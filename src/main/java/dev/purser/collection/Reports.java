package dev.purser.collection;

import dev.purser.digest.Sha256;
import dev.purser.json.Elements;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.JsonDocument;
import dev.purser.json.JsonLimits;
import dev.purser.json.ObjectReader;
import dev.purser.json.Shape;
import dev.purser.problem.ProblemException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The reports of one request, or of one part of a long request.
 *
 * @param keys the keys that are stored for the report ids, in the order of {@code reports}
 */
record Reports<R>(List<byte[]> keys, List<R> reports) {
    /** The most reports of one batch. */
    static final int MAX = 100_000;

    private static final int KEY_BYTES = 16;

    /** The type of the field that identifies a report. */
    static final FieldType<String> ID_TYPE = FieldType.text(1, 128);

    /** The field that identifies a report. */
    static final Field<String> ID = Field.required("reportId", ID_TYPE, "A report counts once.", "b7e2d1");

    private record Sent<R>(byte[] key, R report) {}

    /** The field {@code reports}: each has its id and some of the fields. */
    static Field<Elements<ObjectReader>> field(String type, Field<String> id, List<Field<?>> fields) {
        Shape.ObjectOf report =
                new Shape.ObjectOf(type, "The fields depend on the protocol.", Field.all(List.of(id), fields));
        return Field.required("reports", FieldType.elements(FieldType.object(report), 1, MAX), "");
    }

    /** Reads such a field; empty if a report broke a rule. */
    static <R> Optional<Reports<R>> read(
            ObjectReader in, Field<Elements<ObjectReader>> reports, Field<String> id, Protocol<R> protocol) {
        return in.read(reports)
                .flatMap(all -> all.read(report -> read(report, id, protocol.form())))
                .map(sent -> new Reports<>(
                        sent.stream().map(Sent::key).toList(),
                        sent.stream().map(Sent::report).toList()));
    }

    /** Reads {@code {"reports": [...]}}; empty if a report broke a rule. */
    static <R> Optional<Reports<R>> read(ObjectReader in, Protocol<R> protocol) {
        Optional<Reports<R>> reports = read(in, ReportCollections.Batch.REPORTS, ID, protocol);
        return in.complete(reports::orElseThrow);
    }

    /**
     * Reads one report from each line that is not blank.
     *
     * @throws ProblemException {@code malformed-request} and {@code validation-failed}, with the number of the line in
     *     a member {@code line}
     */
    static <R> Reports<R> ofLines(ReportForm<R> form, byte[] lines, long linesBefore, JsonLimits limits) {
        List<byte[]> keys = new ArrayList<>();
        List<R> reports = new ArrayList<>();
        long line = linesBefore;
        for (int start = 0; start < lines.length; ) {
            int end = start;
            while (end < lines.length && lines[end] != '\n') {
                end++;
            }
            line++;
            byte[] text = Arrays.copyOfRange(lines, start, end);
            if (!isBlank(text)) {
                try {
                    Sent<R> sent = JsonDocument.parse(text, limits).read(in -> read(in, ID, form));
                    keys.add(sent.key());
                    reports.add(sent.report());
                } catch (ProblemException refusal) {
                    throw refusal.with("line", line);
                }
            }
            start = end + 1;
        }
        return new Reports<>(keys, reports);
    }

    /**
     * The same reports, sorted by their keys, in pieces. Reports with equal keys stay in their order.
     *
     * @param size the most reports of a piece
     */
    List<Reports<R>> pieces(int size) {
        List<Integer> order = IntStream.range(0, keys.size())
                .boxed()
                .sorted(Comparator.comparing(keys::get, Arrays::compareUnsigned))
                .toList();
        List<Reports<R>> pieces = new ArrayList<>();
        for (int start = 0; start < order.size(); start += size) {
            List<Integer> piece = order.subList(start, Math.min(start + size, order.size()));
            pieces.add(new Reports<>(
                    piece.stream().map(keys::get).toList(),
                    piece.stream().<R>map(reports::get).toList()));
        }
        return pieces;
    }

    private static boolean isBlank(byte[] text) {
        for (byte each : text) {
            if (each != ' ' && each != '\r' && each != '\t') {
                return false;
            }
        }
        return true;
    }

    private static <R> Optional<Sent<R>> read(ObjectReader in, Field<String> idField, ReportForm<R> form) {
        in.notInThisForm(Protocols.ALL_REPORT_FIELDS);
        Optional<String> id = in.read(idField);
        Optional<R> report = form.read(in);
        return in.complete(() -> new Sent<>(key(id.orElseThrow()), report.orElseThrow()));
    }

    /** The key that is stored for an id. */
    static byte[] key(String id) {
        return Arrays.copyOf(Sha256.of(id.getBytes(StandardCharsets.UTF_8)), KEY_BYTES);
    }
}
