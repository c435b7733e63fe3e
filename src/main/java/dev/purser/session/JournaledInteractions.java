package dev.purser.session;

import dev.purser.digest.Sha256;
import dev.purser.journal.CanonicalBytes;
import dev.purser.journal.Chain;
import dev.purser.journal.JournaledRow;
import dev.purser.journal.JournaledRows;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the journal records of interactive mechanisms: every version of each, and every step. */
@Configuration(proxyBeanMethods = false)
class JournaledInteractions {
    private static final String SESSIONS = Interactions.COLUMNS + "WHERE i.account = ?";

    private static final String STEPS = """
            SELECT s.interaction_id, s.sequence, s.request_digest, s.body
            FROM interaction_step s JOIN interaction i ON i.interaction_id = s.interaction_id WHERE i.account = ?
            """;

    /** The object of an interactive mechanism. */
    static String objectOf(String id) {
        return "session " + id;
    }

    static JournaledRow interaction(Interaction present) {
        byte[] state = present.sealedState();
        return new JournaledRow(
                objectOf(present.id()),
                new CanonicalBytes()
                        .text(present.kind())
                        .text(present.account())
                        .text(present.datasetId())
                        .text(present.identity().principal())
                        .text(present.identity().operation())
                        .text(present.identity().idempotencyKey())
                        .bytes(Sha256.of(present.request()))
                        .bytes(Sha256.of(present.reply()))
                        .number(present.openedAt().toEpochMilli())
                        .number(present.expiresAt().toEpochMilli())
                        .number(present.charges())
                        .amount(present.charged())
                        .text(present.queryId())
                        .number(present.version())
                        .number(present.steps())
                        .number(present.costlyStepsLeft())
                        .bytes(state == null ? null : Sha256.of(state))
                        .text(present.closedBecause()));
    }

    static JournaledRow step(String interaction, StoredStep step) {
        return new JournaledRow(
                "step " + step.sequence() + " of session " + interaction,
                new CanonicalBytes().bytes(step.requestDigest()).bytes(Sha256.of(step.body())));
    }

    @Bean
    JournaledRows sessions() {
        return new JournaledRows(
                "sessions",
                Chain.Kind.SESSIONS,
                SESSIONS,
                (connection, row) -> interaction(Interactions.interaction(row)),
                Interactions::closeAfterLoss);
    }

    @Bean
    JournaledRows steps() {
        return new JournaledRows(
                "steps",
                Chain.Kind.SESSIONS,
                STEPS,
                row -> step(row.getString(1), new StoredStep(row.getLong(2), row.getBytes(3), row.getBytes(4))));
    }
}
