package dev.purser.mcp;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.VisibleDatasets;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.query.Reuse;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;

/** Asks a question that may be charged. Every call says {@code reuse}, so what an agent repeats is charged once. */
@Component
class Ask implements Tool {
    private final VisibleDatasets datasets;
    private final AskedQuestions questions;

    Ask(VisibleDatasets datasets, AskedQuestions questions) {
        this.datasets = datasets;
        this.questions = questions;
    }

    @Override
    public String name() {
        return "ask";
    }

    @Override
    public String description() {
        return "Asks a question and spends privacy budget, which never comes back. Quote it first. The same question"
                + " again, with all its fields the same, is free. It is refused, and charged nothing, if it does not"
                + " fit within what is left.";
    }

    @Override
    public FieldType.ObjectOf arguments() {
        return new FieldType.ObjectOf("Ask", AboutDataset.FIELD, AskedQuestions.FIELD);
    }

    @Override
    public boolean spends() {
        return true;
    }

    @Override
    public Optional<Supplier<ToolResult>> read(ObjectReader in, Caller caller) {
        Optional<Dataset> dataset = AboutDataset.read(in, caller.principal(), datasets::requireReady);
        Optional<Supplier<ToolResult>> asked =
                dataset.flatMap(known -> questions.read(in, caller, known, Reuse.OR_CHARGED));
        return in.complete(asked::orElseThrow);
    }
}
