package dev.purser.dataset;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.purser.json.Shape;
import java.math.BigDecimal;

/**
 * A value of a column as an answer or a refusal shows it.
 *
 * @param json a {@link BigDecimal} in a column of numbers, a {@link String} in a column of dates or timestamps
 */
public record ColumnValue(@JsonValue Object json) {
    /** The shape in a request, where the value has the notation of the column's type. */
    public static final Shape SHAPE = new Shape.Of(ColumnValue.class);

    static ColumnValue of(BigDecimal number) {
        return new ColumnValue(number);
    }

    static ColumnValue of(String text) {
        return new ColumnValue(text);
    }

    /** The value in a sentence. */
    @Override
    public String toString() {
        return json instanceof BigDecimal number ? number.toPlainString() : json.toString();
    }
}
