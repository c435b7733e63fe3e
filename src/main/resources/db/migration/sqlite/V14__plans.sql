-- Plans that were bought: one row for a request that asked several questions. A line of items is the query id of the
-- question that answers an item; of a reused answer, also what the asker had left and the limit, as whole epsilon, delta
-- and rho each.

CREATE TABLE plan (
    principal       TEXT NOT NULL,
    operation       TEXT NOT NULL,
    idempotency_key TEXT NOT NULL CHECK (length(idempotency_key) BETWEEN 1 AND 255),
    account         TEXT NOT NULL REFERENCES account,
    dataset_id      TEXT NOT NULL,
    request_digest  BLOB NOT NULL CHECK (length(request_digest) = 32),
    items           TEXT NOT NULL,
    PRIMARY KEY (principal, operation, idempotency_key)
) STRICT, WITHOUT ROWID;

CREATE INDEX plan_account ON plan (account);

CREATE TRIGGER plan_is_never_changed
BEFORE UPDATE ON plan
BEGIN
    SELECT RAISE(ABORT, 'a plan is never changed');
END;

CREATE TRIGGER plan_stays
BEFORE DELETE ON plan
BEGIN
    SELECT RAISE(ABORT, 'a plan is never removed');
END;
