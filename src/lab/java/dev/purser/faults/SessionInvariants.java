package dev.purser.faults;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Checks the sessions of a dataset, as stored, against what the clients saw. Nobody may ask meanwhile. */
final class SessionInvariants {
    private static final JsonMapper JSON = new JsonMapper();

    /** How many sessions are also checked over HTTP, besides the newest session. */
    private static final int LOOKED_AT = 20;

    private final Sessions sessions;
    private final Findings findings;

    SessionInvariants(Sessions sessions, Findings findings) {
        this.sessions = sessions;
        this.findings = findings;
    }

    /** @param entries all entries of the dataset's account */
    void check(TestDataset dataset, List<Booked> entries, StoredBooks books, Api api, RandomGenerator random)
            throws SQLException, IOException, InterruptedException {
        Map<String, StoredSession> stored = new HashMap<>();
        books.sessions(dataset.id()).forEach(session -> stored.put(session.key(), session));
        Map<String, List<Booked>> charges = charges(entries);
        List<SessionSeen> seen = sessions.all().stream()
                .filter(session -> session.plan().dataset().equals(dataset.id()))
                .toList();
        Set<String> known = new HashSet<>();
        for (int i = 0; i < seen.size(); i++) {
            SessionSeen session = seen.get(i);
            StoredSession row = stored.get(session.plan().key());
            if (session.isOpened()) {
                known.add(session.plan().key());
            }
            findings.holds(
                    (row != null) == session.isOpened(),
                    "I3",
                    row == null ? "opened, but not stored" : "stored, but refused",
                    session.plan().key());
            if (row != null && session.isOpened()) {
                checkStored(session, row);
                checkCharges(session, row, takeAll(charges, session, row));
                if (seen.size() - i <= LOOKED_AT || random.nextInt(seen.size()) < LOOKED_AT) {
                    checkShown(session, row, api);
                }
            }
        }
        findings.holds(known.containsAll(stored.keySet()), "I3", "a session that was never opened is stored", "");
        charges.forEach((operation, left) -> findings.broken(
                "I3", "a charge of no session: " + operation, left.getFirst().key()));
        findings.count("sessions checked", stored.size());
    }

    private static Map<String, List<Booked>> charges(List<Booked> entries) {
        Map<String, List<Booked>> charges = new HashMap<>();
        for (Booked entry : entries) {
            if (entry.isSession()) {
                String of = entry.operation().endsWith("/queries")
                        ? entry.operation()
                        : entry.operation() + " " + entry.key();
                charges.computeIfAbsent(of, operation -> new ArrayList<>()).add(entry);
            }
        }
        return charges;
    }

    private static List<Booked> takeAll(Map<String, List<Booked>> charges, SessionSeen session, StoredSession row) {
        List<Booked> own = new ArrayList<>();
        for (String of : List.of(
                "POST /v1/threshold-sessions/" + row.id() + "/queries",
                session.plan().operation() + " " + session.plan().key())) {
            List<Booked> some = charges.remove(of);
            if (some != null) {
                own.addAll(some);
            }
        }
        return own;
    }

    /** I3 and I11: what was acknowledged is stored; the sequence is dense and ends where it has to. */
    private void checkStored(SessionSeen session, StoredSession row) {
        SessionPlan plan = session.plan();
        findings.holds(
                row.id().equals(session.id())
                        && row.operation().equals(plan.operation())
                        && row.requestDigest().equals(SessionPlan.digest(plan.body()))
                        && row.replyDigest().equals(session.opened().bodyDigest()),
                "I3",
                "the session is not stored as it was opened",
                plan.key());
        Map<Long, StoredSession.Step> steps = new HashMap<>();
        long sequence = 0;
        long positives = 0;
        boolean hasEnded = false;
        for (StoredSession.Step step : row.steps()) {
            steps.put(step.sequence(), step);
            findings.holds(
                    step.sequence() == ++sequence && !hasEnded,
                    "I11",
                    "number " + step.sequence() + " is stored as the " + sequence + "th outcome",
                    plan.key());
            JsonNode outcome = JSON.readTree(step.body());
            positives += outcome.path("outcome").stringValue("").equals("ABOVE") ? 1 : 0;
            hasEnded = positives >= plan.maxPositives() || plan.maxQueries() == sequence;
            StepSeen seen = session.step(step.sequence());
            findings.holds(
                    seen != null
                            && seen.bodies().stream()
                                    .anyMatch(body -> SessionPlan.digest(body).equals(step.requestDigest())),
                    "I3",
                    "an outcome of a question that was not asked: " + step,
                    plan.key());
        }
        findings.holds(
                row.stepCount() == sequence
                        && positives <= plan.maxPositives()
                        && row.left() == plan.maxPositives() - positives,
                "I11",
                positives + " positives in " + sequence + " outcomes, but: " + row,
                plan.key());
        checkAcknowledged(session, steps);
        checkEnd(session, row, positives, hasEnded);
    }

