-- Running interactive mechanisms: what was opened, the sealed secret state, and every step that was answered.

CREATE TABLE interaction (
    interaction_id       TEXT    NOT NULL PRIMARY KEY CHECK (length(interaction_id) = 26),
    kind                 TEXT    NOT NULL,
    account              TEXT    NOT NULL REFERENCES account,
    dataset_id           TEXT    NOT NULL,
    principal            TEXT    NOT NULL,
    operation            TEXT    NOT NULL,
    idempotency_key      TEXT    NOT NULL CHECK (length(idempotency_key) BETWEEN 1 AND 255),
    request              BLOB    NOT NULL,
    reply                BLOB    NOT NULL,
    opened_millis        INTEGER NOT NULL,
    expires_millis       INTEGER NOT NULL,
    charges              INTEGER NOT NULL,
    charged_epsilon_nanos INTEGER NOT NULL,
    charged_delta_attos  INTEGER NOT NULL,
    charged_rho_picos    INTEGER NOT NULL,
    query_id             TEXT REFERENCES question,
    version              INTEGER NOT NULL,
    steps                INTEGER NOT NULL,
    costly_steps_left    INTEGER NOT NULL CHECK (costly_steps_left >= 0),
    sealed_state         BLOB,
    closed_because       TEXT,
    UNIQUE (principal, operation, idempotency_key),
    CHECK (closed_because IS NULL OR sealed_state IS NULL)
) STRICT;

CREATE INDEX interaction_of_principal ON interaction (dataset_id, principal, interaction_id);

CREATE INDEX interaction_open ON interaction (expires_millis) WHERE closed_because IS NULL;

CREATE TABLE interaction_step (
    interaction_id TEXT    NOT NULL REFERENCES interaction,
    sequence       INTEGER NOT NULL CHECK (sequence >= 1),
    at_millis      INTEGER NOT NULL,
    request_digest BLOB    NOT NULL CHECK (length(request_digest) = 32),
    body           BLOB    NOT NULL,
    PRIMARY KEY (interaction_id, sequence)
) STRICT;

-- The chain of all steps of one account. The anchor outside the database knows its head.

CREATE TABLE step_head (
    account  TEXT    NOT NULL PRIMARY KEY REFERENCES account,
    sequence INTEGER NOT NULL,
    hash     TEXT    NOT NULL CHECK (length(hash) = 64)
) STRICT, WITHOUT ROWID;

CREATE TABLE step_link (
    account  TEXT    NOT NULL REFERENCES step_head,
    sequence INTEGER NOT NULL,
    hash     TEXT    NOT NULL CHECK (length(hash) = 64),
    PRIMARY KEY (account, sequence)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER interaction_moves_forward
BEFORE UPDATE ON interaction
WHEN OLD.closed_because IS NOT NULL
    OR NEW.version IS NOT OLD.version + 1
    OR NEW.steps < OLD.steps
    OR NEW.costly_steps_left > OLD.costly_steps_left
    OR NEW.interaction_id IS NOT OLD.interaction_id
    OR NEW.account IS NOT OLD.account
    OR NEW.dataset_id IS NOT OLD.dataset_id
    OR NEW.principal IS NOT OLD.principal
    OR NEW.request IS NOT OLD.request
    OR NEW.reply IS NOT OLD.reply
BEGIN
    SELECT RAISE(ABORT, 'an interaction only moves forward, and stays closed');
END;

CREATE TRIGGER interaction_stays
BEFORE DELETE ON interaction
BEGIN
    SELECT RAISE(ABORT, 'an interaction is never removed');
END;

CREATE TRIGGER interaction_step_is_never_changed
BEFORE UPDATE ON interaction_step
BEGIN
    SELECT RAISE(ABORT, 'a step is never changed');
END;

CREATE TRIGGER interaction_step_stays
BEFORE DELETE ON interaction_step
BEGIN
    SELECT RAISE(ABORT, 'a step is never removed');
END;

CREATE TRIGGER step_head_moves_forward
BEFORE UPDATE ON step_head
WHEN NEW.sequence <= OLD.sequence
BEGIN
    SELECT RAISE(ABORT, 'the chain of steps only moves forward');
END;
