package dev.purser.synopsis;

import dev.purser.dataset.Column;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.json.Shape;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * A kind of question that a synopsis answers: its description and its reader.
 *
 * @param name the name of the field that holds such a question
 * @param fields the fields of the question
 * @param reader reads the question; {@link #read} ends with {@link ObjectReader#complete}
 */
record FreeKind(
        String name,
        String description,
        List<Field<?>> fields,
        BiFunction<ObjectReader, ChosenCells, Optional<? extends FreeQuestion>> reader) {
    /** The field as the API describes it. */
    Field<ObjectReader> field() {
        return Field.optional(
                name,
                FieldType.object(new Shape.ObjectOf(
                        "Synopsis" + Character.toUpperCase(name.charAt(0)) + name.substring(1), "", fields)),
                description);
    }

    /** Reads a question about a synopsis. A synopsis that holds sums answers few kinds. */
    Optional<FreeQuestion> read(ObjectReader in, Synopsis synopsis) {
        Column.Numeric measure = synopsis.cells().measure();
        if (measure != null
                && !List.of(FreeQuestion.Linear.SUM, FreeQuestion.Table.KIND).contains(this)) {
            in.refuse("the synopsis holds sums of \"" + measure.name()
                    + "\" and no numbers of rows: it answers sum and table");
        }
        Optional<? extends FreeQuestion> question = reader.apply(in, new ChosenCells(synopsis, in));
        return in.complete(question::orElseThrow);
    }
}