    private void checkAcknowledged(SessionSeen session, Map<Long, StoredSession.Step> steps) {
        for (StepSeen seen : session.answered()) {
            StoredSession.Step step = steps.get(seen.sequence());
            findings.count("session outcomes checked");
            findings.holds(
                    step != null
                            && step.bodyDigest().equals(seen.answer().bodyDigest())
                            && step.requestDigest().equals(SessionPlan.digest(seen.answeredBody())),
                    "I3",
                    "outcome " + seen.sequence() + " was acknowledged, and is stored as " + step,
                    session.plan().key());
        }
    }

    private void checkEnd(SessionSeen session, StoredSession row, long positives, boolean hasEnded) {
        SessionPlan plan = session.plan();
        String because = positives >= plan.maxPositives() ? "positives" : hasEnded ? "maxQueries" : null;
        boolean hasExpired = because == null && "expired".equals(row.closedBecause()) && sessions.mayExpire();
        findings.holds(
                hasExpired || Objects.equals(row.closedBecause(), because),
                "I11",
                "closed because " + row.closedBecause() + ", and not because " + because,
                plan.key());
        boolean needsState = row.closedBecause() == null && (!plan.isPerPositive() || row.charges() > 0);
        findings.holds(row.hasState() == needsState, "I11", "with a wrong state: " + row, plan.key());
    }

    /**
     * I11: a session that is paid upfront has one charge. A session that is paid per positive has one charge for each
     * instance, before its first question. The last charge may have no outcome if the clock jumped past the session's
     * expiry between the charge and the outcome.
     */
    private void checkCharges(SessionSeen session, StoredSession row, List<Booked> charges) {
        SessionPlan plan = session.plan();
        Map<String, Set<String>> expected = new HashMap<>();
        if (plan.isPerPositive()) {
            boolean isPaid = false;
            for (StoredSession.Step step : row.steps()) {
                if (!isPaid) {
                    expected.put(String.valueOf(step.sequence()), bodies(session, step.sequence()));
                }
                isPaid = !JSON.readTree(step.body())
                        .path("outcome")
                        .stringValue("")
                        .equals("ABOVE");
            }
            String next = String.valueOf(row.stepCount() + 1);
            boolean isNextPaid =
                    charges.stream().anyMatch(charge -> charge.key().equals(next));
            if (!isPaid && isNextPaid && "expired".equals(row.closedBecause()) && sessions.mayExpire()) {
                expected.put(next, bodies(session, row.stepCount() + 1));
            }
        } else {
            expected.put(plan.key(), Set.of(SessionPlan.digest(plan.body())));
        }
        for (Booked charge : charges) {
            Set<String> digests = expected.remove(charge.key());
            findings.holds(
                    digests != null
                            && digests.contains(charge.requestDigest())
                            && charge.chargedNanos() == plan.chargeNanos()
                            && charge.bodyDigest() != null
                            && charge.principal().equals(Asked.ADMINISTRATOR)
                            && EntryHash.ofRequest(
                                            charge.dataset(), charge.operation(), charge.key(), charge.requestDigest())
                                    .equals(charge.requestHash()),
                    "I11",
                    "is charged " + charge + ", where " + plan.chargeNanos() + " is due",
                    plan.key());
        }
        findings.holds(expected.isEmpty(), "I11", "was not charged for " + expected.keySet(), plan.key());
        findings.holds(
                row.charges() == charges.size() && row.chargedNanos() == charges.size() * plan.chargeNanos(),
                "I11",
                charges.size() + " charges, but: " + row,
                plan.key());
        findings.count("session charges checked", charges.size());
    }

    private static Set<String> bodies(SessionSeen session, long sequence) {
        Set<String> digests = new HashSet<>();
        StepSeen step = session.step(sequence);
        if (step != null) {
            step.bodies().forEach(body -> digests.add(SessionPlan.digest(body)));
        }
        return digests;
    }

    /** I11: what is shown of a session follows from its stored outcomes. */
    private void checkShown(SessionSeen session, StoredSession row, Api api) throws IOException, InterruptedException {
        JsonNode shown = api.get("/v1/threshold-sessions/" + row.id());
        String because = shown.path("closedBecause").stringValue("");
        boolean isOpen = row.closedBecause() == null;
        boolean agrees = isOpen
                ? because.isEmpty() || because.equals("expired") && sessions.mayExpire()
                : because.equals(row.closedBecause());
        findings.holds(
                agrees
                        && shown.path("state").stringValue("").equals(because.isEmpty() ? "open" : "closed")
                        && shown.path("positivesLeft").asLong(-1) == row.left()
                        && shown.path("nextSequence").asLong() == row.stepCount() + 1
                        && shown.at("/charge/epsilon").stringValue("").equals(Asked.decimal(row.chargedNanos())),
                "I11",
                "is shown as " + shown + ", and stored as " + row,
                session.plan().key());
    }
}
