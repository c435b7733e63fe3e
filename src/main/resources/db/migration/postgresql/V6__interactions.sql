-- Running interactive mechanisms: what was opened, the sealed secret state, and every step that was answered.

CREATE TABLE interaction (
    interaction_id       TEXT COLLATE "C" NOT NULL PRIMARY KEY CHECK (length(interaction_id) = 26),
    kind                 TEXT COLLATE "C" NOT NULL,
    account              TEXT COLLATE "C" NOT NULL REFERENCES account,
    dataset_id           TEXT COLLATE "C" NOT NULL,
    principal            TEXT COLLATE "C" NOT NULL,
    operation            TEXT COLLATE "C" NOT NULL,
    idempotency_key      TEXT COLLATE "C" NOT NULL CHECK (length(idempotency_key) BETWEEN 1 AND 255),
    request              BYTEA   NOT NULL,
    reply                BYTEA   NOT NULL,
    opened_millis        BIGINT NOT NULL,
    expires_millis       BIGINT NOT NULL,
    charges              BIGINT NOT NULL,
    charged_epsilon_nanos BIGINT NOT NULL,
    charged_delta_attos  BIGINT NOT NULL,
    charged_rho_picos    BIGINT NOT NULL,
    query_id             TEXT COLLATE "C" REFERENCES question,
    version              BIGINT NOT NULL,
    steps                BIGINT NOT NULL,
    costly_steps_left    BIGINT NOT NULL CHECK (costly_steps_left >= 0),
    sealed_state         BYTEA,
    closed_because       TEXT COLLATE "C",
    UNIQUE (principal, operation, idempotency_key),
    CHECK (closed_because IS NULL OR sealed_state IS NULL)
);

CREATE INDEX interaction_of_principal ON interaction (dataset_id, principal, interaction_id);

CREATE INDEX interaction_open ON interaction (expires_millis) WHERE closed_because IS NULL;

CREATE TABLE interaction_step (
    interaction_id TEXT COLLATE "C" NOT NULL REFERENCES interaction,
    sequence       BIGINT NOT NULL CHECK (sequence >= 1),
    at_millis      BIGINT NOT NULL,
    request_digest BYTEA   NOT NULL CHECK (length(request_digest) = 32),
    body           BYTEA   NOT NULL,
    PRIMARY KEY (interaction_id, sequence)
);

-- The chain of all steps of one account. The anchor outside the database knows its head.

CREATE TABLE step_head (
    account  TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES account,
    sequence BIGINT NOT NULL,
    hash     TEXT COLLATE "C" NOT NULL CHECK (length(hash) = 64)
);

CREATE TABLE step_link (
    account  TEXT COLLATE "C" NOT NULL REFERENCES step_head,
    sequence BIGINT NOT NULL,
    hash     TEXT COLLATE "C" NOT NULL CHECK (length(hash) = 64),
    PRIMARY KEY (account, sequence)
);

CREATE TRIGGER interaction_moves_forward
BEFORE UPDATE ON interaction
FOR EACH ROW
WHEN (OLD.closed_because IS NOT NULL
    OR NEW.version IS DISTINCT FROM OLD.version + 1
    OR NEW.steps < OLD.steps
    OR NEW.costly_steps_left > OLD.costly_steps_left
    OR NEW.interaction_id IS DISTINCT FROM OLD.interaction_id
    OR NEW.account IS DISTINCT FROM OLD.account
    OR NEW.dataset_id IS DISTINCT FROM OLD.dataset_id
    OR NEW.principal IS DISTINCT FROM OLD.principal
    OR NEW.request IS DISTINCT FROM OLD.request
    OR NEW.reply IS DISTINCT FROM OLD.reply)
EXECUTE FUNCTION refuse('an interaction only moves forward, and stays closed');

CREATE TRIGGER interaction_stays
BEFORE DELETE OR TRUNCATE ON interaction
EXECUTE FUNCTION refuse('an interaction is never removed');

CREATE TRIGGER interaction_step_is_never_changed
BEFORE UPDATE ON interaction_step
FOR EACH ROW
EXECUTE FUNCTION refuse('a step is never changed');

CREATE TRIGGER interaction_step_stays
BEFORE DELETE OR TRUNCATE ON interaction_step
EXECUTE FUNCTION refuse('a step is never removed');

CREATE TRIGGER step_head_moves_forward
BEFORE UPDATE ON step_head
FOR EACH ROW
WHEN (NEW.sequence <= OLD.sequence)
EXECUTE FUNCTION refuse('the chain of steps only moves forward');
