-- Amounts are whole nano-epsilon (1e-9), atto-delta (1e-18) and pico-rho (1e-12). Times are milliseconds since 1970,
-- in UTC.
-- The rules are stated again here although the program keeps them: a statement that would break one fails.

CREATE TABLE account (
    account             TEXT    NOT NULL PRIMARY KEY,
    accountant          TEXT    NOT NULL,
    limit_epsilon_nanos INTEGER NOT NULL,
    limit_delta_attos   INTEGER NOT NULL,
    limit_rho_picos     INTEGER NOT NULL,
    spent_epsilon_nanos INTEGER NOT NULL,
    spent_delta_attos   INTEGER NOT NULL,
    spent_rho_picos     INTEGER NOT NULL,
    head_sequence       INTEGER NOT NULL CHECK (head_sequence >= 1),
    head_hash           TEXT    NOT NULL CHECK (length(head_hash) = 64),
    CHECK (0 <= spent_epsilon_nanos AND spent_epsilon_nanos <= limit_epsilon_nanos),
    CHECK (0 <= spent_delta_attos AND spent_delta_attos <= limit_delta_attos),
    CHECK (0 <= spent_rho_picos AND spent_rho_picos <= limit_rho_picos)
) STRICT, WITHOUT ROWID;

CREATE TABLE entry (
    account                   TEXT    NOT NULL REFERENCES account,
    sequence                  INTEGER NOT NULL CHECK (sequence >= 1),
    at_millis                 INTEGER NOT NULL,
    type                      TEXT    NOT NULL CHECK (type IN ('charge', 'limit')),
    analyst                   TEXT    NOT NULL,
    query_id                  TEXT,
    kind                      TEXT,
    request_hash              TEXT    CHECK (length(request_hash) = 64),
    charge_epsilon_nanos      INTEGER NOT NULL CHECK (charge_epsilon_nanos >= 0),
    charge_delta_attos        INTEGER NOT NULL CHECK (charge_delta_attos >= 0),
    charge_rho_picos          INTEGER NOT NULL CHECK (charge_rho_picos >= 0),
    limit_after_epsilon_nanos INTEGER NOT NULL,
    limit_after_delta_attos   INTEGER NOT NULL,
    limit_after_rho_picos     INTEGER NOT NULL,
    spent_after_epsilon_nanos INTEGER NOT NULL,
    spent_after_delta_attos   INTEGER NOT NULL,
    spent_after_rho_picos     INTEGER NOT NULL,
    allotted_analyst             TEXT,
    allotted_limit_epsilon_nanos INTEGER,
    allotted_limit_delta_attos   INTEGER,
    allotted_limit_rho_picos     INTEGER,
    allotted_spent_epsilon_nanos INTEGER,
    allotted_spent_delta_attos   INTEGER,
    allotted_spent_rho_picos     INTEGER,
    previous_hash             TEXT    NOT NULL CHECK (length(previous_hash) = 64),
    hash                      TEXT    NOT NULL CHECK (length(hash) = 64),
    PRIMARY KEY (account, sequence),
    CHECK ((type = 'charge') = (charge_epsilon_nanos > 0 OR charge_delta_attos > 0 OR charge_rho_picos > 0)),
    CHECK ((type = 'charge') = (query_id IS NOT NULL)),
    CHECK ((type = 'charge') = (kind IS NOT NULL)),
    CHECK ((type = 'charge') = (request_hash IS NOT NULL)),
    CHECK (0 <= spent_after_epsilon_nanos AND spent_after_epsilon_nanos <= limit_after_epsilon_nanos),
    CHECK (0 <= spent_after_delta_attos AND spent_after_delta_attos <= limit_after_delta_attos),
    CHECK (0 <= spent_after_rho_picos AND spent_after_rho_picos <= limit_after_rho_picos),
    CHECK (allotted_analyst IS NULL
        OR coalesce(0 <= allotted_spent_epsilon_nanos
            AND allotted_spent_epsilon_nanos <= allotted_limit_epsilon_nanos
            AND 0 <= allotted_spent_delta_attos AND allotted_spent_delta_attos <= allotted_limit_delta_attos
            AND 0 <= allotted_spent_rho_picos AND allotted_spent_rho_picos <= allotted_limit_rho_picos, FALSE))
) STRICT, WITHOUT ROWID;

-- One analyst's ceiling inside an account's limit.

CREATE TABLE allotment (
    account             TEXT    NOT NULL REFERENCES account,
    analyst             TEXT    NOT NULL,
    limit_epsilon_nanos INTEGER NOT NULL,
    limit_delta_attos   INTEGER NOT NULL,
    limit_rho_picos     INTEGER NOT NULL,
    spent_epsilon_nanos INTEGER NOT NULL,
    spent_delta_attos   INTEGER NOT NULL,
    spent_rho_picos     INTEGER NOT NULL,
    PRIMARY KEY (account, analyst),
    CHECK (0 <= spent_epsilon_nanos AND spent_epsilon_nanos <= limit_epsilon_nanos),
    CHECK (0 <= spent_delta_attos AND spent_delta_attos <= limit_delta_attos),
    CHECK (0 <= spent_rho_picos AND spent_rho_picos <= limit_rho_picos)
) STRICT, WITHOUT ROWID;

