-- Amounts are whole nano-epsilon (1e-9), atto-delta (1e-18) and pico-rho (1e-12). Times are milliseconds since 1970,
-- in UTC.
-- Texts are ordered by their bytes, as in SQLite. A statement-level trigger on DELETE fires though no row is met.
-- The rules are stated again here although the program keeps them: a statement that would break one fails.

CREATE TABLE account (
    account             TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    accountant          TEXT COLLATE "C" NOT NULL,
    limit_epsilon_nanos BIGINT           NOT NULL,
    limit_delta_attos   BIGINT           NOT NULL,
    limit_rho_picos     BIGINT           NOT NULL,
    spent_epsilon_nanos BIGINT           NOT NULL,
    spent_delta_attos   BIGINT           NOT NULL,
    spent_rho_picos     BIGINT           NOT NULL,
    head_sequence       BIGINT           NOT NULL CHECK (head_sequence >= 1),
    head_hash           TEXT COLLATE "C" NOT NULL CHECK (length(head_hash) = 64),
    CHECK (0 <= spent_epsilon_nanos AND spent_epsilon_nanos <= limit_epsilon_nanos),
    CHECK (0 <= spent_delta_attos AND spent_delta_attos <= limit_delta_attos),
    CHECK (0 <= spent_rho_picos AND spent_rho_picos <= limit_rho_picos)
);

CREATE TABLE entry (
    account                   TEXT COLLATE "C" NOT NULL REFERENCES account,
    sequence                  BIGINT           NOT NULL CHECK (sequence >= 1),
    at_millis                 BIGINT           NOT NULL,
    type                      TEXT COLLATE "C" NOT NULL CHECK (type IN ('charge', 'limit')),
    analyst                   TEXT COLLATE "C" NOT NULL,
    query_id                  TEXT COLLATE "C",
    kind                      TEXT COLLATE "C",
    request_hash              TEXT COLLATE "C" CHECK (length(request_hash) = 64),
    charge_epsilon_nanos      BIGINT           NOT NULL CHECK (charge_epsilon_nanos >= 0),
    charge_delta_attos        BIGINT           NOT NULL CHECK (charge_delta_attos >= 0),
    charge_rho_picos          BIGINT           NOT NULL CHECK (charge_rho_picos >= 0),
    limit_after_epsilon_nanos BIGINT           NOT NULL,
    limit_after_delta_attos   BIGINT           NOT NULL,
    limit_after_rho_picos     BIGINT           NOT NULL,
    spent_after_epsilon_nanos BIGINT           NOT NULL,
    spent_after_delta_attos   BIGINT           NOT NULL,
    spent_after_rho_picos     BIGINT           NOT NULL,
    allotted_analyst             TEXT COLLATE "C",
    allotted_limit_epsilon_nanos BIGINT,
    allotted_limit_delta_attos   BIGINT,
    allotted_limit_rho_picos     BIGINT,
    allotted_spent_epsilon_nanos BIGINT,
    allotted_spent_delta_attos   BIGINT,
    allotted_spent_rho_picos     BIGINT,
    previous_hash             TEXT COLLATE "C" NOT NULL CHECK (length(previous_hash) = 64),
    hash                      TEXT COLLATE "C" NOT NULL CHECK (length(hash) = 64),
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
);

-- One analyst's ceiling inside an account's limit.

CREATE TABLE allotment (
    account             TEXT COLLATE "C" NOT NULL REFERENCES account,
    analyst             TEXT COLLATE "C" NOT NULL,
    limit_epsilon_nanos BIGINT           NOT NULL,
    limit_delta_attos   BIGINT           NOT NULL,
    limit_rho_picos     BIGINT           NOT NULL,
    spent_epsilon_nanos BIGINT           NOT NULL,
    spent_delta_attos   BIGINT           NOT NULL,
    spent_rho_picos     BIGINT           NOT NULL,
    PRIMARY KEY (account, analyst),
    CHECK (0 <= spent_epsilon_nanos AND spent_epsilon_nanos <= limit_epsilon_nanos),
    CHECK (0 <= spent_delta_attos AND spent_delta_attos <= limit_delta_attos),
    CHECK (0 <= spent_rho_picos AND spent_rho_picos <= limit_rho_picos)
);

