package dev.purser.dataset.web;

import dev.purser.http.CsvSender;
import dev.purser.http.CsvTable;
import java.util.List;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Sends the blocks of a dataset as CSV. */
@Component
class BlockCsvWriter extends CsvSender<BlockRunsView> {
    private static final CsvTable TABLE = new CsvTable(
            "/items",
            List.of(
                    "from",
                    "to",
                    "state",
                    "spent.epsilon",
                    "spent.delta",
                    "spent.rho",
                    "remaining.epsilon",
                    "remaining.delta",
                    "remaining.rho"));

    BlockCsvWriter(JsonMapper json) {
        super(BlockRunsView.class, TABLE, json);
    }

    @Override
    protected Object document(BlockRunsView runs) {
        return runs;
    }
}