CREATE TABLE question (
    query_id        TEXT    NOT NULL PRIMARY KEY CHECK (length(query_id) = 26),
    account         TEXT    NOT NULL,
    sequence        INTEGER NOT NULL,
    dataset_id      TEXT    NOT NULL,
    principal       TEXT    NOT NULL,
    operation       TEXT    NOT NULL,
    idempotency_key TEXT    NOT NULL CHECK (length(idempotency_key) BETWEEN 1 AND 255),
    request_digest  BLOB    NOT NULL CHECK (length(request_digest) = 32),
    request         BLOB,
    body            BLOB CHECK (length(body) > 0),
    UNIQUE (principal, operation, idempotency_key),
    UNIQUE (account, sequence),
    FOREIGN KEY (account, sequence) REFERENCES entry,
    CHECK ((body IS NULL) = (request IS NOT NULL))
) STRICT;

CREATE INDEX question_of_principal ON question (dataset_id, principal, sequence);

CREATE INDEX question_without_answer ON question (query_id) WHERE body IS NULL;

-- An account's books only move forward, one entry at a time, and nothing is ever refunded.

CREATE TRIGGER account_moves_forward
BEFORE UPDATE ON account
WHEN NEW.account IS NOT OLD.account
    OR NEW.accountant IS NOT OLD.accountant
    OR NEW.head_sequence IS NOT OLD.head_sequence + 1
    OR NEW.spent_epsilon_nanos < OLD.spent_epsilon_nanos
    OR NEW.spent_delta_attos < OLD.spent_delta_attos
    OR NEW.spent_rho_picos < OLD.spent_rho_picos
BEGIN
    SELECT RAISE(ABORT, 'an account only moves forward, one entry at a time');
END;

CREATE TRIGGER allotment_spends_forward
BEFORE UPDATE ON allotment
WHEN NEW.account IS NOT OLD.account
    OR NEW.analyst IS NOT OLD.analyst
    OR NEW.spent_epsilon_nanos < OLD.spent_epsilon_nanos
    OR NEW.spent_delta_attos < OLD.spent_delta_attos
    OR NEW.spent_rho_picos < OLD.spent_rho_picos
BEGIN
    SELECT RAISE(ABORT, 'nothing is refunded to an allotment');
END;

CREATE TRIGGER allotment_stays
BEFORE DELETE ON allotment
BEGIN
    SELECT RAISE(ABORT, 'an allotment is never removed');
END;

CREATE TRIGGER account_stays
BEFORE DELETE ON account
BEGIN
    SELECT RAISE(ABORT, 'an account is never removed');
END;

-- The account's row is a summary of its last entry, and each can only be written in agreement with the other. A charge
-- of an analyst with an allotment is charged to the allotment too.

CREATE TRIGGER entry_agrees_with_account
BEFORE INSERT ON entry
WHEN NOT EXISTS (
    SELECT 1 FROM account
    WHERE account = NEW.account
        AND head_sequence = NEW.sequence
        AND head_hash = NEW.hash
        AND limit_epsilon_nanos = NEW.limit_after_epsilon_nanos
        AND limit_delta_attos = NEW.limit_after_delta_attos
        AND limit_rho_picos = NEW.limit_after_rho_picos
        AND spent_epsilon_nanos = NEW.spent_after_epsilon_nanos
        AND spent_delta_attos = NEW.spent_after_delta_attos
        AND spent_rho_picos = NEW.spent_after_rho_picos)
    OR (NEW.allotted_analyst IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM allotment
        WHERE account = NEW.account
            AND analyst = NEW.allotted_analyst
            AND limit_epsilon_nanos = NEW.allotted_limit_epsilon_nanos
            AND limit_delta_attos = NEW.allotted_limit_delta_attos
            AND limit_rho_picos = NEW.allotted_limit_rho_picos
            AND spent_epsilon_nanos = NEW.allotted_spent_epsilon_nanos
            AND spent_delta_attos = NEW.allotted_spent_delta_attos
            AND spent_rho_picos = NEW.allotted_spent_rho_picos))
    OR (NEW.type = 'charge' AND NEW.allotted_analyst IS NOT (
        SELECT analyst FROM allotment WHERE account = NEW.account AND analyst = NEW.analyst))
BEGIN
    SELECT RAISE(ABORT, 'an entry agrees with its account');
END;

CREATE TRIGGER entry_is_never_changed
BEFORE UPDATE ON entry
BEGIN
    SELECT RAISE(ABORT, 'an entry is never changed');
END;

CREATE TRIGGER entry_is_never_removed
BEFORE DELETE ON entry
BEGIN
    SELECT RAISE(ABORT, 'an entry is never removed');
END;

-- A question changes once in its life: it gets its answer.

CREATE TRIGGER question_is_answered_once
BEFORE UPDATE ON question
WHEN OLD.body IS NOT NULL
    OR NEW.body IS NULL
    OR NEW.query_id IS NOT OLD.query_id
    OR NEW.account IS NOT OLD.account
    OR NEW.sequence IS NOT OLD.sequence
    OR NEW.dataset_id IS NOT OLD.dataset_id
    OR NEW.principal IS NOT OLD.principal
    OR NEW.operation IS NOT OLD.operation
    OR NEW.idempotency_key IS NOT OLD.idempotency_key
    OR NEW.request_digest IS NOT OLD.request_digest
BEGIN
    SELECT RAISE(ABORT, 'a question is answered once and never changed');
END;

CREATE TRIGGER question_stays
BEFORE DELETE ON question
BEGIN
    SELECT RAISE(ABORT, 'a question is never removed');
END;
