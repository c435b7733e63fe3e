package dev.purser.mcp;

import dev.purser.dataset.ShownDatasets;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Which datasets there are, with what is left of each budget. */
@Component
class ListDatasets implements Tool {
    private static final int LIMIT = 100;
    private static final String AFTER = "after";
    private static final Pattern ID = Pattern.compile("[a-z][a-z0-9-]{0,62}");

    private final ShownDatasets datasets;
    private final JsonMapper json;

    ListDatasets(ShownDatasets datasets, JsonMapper json) {
        this.datasets = datasets;
        this.json = json;
    }

    @Override
    public String name() {
        return "list_datasets";
    }

    @Override
    public String description() {
        return "Lists the datasets that this key may ask about, with what is left of each budget. Spends nothing.";
    }

    @Override
    public FieldType.ObjectOf arguments() {
        return new FieldType.ObjectOf(
                "ListDatasets",
                Field.optional(
                        AFTER, new FieldType.Text(ID), "The `next` of an earlier call; without it, from the first."));
    }

    @Override
    public Optional<Supplier<ToolResult>> read(ObjectReader in, Caller caller) {
        Optional<String> after =
                in.has(AFTER) ? in.required(AFTER).string(ID, "the next of an earlier call") : Optional.of("");
        return in.complete(
                () -> () -> ToolResult.of(datasets.page(caller.principal(), after.orElseThrow(), LIMIT), json));
    }
}
