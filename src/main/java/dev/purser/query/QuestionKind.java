package dev.purser.query;

import dev.purser.dataset.Dataset;
import dev.purser.http.CsvForm;
import dev.purser.json.Field;
import dev.purser.json.JsonValue.JsonObject;
import dev.purser.json.ObjectReader;
import dev.purser.json.Shape;
import dev.purser.privacy.PrivacyAllowance;
import dev.purser.problem.ProblemException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A kind of question: its description, its reader and its answer. Code in {@code query.web} is not specific to a kind:
 * the paths and the API description are derived from this record.
 *
 * @param name the name in paths, plans, envelopes and ledgers: lower-case words joined by hyphens
 * @param summary the question in one sentence
 * @param description how it is answered
 * @param fields the fields of this kind, besides the fields of every question
 * @param example a request and the dataset it is about
 * @param answer the type of the {@code answer} member of the reply
 * @param takesAssumedRows whether its accuracy depends on the number of rows that pass, so that a quote has to assume
 *     one
 * @param reader reads all fields except the allowance and the blocks, checks them against the public facts of the
 *     dataset, and ends with {@link ObjectReader#complete}; the dataset has only the blocks that are asked about
 * @param table the part of the reply that can be sent as CSV, if there is one
 */
public record QuestionKind(
        String name,
        String summary,
        String description,
        List<Field<?>> fields,
        Example example,
        Class<?> answer,
        boolean takesAssumedRows,
        BiFunction<ObjectReader, Dataset, Optional<Draft>> reader,
        Optional<? extends CsvForm> table) {
    /**
     * A request that is answered, once the examples before it in the API's description are sent.
     *
     * @param dataset the dataset that it asks about
     * @param body JSON
     */
    public record Example(String dataset, String body) {
        /** An example about the dataset of the README. */
        static Example ofVisits(String body) {
            return new Example("visits", body);
        }
    }

    private static final List<Field<?>> BLOCKS = List.of(AskedBlocks.FIELD);

    /** The name in operation ids and schemas, for example {@code SparseRange} for {@code sparse-range}. */
    public String typeName() {
        return Arrays.stream(name.split("-", -1))
                .map(word -> Character.toUpperCase(word.charAt(0)) + word.substring(1))
                .collect(Collectors.joining());
    }

    /** The request body that asks a question. */
    public Shape.ObjectOf request() {
        return new Shape.ObjectOf(
                typeName() + "Question",
                "",
                Field.all(AllowanceFields.FIELDS, BLOCKS, CommonFields.FIELDS, Reuse.FIELDS, fields));
    }

    /** The request body without the fields about earlier answers. Questions are compared by this part. */
    public Shape.ObjectOf compared() {
        return new Shape.ObjectOf(
                typeName() + "Question", "", Field.all(AllowanceFields.FIELDS, BLOCKS, CommonFields.FIELDS, fields));
    }

    /**
     * Reads a question that is asked.
     *
     * @throws ProblemException as {@link Draft#at}
     */
    public Optional<QuestionRequest> readAsked(ObjectReader in, Dataset dataset) {
        return readAsked(in, dataset, Reuse.read(in));
    }

    /**
     * Reads a question whose request does not say itself whether an earlier answer will do.
     *
     * @throws ProblemException as {@link Draft#at}
     */
    public Optional<QuestionRequest> readAsked(ObjectReader in, Dataset dataset, Reuse reuse) {
        // These are read first, so that their fields are known when the kind's reader looks for unknown fields.
        Optional<PrivacyAllowance> allowance = AllowanceFields.read(in, dataset);
        Optional<AskedBlocks> blocks = AskedBlocks.read(in, dataset);
        return reader.apply(in, AskedBlocks.seen(dataset, blocks))
                .map(draft -> asked(draft.at(allowance.orElseThrow()), in.sent(), blocks.orElse(null), reuse, dataset));
    }

    /**
     * A question of this kind as it is asked.
     *
     * @param sent the request of the question, with its epsilon
     * @param blocks the blocks that the question is about; null for a dataset without blocks
     */
    public QuestionRequest asked(
            Question<?> question, JsonObject sent, @Nullable AskedBlocks blocks, Reuse reuse, Dataset dataset) {
        question.requireUseOfDelta();
        CanonicalQuestion canonical = CanonicalQuestion.of(this, AskedBlocks.written(sent, blocks, dataset), dataset);
        return new QuestionRequest(question, canonical, blocks, reuse);
    }
}
