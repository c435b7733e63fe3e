package dev.purser.session;

import dev.purser.journal.Chain;
import dev.purser.journal.DecidingRows;
import dev.purser.journal.JournaledRows;
import dev.purser.ledger.RequestIdentity;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.Rho;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static dev.purser.journal.DecidingRows.Column.changing;
import static dev.purser.journal.DecidingRows.Column.fixed;
import static dev.purser.journal.DecidingRows.Column.key;
import static dev.purser.journal.DecidingRows.Form.BYTES;
import static dev.purser.journal.DecidingRows.Form.CONTENT;
import static dev.purser.journal.DecidingRows.Form.TEXT;

/** The tables of interactive mechanisms and of their steps. */
@Configuration(proxyBeanMethods = false)
class JournaledInteractions {
    static final DecidingRows<Interaction> SESSIONS = new DecidingRows<>(
            "interaction",
            "session %s",
            JournaledInteractions::interaction,
            List.of(),
            List.of(
                    key("interaction_id", Interaction::id),
                    fixed(TEXT, "kind", Interaction::kind),
                    fixed(TEXT, "account", Interaction::account),
                    fixed(TEXT, "dataset_id", Interaction::datasetId),
                    fixed(TEXT, "principal", Interaction::principal),
                    fixed(TEXT, "operation", each -> each.identity().operation()),
                    fixed(TEXT, "idempotency_key", each -> each.identity().idempotencyKey()),
                    fixed(CONTENT, "request", Interaction::request),
                    fixed(CONTENT, "reply", Interaction::reply),
                    fixed(TEXT, "opened_millis", Interaction::openedAt),
                    changing(TEXT, "expires_millis", Interaction::expiresAt),
                    changing(TEXT, "charges", Interaction::charges),
                    changing(
                            TEXT,
                            "charged_epsilon_nanos",
                            each -> each.charged().epsilon().nanos()),
                    changing(
                            TEXT,
                            "charged_delta_attos",
                            each -> each.charged().delta().attos()),
                    changing(
                            TEXT,
                            "charged_rho_picos",
                            each -> each.charged().rho().picos()),
                    changing(TEXT, "query_id", Interaction::queryId),
                    changing(TEXT, "version", Interaction::version),
                    changing(TEXT, "steps", Interaction::steps),
                    changing(TEXT, "costly_steps_left", Interaction::costlyStepsLeft),
                    changing(CONTENT, "sealed_state", Interaction::sealedState),
                    changing(TEXT, "closed_because", Interaction::closedBecause)));

    static final DecidingRows<StoredStep> STEPS = new DecidingRows<>(
            "interaction_step",
            "step %2$s of session %1$s",
            row -> new StoredStep(row.getString(1), row.getLong(2), row.getBytes(3), row.getBytes(4)),
            List.of(),
            List.of(
                    key("interaction_id", StoredStep::interaction),
                    key("sequence", StoredStep::sequence),
                    fixed(BYTES, "request_digest", StoredStep::requestDigest),
                    fixed(CONTENT, "body", StoredStep::body)));

    private static Interaction interaction(ResultSet row) throws SQLException {
        return new Interaction(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                new RequestIdentity(row.getString(5), row.getString(6), row.getString(7)),
                row.getBytes(8),
                row.getBytes(9),
                Instant.ofEpochMilli(row.getLong(10)),
                Instant.ofEpochMilli(row.getLong(11)),
                row.getLong(12),
                new PrivacyAmount(new Epsilon(row.getLong(13)), new Delta(row.getLong(14)), new Rho(row.getLong(15))),
                row.getString(16),
                row.getLong(17),
                row.getLong(18),
                row.getLong(19),
                row.getBytes(20),
                row.getString(21));
    }

    @Bean
    JournaledRows sessions() {
        return SESSIONS.journaled("sessions", Chain.Kind.SESSIONS, "WHERE r.account = ?", Interactions::closeAfterLoss);
    }

    @Bean
    JournaledRows steps() {
        return STEPS.journaled(
                "steps",
                Chain.Kind.SESSIONS,
                "JOIN interaction i ON i.interaction_id = r.interaction_id WHERE i.account = ?",
                JournaledRows.Ending.NONE);
    }
}
