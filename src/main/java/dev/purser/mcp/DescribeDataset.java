package dev.purser.mcp;

import dev.purser.access.Principal;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.ShownDatasets;
import dev.purser.dataset.VisibleDatasets;
import dev.purser.http.Page;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.query.NewestAnswers;
import dev.purser.synopsis.Synopses;
import dev.purser.synopsis.SynopsisView;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** What is known of a dataset without asking: public facts, books, and what is stored and free. */
@Component
class DescribeDataset implements Tool {
    private static final int SYNOPSES = 10;
    private static final long MAX_SYNOPSES_BYTES = 1 << 18;
    private static final int ANSWERS = 20;

    private final VisibleDatasets datasets;
    private final ShownDatasets shown;
    private final Synopses synopses;
    private final NewestAnswers answers;
    private final JsonMapper json;

    DescribeDataset(
            VisibleDatasets datasets, ShownDatasets shown, Synopses synopses, NewestAnswers answers, JsonMapper json) {
        this.datasets = datasets;
        this.shown = shown;
        this.synopses = synopses;
        this.answers = answers;
        this.json = json;
    }

    @Override
    public String name() {
        return "describe_dataset";
    }

    @Override
    public String description() {
        return "Shows one dataset: its columns with their bounds and categories, what is left of its budget for this"
                + " key, and what is stored and free: the newest synopses and answers. Spends nothing. Ask a stored"
                + " answer's question with ask_free, as it is shown.";
    }

    @Override
    public FieldType.ObjectOf arguments() {
        return new FieldType.ObjectOf("DescribeDataset", AboutDataset.FIELD);
    }

    @Override
    public Optional<Supplier<ToolResult>> read(ObjectReader in, Caller caller) {
        Optional<Dataset> dataset = AboutDataset.read(in, caller.principal(), datasets::require);
        return in.complete(() -> () -> ToolResult.of(described(caller.principal(), dataset.orElseThrow()), json));
    }

    private Described described(Principal principal, Dataset dataset) {
        ShownDatasets.Shown facts = shown.shown(principal, dataset);
        return new Described(
                facts.dataset(),
                facts.remaining(),
                synopses.newest(dataset, SYNOPSES, MAX_SYNOPSES_BYTES).stream()
                        .map(SynopsisView::of)
                        .toList(),
                answers.of(dataset, ANSWERS));
    }

    /** As the operations of the API show each. */
    private record Described(Object dataset, Object remaining, List<SynopsisView> synopses, Page<?> answers) {}
}
