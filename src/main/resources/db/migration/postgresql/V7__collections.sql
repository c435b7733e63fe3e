-- Local-privacy collections. Reports are not kept: a collection keeps the sums of all its reports, and of each report
-- the first 16 bytes of SHA-256 of its id, so that it counts once. A collection's id is never used again. A training
-- is a collection whose sums begin anew each round; a device reports to it once, with a ticket.

CREATE TABLE collection (
    id            TEXT COLLATE "C" NOT NULL PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 63),
    kind          TEXT COLLATE "C" NOT NULL CHECK (kind IN ('collection', 'training')),
    number        BIGINT NOT NULL UNIQUE,
    custodian     TEXT COLLATE "C" NOT NULL,
    opened_millis BIGINT NOT NULL,
    closes_millis BIGINT,
    is_closed     BIGINT  NOT NULL CHECK (is_closed IN (0, 1)),
    is_deleted    BIGINT  NOT NULL CHECK (is_deleted IN (0, 1)),
    declaration   BYTEA   NOT NULL,
    document      BYTEA   NOT NULL
);

CREATE INDEX collection_of_custodian ON collection (custodian, id);

CREATE TABLE collection_tally (
    collection BIGINT NOT NULL PRIMARY KEY REFERENCES collection (number),
    reports    BIGINT NOT NULL CHECK (reports >= 0),
    sums       BYTEA   NOT NULL
);

CREATE TABLE collection_report (
    collection BIGINT NOT NULL,
    report     BYTEA   NOT NULL CHECK (length(report) = 16),
    PRIMARY KEY (collection, report)
);

CREATE TABLE training (
    collection    BIGINT NOT NULL PRIMARY KEY REFERENCES collection (number),
    round         BIGINT NOT NULL CHECK (round >= 1),
    round_reports BIGINT NOT NULL CHECK (round_reports >= 0),
    unused        BIGINT NOT NULL CHECK (unused >= 0),
    parameters    BYTEA   NOT NULL
);

CREATE TABLE training_round (
    collection    BIGINT NOT NULL,
    round         BIGINT NOT NULL,
    parameters    BYTEA   NOT NULL,
    gradient      BYTEA   NOT NULL,
    squared_gradient DOUBLE PRECISION NOT NULL,
    loss_change   DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (collection, round)
);

-- The round in which a ticket was used; null before.

CREATE TABLE training_ticket (
    collection    BIGINT NOT NULL,
    ticket        BYTEA   NOT NULL CHECK (length(ticket) = 16),
    round         BIGINT,
    PRIMARY KEY (collection, ticket)
);

CREATE TRIGGER collection_stays
BEFORE DELETE OR TRUNCATE ON collection
EXECUTE FUNCTION refuse('a collection''s id is never used again');

CREATE TRIGGER collection_declaration_stays
BEFORE UPDATE ON collection
FOR EACH ROW
WHEN (OLD.is_deleted = 1
    OR NEW.is_closed < OLD.is_closed
    OR NEW.id IS DISTINCT FROM OLD.id
    OR NEW.kind IS DISTINCT FROM OLD.kind
    OR NEW.number IS DISTINCT FROM OLD.number
    OR NEW.custodian IS DISTINCT FROM OLD.custodian
    OR NEW.opened_millis IS DISTINCT FROM OLD.opened_millis
    OR NEW.declaration IS DISTINCT FROM OLD.declaration
    OR NEW.document IS DISTINCT FROM OLD.document)
EXECUTE FUNCTION refuse('a collection''s protocol never changes, and a deleted one stays deleted');

CREATE TRIGGER collection_tally_grows
BEFORE UPDATE ON collection_tally
FOR EACH ROW
WHEN (NEW.reports < OLD.reports)
EXECUTE FUNCTION refuse('a collection never forgets reports');

CREATE TRIGGER training_ticket_is_used_once
BEFORE UPDATE ON training_ticket
FOR EACH ROW
WHEN (OLD.round IS NOT NULL)
EXECUTE FUNCTION refuse('a ticket is used once');
