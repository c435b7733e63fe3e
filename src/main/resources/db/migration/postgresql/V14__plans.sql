-- Plans that were bought: one row for a request that asked several questions. A line of items is the query id of the
-- question that answers an item; of a reused answer, also what the asker had left and the limit, as whole epsilon, delta
-- and rho each.

CREATE TABLE plan (
    principal       TEXT COLLATE "C" NOT NULL,
    operation       TEXT COLLATE "C" NOT NULL,
    idempotency_key TEXT COLLATE "C" NOT NULL CHECK (length(idempotency_key) BETWEEN 1 AND 255),
    account         TEXT COLLATE "C" NOT NULL REFERENCES account,
    dataset_id      TEXT COLLATE "C" NOT NULL,
    request_digest  BYTEA            NOT NULL CHECK (length(request_digest) = 32),
    items           TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (principal, operation, idempotency_key)
);

CREATE INDEX plan_account ON plan (account);

CREATE TRIGGER plan_is_never_changed
BEFORE UPDATE ON plan
FOR EACH STATEMENT EXECUTE FUNCTION refuse('a plan is never changed');

CREATE TRIGGER plan_stays
BEFORE DELETE OR TRUNCATE ON plan
EXECUTE FUNCTION refuse('a plan is never removed');
