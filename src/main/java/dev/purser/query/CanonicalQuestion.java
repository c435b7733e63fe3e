package dev.purser.query;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.json.Field;
import dev.purser.json.JsonValue;
import dev.purser.json.JsonValue.JsonArray;
import dev.purser.json.JsonValue.JsonBoolean;
import dev.purser.json.JsonValue.JsonNull;
import dev.purser.json.JsonValue.JsonNumber;
import dev.purser.json.JsonValue.JsonObject;
import dev.purser.json.JsonValue.JsonString;
import dev.purser.json.Shape;
import dev.purser.ledger.CanonicalForm;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.io.JsonStringEncoder;

/**
 * A request that was read without fault, in canonical form. Two requests of one kind have the same form only if they
 * ask for the same statistics, with the same mechanism and noise, at the same positions. These are all the rules:
 *
 * <ol>
 *   <li>Fields stand in the order of their description. {@code reuse}, {@code reuseMaxAgeSeconds} and {@code spend} are
 *       left out.
 *   <li>An absent field is written with its default. The default of {@code lower} and {@code upper} is the column's
 *       bound. The default of {@code where} is empty. {@code null} counts as absent. An absent field without a default
 *       is left out.
 *   <li>Numbers are plain decimals without superfluous zeros. Epsilon and delta are strings of such decimals.
 *   <li>{@code blocks} has {@code from} and {@code to}.
 *   <li>The conditions of one {@code where} are sorted by their canonical form.
 * </ol>
 *
 * Everything else stays as sent, in particular the order of every other list, and conditions that could be merged.
 *
 * @param json the canonical request, which asks the same question when it is sent
 * @param series the digest of the kind and of all fields except epsilon
 */
public record CanonicalQuestion(String json, CanonicalForm form, byte[] series) {
    private static final JsonValue ABSENT = new JsonNull();
    private static final JsonValue EMPTY = new JsonArray(List.of());

    static CanonicalQuestion of(QuestionKind kind, JsonObject sent, Dataset dataset) {
        Writing writing = new Writing(dataset);
        writing.write(kind.compared(), sent);
        String json = writing.out.toString();
        byte[] compared = (kind.name() + json).getBytes(StandardCharsets.UTF_8);
        // Epsilon stands first, and no other field is left out.
        byte[] withoutEpsilon = (kind.name() + json.substring(json.indexOf(','))).getBytes(StandardCharsets.UTF_8);
        return new CanonicalQuestion(
                json,
                CanonicalForm.of(compared, writing.columns),
                CanonicalForm.of(withoutEpsilon, writing.columns).digest());
    }

    /** The canonical request as it is sent. */
    byte[] bytes() {
        return json.getBytes(StandardCharsets.UTF_8);
    }

    private static final class Writing {
        private final Dataset dataset;
        private final StringBuilder out = new StringBuilder();
        private final SortedSet<String> columns = new TreeSet<>();

        Writing(Dataset dataset) {
            this.dataset = dataset;
        }

        void write(Shape type, JsonValue value) {
            switch (value) {
                case JsonObject object -> writeObject((Shape.ObjectOf) type, object);
                case JsonArray array -> writeList(elementOf(type), array.elements());
                case JsonNumber(String token) when isAmount(type) -> writeText(plain(token));
                case JsonString(String text) when isAmount(type) -> writeText(plain(text));
                case JsonNumber(String token) -> out.append(plain(token));
                case JsonString(String text) -> writeText(text);
                case JsonBoolean(boolean truth) -> out.append(truth);
                case JsonNull() -> throw new IllegalArgumentException("null is no value of a valid request");
                case JsonValue.JsonOmitted _, JsonValue.JsonOversizedArray _ ->
                    throw new IllegalArgumentException("the request exceeds a limit");
            }
        }

        private static Shape elementOf(Shape list) {
            return ((Shape.ListOf) list).element();
        }

        private static boolean isAmount(Shape type) {
            return type instanceof Shape.Of(Class<?> form) && (form == Epsilon.class || form == Delta.class);
        }

        private static String plain(String number) {
            return new BigDecimal(number).stripTrailingZeros().toPlainString();
        }

        private void writeText(String text) {
            out.append('"');
            JsonStringEncoder.getInstance().quoteAsString(text, out);
            out.append('"');
        }

        private void writeList(Shape element, List<JsonValue> values) {
            out.append('[');
            for (int i = 0; i < values.size(); i++) {
                out.append(i == 0 ? "" : ",");
                write(element, values.get(i));
            }
            out.append(']');
        }

        private void writeObject(Shape.ObjectOf type, JsonObject object) {
            char before = '{';
            Column.@Nullable Numeric column = null;
            for (Field<?> field : type.fields()) {
                JsonValue value = object.members().getOrDefault(field.name(), ABSENT);
                if (field.name().equals(Columns.ORDERED.name()) && value instanceof JsonString(String name)) {
                    columns.add(name);
                    column = dataset.column(name).orElseThrow() instanceof Column.Numeric numeric ? numeric : null;
                }
                Object byDefault = column == null ? field.defaultValue() : ClampBounds.absent(field, column);
                boolean isConditions = field.equals(Where.FIELD);
                boolean isAbsent = value.equals(ABSENT) || value.equals(EMPTY);
                if (isAbsent && byDefault == null && !isConditions) {
                    continue;
                }
                out.append(before);
                before = ',';
                writeText(field.name());
                out.append(':');
                if (isConditions) {
                    writeSorted(elementOf(field.type().shape()), value);
                } else if (!isAbsent) {
                    write(field.type().shape(), value);
                } else if (byDefault instanceof Number number) {
                    out.append(plain(number.toString()));
                } else {
                    writeText(String.valueOf(byDefault));
                }
            }
            out.append(before == '{' ? "{}" : "}");
        }

        private void writeSorted(Shape condition, JsonValue conditions) {
            int start = out.length();
            List<String> sorted = new ArrayList<>();
            if (conditions instanceof JsonArray(List<JsonValue> elements)) {
                for (JsonValue each : elements) {
                    write(condition, each);
                    sorted.add(out.substring(start));
                    out.setLength(start);
                }
            }
            Collections.sort(sorted);
            out.append('[').append(String.join(",", sorted)).append(']');
        }
    }
}