CREATE TABLE question (
    query_id        TEXT COLLATE "C" NOT NULL PRIMARY KEY CHECK (length(query_id) = 26),
    account         TEXT COLLATE "C" NOT NULL,
    sequence        BIGINT           NOT NULL,
    dataset_id      TEXT COLLATE "C" NOT NULL,
    principal       TEXT COLLATE "C" NOT NULL,
    operation       TEXT COLLATE "C" NOT NULL,
    idempotency_key TEXT COLLATE "C" NOT NULL CHECK (length(idempotency_key) BETWEEN 1 AND 255),
    request_digest  BYTEA            NOT NULL CHECK (length(request_digest) = 32),
    request         BYTEA,
    body            BYTEA            CHECK (length(body) > 0),
    UNIQUE (principal, operation, idempotency_key),
    UNIQUE (account, sequence),
    FOREIGN KEY (account, sequence) REFERENCES entry,
    CHECK ((body IS NULL) = (request IS NOT NULL))
);

CREATE INDEX question_of_principal ON question (dataset_id, principal, sequence);

CREATE INDEX question_without_answer ON question (query_id) WHERE body IS NULL;

CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation', MESSAGE = TG_ARGV[0];
END;
$$;

-- An account's books only move forward, one entry at a time, and nothing is ever refunded.

CREATE TRIGGER account_moves_forward
BEFORE UPDATE ON account
FOR EACH ROW
WHEN (NEW.account IS DISTINCT FROM OLD.account
    OR NEW.accountant IS DISTINCT FROM OLD.accountant
    OR NEW.head_sequence IS DISTINCT FROM OLD.head_sequence + 1
    OR NEW.spent_epsilon_nanos < OLD.spent_epsilon_nanos
    OR NEW.spent_delta_attos < OLD.spent_delta_attos
    OR NEW.spent_rho_picos < OLD.spent_rho_picos)
EXECUTE FUNCTION refuse('an account only moves forward, one entry at a time');

CREATE TRIGGER account_stays
BEFORE DELETE OR TRUNCATE ON account
EXECUTE FUNCTION refuse('an account is never removed');

CREATE TRIGGER allotment_spends_forward
BEFORE UPDATE ON allotment
FOR EACH ROW
WHEN (NEW.account IS DISTINCT FROM OLD.account
    OR NEW.analyst IS DISTINCT FROM OLD.analyst
    OR NEW.spent_epsilon_nanos < OLD.spent_epsilon_nanos
    OR NEW.spent_delta_attos < OLD.spent_delta_attos
    OR NEW.spent_rho_picos < OLD.spent_rho_picos)
EXECUTE FUNCTION refuse('nothing is refunded to an allotment');

CREATE TRIGGER allotment_stays
BEFORE DELETE OR TRUNCATE ON allotment
EXECUTE FUNCTION refuse('an allotment is never removed');

-- The account's row is a summary of its last entry, and each can only be written in agreement with the other. A charge
-- of an analyst with an allotment is charged to the allotment too.

CREATE FUNCTION entry_agrees_with_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (
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
        OR (NEW.type = 'charge' AND NEW.allotted_analyst IS DISTINCT FROM (
            SELECT analyst FROM allotment WHERE account = NEW.account AND analyst = NEW.analyst)) THEN
        RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation', MESSAGE = 'an entry agrees with its account';
    END IF;
    RETURN NEW;
END;
$$;

CREATE TRIGGER entry_agrees_with_account
BEFORE INSERT ON entry
FOR EACH ROW EXECUTE FUNCTION entry_agrees_with_account();

CREATE TRIGGER entry_is_never_changed
BEFORE UPDATE ON entry
FOR EACH ROW
EXECUTE FUNCTION refuse('an entry is never changed');

CREATE TRIGGER entry_is_never_removed
BEFORE DELETE OR TRUNCATE ON entry
EXECUTE FUNCTION refuse('an entry is never removed');

-- A question changes once in its life: it gets its answer.

CREATE TRIGGER question_is_answered_once
BEFORE UPDATE ON question
FOR EACH ROW
WHEN (OLD.body IS NOT NULL
    OR NEW.body IS NULL
    OR NEW.query_id IS DISTINCT FROM OLD.query_id
    OR NEW.account IS DISTINCT FROM OLD.account
    OR NEW.sequence IS DISTINCT FROM OLD.sequence
    OR NEW.dataset_id IS DISTINCT FROM OLD.dataset_id
    OR NEW.principal IS DISTINCT FROM OLD.principal
    OR NEW.operation IS DISTINCT FROM OLD.operation
    OR NEW.idempotency_key IS DISTINCT FROM OLD.idempotency_key
    OR NEW.request_digest IS DISTINCT FROM OLD.request_digest)
EXECUTE FUNCTION refuse('a question is answered once and never changed');

CREATE TRIGGER question_stays
BEFORE DELETE OR TRUNCATE ON question
EXECUTE FUNCTION refuse('a question is never removed');
