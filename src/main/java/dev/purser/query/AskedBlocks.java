package dev.purser.query;

import dev.purser.dataset.Dataset;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.JsonValue;
import dev.purser.json.JsonValue.JsonObject;
import dev.purser.json.JsonValue.JsonString;
import dev.purser.json.ObjectReader;
import dev.purser.json.Shape;
import dev.purser.json.Text;
import dev.purser.json.ValueReader;
import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.Blocks;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import java.time.DateTimeException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of a dataset that are asked about. Each block pays the whole charge. No rows of other blocks are read.
 *
 * <p>{@code {"latest": n}} is resolved when it is read. The blocks that it is resolved to are charged and stored. From
 * then on it means these blocks: see {@link QuestionRequest#paidBy}.
 *
 * @param isLatest whether it was sent as {@code {"latest": n}}
 */
public record AskedBlocks(BlockWindow window, boolean isLatest) {
    /** The most blocks of one question: ten years of days. */
    public static final int MOST = 3_660;

    /** The most runs of blocks that a refusal names. */
    private static final int MOST_NAMED = 100;

    private static final Field<ValueReader> FROM =
            label("from", "The label of the first block.").withExample("2026-03-01");
    private static final Field<ValueReader> TO =
            label("to", "With `from`: the label of the last block, which is included. By default the first one.");
    private static final Field<Integer> LATEST = Field.optional(
            "latest",
            FieldType.integer(1, MOST),
            "The newest block that is ready and those before it, so many in all. What they are is settled with the"
                    + " charge; `question` of the answer names them.");

    private static Field<ValueReader> label(String name, String description) {
        return Field.optional(name, FieldType.unread(new Shape.Of(String.class)), description);
    }

    /** The field as the API describes it. */
    public static final Field<ObjectReader> FIELD = Field.optional(
            "blocks",
            FieldType.object(new Shape.ObjectOf(
                    "AskedBlocks", "Exactly one of `from` and `latest`.", List.of(FROM, TO, LATEST))),
            "Required for a dataset whose rows are divided into blocks, and refused for others. Only rows of these"
                    + " blocks are read, and each block pays the whole charge, whatever rows it has and whatever"
                    + " `where` says. At most " + MOST + " blocks.");

    /** Blocks from their labels. */
    private record Labels(int from, int to) {}

    /** Reads the field; empty for a dataset without blocks, or if it broke a rule. */
    public static Optional<AskedBlocks> read(ObjectReader in, Dataset dataset) {
        if (dataset.blocks().isEmpty()) {
            refuseIfSent(in, dataset);
            return Optional.empty();
        }
        Blocks blocks = dataset.blocks().orElseThrow();
        if (!in.has(FIELD)) {
            in.refuse(
                    FIELD,
                    "blocks is required: the rows of \"" + dataset.id() + "\" are divided into blocks, each with a"
                            + " budget of its own; send {\"from\": " + Text.quoted(example(dataset, blocks))
                            + "} or {\"latest\": 1}, for example");
            return Optional.empty();
        }
        return in.read(FIELD)
                .flatMap(inner -> inner.exactlyOne(List.of(FROM, LATEST))
                        .flatMap(form -> form.equals(LATEST) ? latest(inner, dataset, blocks) : labelled(inner, blocks))
                        .flatMap(read -> inner.complete(() -> read)));
    }

    /** Clients of typed languages send {@code null}, which counts as absent. */
    private static void refuseIfSent(ObjectReader in, Dataset dataset) {
        if (in.sent().members().containsKey(FIELD.name()) && in.has(FIELD)) {
            in.refuse(
                    FIELD,
                    "blocks is for datasets whose rows are divided into blocks, and those of \"" + dataset.id()
                            + "\" are not: leave it out");
        }
    }

    private static String example(Dataset dataset, Blocks blocks) {
        return blocks.label(dataset.ready().latest(1).map(BlockWindow::last).orElse(0));
    }

    /**
     * The latest blocks up to the newest ready block; if there are too few, the first blocks, which are not all ready.
     */
    private static Optional<AskedBlocks> latest(ObjectReader in, Dataset dataset, Blocks blocks) {
        in.notInThisForm(TO);
        return in.read(LATEST.of(FieldType.integer(1, Math.min(MOST, blocks.count()))))
                .map(count ->
                        new AskedBlocks(dataset.ready().latest(count).orElse(new BlockWindow(0, count - 1)), true));
    }

    private static Optional<AskedBlocks> labelled(ObjectReader in, Blocks blocks) {
        Optional<Integer> from = in.read(FROM).flatMap(sent -> label(sent, FROM, blocks));
        Optional<Integer> to = in.has(TO) ? in.read(TO).flatMap(sent -> label(sent, TO, blocks)) : from;
        return from.flatMap(first -> to.map(last -> new Labels(first, last)))
                .filter(read -> requireOrder(in, read, blocks))
                .map(read -> new AskedBlocks(new BlockWindow(read.from(), read.to()), false));
    }

    private static boolean requireOrder(ObjectReader in, Labels read, Blocks blocks) {
        int count = read.to() - read.from() + 1;
        if (count < 1) {
            in.refuse(
                    TO,
                    "to must be " + Text.quoted(blocks.label(read.from())) + ", the block in from, or a later block,"
                            + " was " + Text.quoted(blocks.label(read.to())));
        } else if (count > MOST) {
            in.refuse(TO, "a question is about at most " + MOST + " blocks, these are " + count);
        }
        return count >= 1 && count <= MOST;
    }

    private static Optional<Integer> label(ValueReader sent, Field<?> field, Blocks blocks) {
        String form = "the label of a block from " + Text.quoted(blocks.label(0)) + " to "
                + Text.quoted(blocks.label(blocks.count() - 1));
        return sent.string(form, Optional::of).flatMap(label -> {
            OptionalInt block = blocks.named(label);
            if (block.isPresent()) {
                return Optional.of(block.getAsInt());
            }
            return nearest(label, blocks)
                    .map(near -> {
                        sent.refuse(field.name() + " must be " + form + ", was " + Text.quoted(label)
                                + ", which is in the block " + Text.quoted(near));
                        return Optional.<Integer>empty();
                    })
                    .orElseGet(() -> sent.broken(form));
        });
    }

    /** The label of the block that contains a value. */
    private static Optional<String> nearest(String value, Blocks blocks) {
        try {
            long block = blocks.width().place(blocks.width().named(value)) - blocks.before();
            return block >= 0 && block < blocks.count() ? Optional.of(blocks.label((int) block)) : Optional.empty();
        } catch (IllegalArgumentException | DateTimeException noValue) {
            return Optional.empty();
        }
    }

    /** The part of a dataset that a question sees: the blocks; all of it if there are none or they broke a rule. */
    public static Dataset seen(Dataset dataset, Optional<AskedBlocks> asked) {
        return asked.map(blocks -> dataset.part(blocks.window())).orElse(dataset);
    }

    /** A request with its blocks written out. */
    static JsonObject written(JsonObject request, @Nullable AskedBlocks asked, Dataset dataset) {
        if (asked == null) {
            return request;
        }
        Map<String, JsonValue> fields = new LinkedHashMap<>(request.members());
        fields.put(FIELD.name(), asked.written(dataset));
        return new JsonObject(fields);
    }

    /** The field, written out. */
    private JsonObject written(Dataset dataset) {
        Map<String, JsonValue> labels = new LinkedHashMap<>();
        shown(dataset).forEach((end, label) -> labels.put(end, new JsonString(label)));
        return new JsonObject(labels);
    }

    /** The labels of both ends, by their fields. */
    public Map<String, String> shown(Dataset dataset) {
        Blocks blocks = dataset.blocks().orElseThrow();
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put(FROM.name(), blocks.label(window.first()));
        labels.put(TO.name(), blocks.label(window.last()));
        return labels;
    }

    /** Whether the request can have meant the paid blocks. {@code {"latest": n}} means other blocks at another time. */
    boolean canMean(BlockWindow paid) {
        return isLatest ? window.size() == paid.size() : window.equals(paid);
    }

    /** The refusal of blocks that cannot be asked about yet; empty if all blocks are ready. */
    public static Optional<ProblemException> refusal(List<BlockWindow> asked, Dataset dataset) {
        List<Map<String, String>> missing = asked.stream()
                .flatMap(window -> dataset.ready().notReady(window).stream())
                .distinct()
                .limit(MOST_NAMED)
                .map(run -> new AskedBlocks(run, false).shown(dataset))
                .toList();
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of(ProblemException.of(
                                ProblemType.DATASET_NOT_READY,
                                "some of the blocks are not ready: they cannot be asked about yet, and nothing was"
                                        + " charged; ask about others, or later")
                        .with("blocks", missing));
    }
}
