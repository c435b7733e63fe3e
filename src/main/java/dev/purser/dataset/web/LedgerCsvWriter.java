package dev.purser.dataset.web;

import dev.purser.http.CsvSender;
import dev.purser.http.CsvTable;
import dev.purser.http.Page;
import java.util.List;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Sends a page of the ledger as CSV. No other list with pages has this format. */
@Component
class LedgerCsvWriter extends CsvSender<Page<?>> {
    private static final CsvTable TABLE = new CsvTable(
            "/items",
            List.of(
                    "sequence",
                    "at",
                    "type",
                    "analyst",
                    "queryId",
                    "kind",
                    "requestHash",
                    "charge.epsilon",
                    "charge.delta",
                    "charge.rho",
                    "limitAfter.epsilon",
                    "limitAfter.delta",
                    "limitAfter.rho",
                    "spentAfter.epsilon",
                    "spentAfter.delta",
                    "spentAfter.rho",
                    "allotmentAfter.analyst",
                    "allotmentAfter.limit.epsilon",
                    "allotmentAfter.limit.delta",
                    "allotmentAfter.limit.rho",
                    "allotmentAfter.spent.epsilon",
                    "allotmentAfter.spent.delta",
                    "allotmentAfter.spent.rho",
                    "previousHash",
                    "hash",
                    "blocks.from",
                    "blocks.to",
                    "blocks.first",
                    "blocks.last",
                    "blocks.mostSpentAfter.epsilon",
                    "blocks.mostSpentAfter.delta",
                    "blocks.mostSpentAfter.rho",
                    "blocks.allottedAfter.epsilon",
                    "blocks.allottedAfter.delta",
                    "blocks.allottedAfter.rho",
                    "openedBlocks.column",
                    "openedBlocks.width",
                    "openedBlocks.first",
                    "openedBlocks.count",
                    "question",
                    "allotmentBefore.analyst",
                    "allotmentBefore.limit.epsilon",
                    "allotmentBefore.limit.delta",
                    "allotmentBefore.limit.rho",
                    "allotmentBefore.spent.epsilon",
                    "allotmentBefore.spent.delta",
                    "allotmentBefore.spent.rho"));

    LedgerCsvWriter(JsonMapper json) {
        super(Page.class, TABLE, json);
    }

    @Override
    protected Object document(Page<?> page) {
        return page;
    }
}
