package dev.purser.mcp;

import dev.purser.dataset.Dataset;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.query.AnsweredDatasets;
import dev.purser.query.Asking;
import dev.purser.query.IdFields;
import dev.purser.query.RefinedQuestions.Wanted;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;

/** Makes an answer better for the difference. An answer is refined once, so a repeated call is refused and free. */
@Component
class Refine implements Tool {
    private static final String QUERY_ID = "queryId";
    private static final String PLACE = "POST /mcp refine";

    private final AnsweredDatasets answered;
    private final Asking asking;
    private final AskedQuestions answers;

    Refine(AnsweredDatasets answered, Asking asking, AskedQuestions answers) {
        this.answered = answered;
        this.asking = asking;
        this.answers = answers;
    }

    @Override
    public String name() {
        return "refine";
    }

    @Override
    public String description() {
        return "Makes an answer more precise and spends privacy budget: epsilon is charged in addition, and the new"
                + " answer is as good as one that was asked at the sum. This is better than to ask again. Only the"
                + " newest answer of a chain can be refined.";
    }

    @Override
    public FieldType.ObjectOf arguments() {
        return new FieldType.ObjectOf(
                "Refine",
                "",
                Field.all(
                        List.of(Field.required(QUERY_ID, FieldType.TEXT, "Of the answer.")
                                .withExample("01KAB0Y3E0R6W9ZJ8N4H2T5M7Q")),
                        Wanted.FORM.fields()));
    }

    @Override
    public boolean spends() {
        return true;
    }

    @Override
    public Optional<Supplier<ToolResult>> read(ObjectReader in, Caller caller) {
        Optional<String> queryId = IdFields.read(in.required(QUERY_ID), "an answer");
        return Wanted.read(in).map(wanted -> () -> refined(queryId.orElseThrow(), wanted, caller));
    }

    private ToolResult refined(String queryId, Wanted wanted, Caller caller) {
        Dataset dataset = answered.of(caller.principal(), queryId);
        return answers.shown(asking.refine(caller.principal(), dataset, queryId, wanted, PLACE, caller.key()), caller);
    }
}
