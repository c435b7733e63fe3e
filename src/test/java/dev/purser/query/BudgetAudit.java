package dev.purser.query;

import dev.purser.accounting.PureAccountant;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.engine.DataEngine;
import dev.purser.engine.DataEngines;
import dev.purser.json.JsonDocument;
import dev.purser.json.PrivacyJson;
import dev.purser.ledger.BudgetLedger;
import dev.purser.ledger.RequestIdentity;
import dev.purser.mechanism.Buckets;
import dev.purser.mechanism.Sensitive;
import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.Blocks;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.store.Database;
import dev.purser.store.PurserHome;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.Clock;
import tools.jackson.databind.json.JsonMapper;

/** What can be seen of the budgets of three blocks after a question about all three, if one block has a row. */
public final class BudgetAudit {
    private static final Blocks BLOCKS = Blocks.over("age", new Blocks.Integers(10), 0, 29);
    private static final byte[] BODY = """
            {"epsilon":"0.5","blocks":{"from":"0","to":"20"}}""".getBytes(StandardCharsets.UTF_8);

    /** The block of the only row; negative without a row. */
    private static int rowIn;

    private BudgetAudit() {}

    /** The block that has a row; without a row, the first block. No charge may know this. The twin uses it. */
    static BlockWindow withRows(BlockWindow window) {
        return BlockWindow.of(Math.max(window.first(), rowIn));
    }

    /**
     * @param block the block of the only row; negative without a row
     * @param home the home of a ledger
     * @param account an account that the ledger does not have yet
     */
    static String budgets(int block, Path home, String account) throws SQLException {
        rowIn = block;
        Dataset dataset = DatasetsForTests.divided(
                DatasetsForTests.rows(account, DatasetsForTests.integer("age", 0, 29)), BLOCKS);
        try (Database database = new Database(new PurserHome(home))) {
            BudgetLedger ledger = new BudgetLedger(database, Clock.systemUTC(), new SecureRandom());
            database.write(account, transaction -> {
                ledger.open(
                        transaction,
                        account,
                        new PureAccountant(),
                        PrivacyAmount.pure(Epsilon.parse("1")),
                        BLOCKS,
                        "carla");
                return null;
            });
            ask(ledger, dataset);
            return ledger.budget(account).spent() + " "
                    + ledger.blocks(account, "ana", BLOCKS.all()).runs(BLOCKS.all());
        }
    }

    private static void ask(BudgetLedger ledger, Dataset dataset) {
        QuestionRequest count = JsonDocument.parse(BODY).read(in -> CountQuery.KIND.readAsked(in, dataset));
        DataEngine engine = (debit, part, requests) ->
                Sensitive.of(requests.stream().map(request -> rows()).toList());
        JsonMapper json = JsonMapper.builder().addModule(new PrivacyJson()).build();
        try {
            new QueryRunner(ledger, new DataEngines(engine, engine), new InFlight(), NoOffers.INSTANCE, json)
                    .ask(dataset, count, new RequestIdentity("ana", "POST /x", dataset.id()), BODY);
        } catch (ProblemException notAsCharged) {
            // If other blocks paid for a question, it is not answered, and its charge stands.
            if (notAsCharged.type() != ProblemType.INTERNAL_ERROR) {
                throw notAsCharged;
            }
        }
    }

    private static Buckets rows() {
        Buckets.Builder count = Buckets.counts(1);
        count.addTo(0, 0, rowIn < 0 ? 0 : 1, 0);
        return count.build();
    }
}
