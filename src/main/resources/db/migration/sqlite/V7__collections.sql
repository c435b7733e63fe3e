-- Local-privacy collections. Reports are not kept: a collection keeps the sums of all its reports, and of each report
-- the first 16 bytes of SHA-256 of its id, so that it counts once. A collection's id is never used again. A training
-- is a collection whose sums begin anew each round; a device reports to it once, with a ticket.

CREATE TABLE collection (
    id            TEXT    NOT NULL PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 63),
    kind          TEXT    NOT NULL CHECK (kind IN ('collection', 'training')),
    number        INTEGER NOT NULL UNIQUE,
    custodian     TEXT    NOT NULL,
    opened_millis INTEGER NOT NULL,
    closes_millis INTEGER,
    is_closed     INTEGER NOT NULL CHECK (is_closed IN (0, 1)),
    is_deleted    INTEGER NOT NULL CHECK (is_deleted IN (0, 1)),
    declaration   BLOB    NOT NULL,
    document      BLOB    NOT NULL
) STRICT;

CREATE INDEX collection_of_custodian ON collection (custodian, id);

CREATE TABLE collection_tally (
    collection INTEGER NOT NULL PRIMARY KEY REFERENCES collection (number),
    reports    INTEGER NOT NULL CHECK (reports >= 0),
    sums       BLOB    NOT NULL
) STRICT;

CREATE TABLE collection_report (
    collection INTEGER NOT NULL,
    report     BLOB    NOT NULL CHECK (length(report) = 16),
    PRIMARY KEY (collection, report)
) STRICT, WITHOUT ROWID;

CREATE TABLE training (
    collection    INTEGER NOT NULL PRIMARY KEY REFERENCES collection (number),
    round         INTEGER NOT NULL CHECK (round >= 1),
    round_reports INTEGER NOT NULL CHECK (round_reports >= 0),
    unused        INTEGER NOT NULL CHECK (unused >= 0),
    parameters    BLOB    NOT NULL
) STRICT;

CREATE TABLE training_round (
    collection    INTEGER NOT NULL,
    round         INTEGER NOT NULL,
    parameters    BLOB    NOT NULL,
    gradient      BLOB    NOT NULL,
    squared_gradient REAL    NOT NULL,
    loss_change   REAL    NOT NULL,
    PRIMARY KEY (collection, round)
) STRICT;

-- The round in which a ticket was used; null before.

CREATE TABLE training_ticket (
    collection    INTEGER NOT NULL,
    ticket        BLOB    NOT NULL CHECK (length(ticket) = 16),
    round         INTEGER,
    PRIMARY KEY (collection, ticket)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER collection_stays
BEFORE DELETE ON collection
BEGIN
    SELECT RAISE(ABORT, 'a collection''s id is never used again');
END;

CREATE TRIGGER collection_declaration_stays
BEFORE UPDATE ON collection
WHEN OLD.is_deleted = 1
    OR NEW.is_closed < OLD.is_closed
    OR NEW.id IS NOT OLD.id
    OR NEW.kind IS NOT OLD.kind
    OR NEW.number IS NOT OLD.number
    OR NEW.custodian IS NOT OLD.custodian
    OR NEW.opened_millis IS NOT OLD.opened_millis
    OR NEW.declaration IS NOT OLD.declaration
    OR NEW.document IS NOT OLD.document
BEGIN
    SELECT RAISE(ABORT, 'a collection''s protocol never changes, and a deleted one stays deleted');
END;

CREATE TRIGGER collection_tally_grows
BEFORE UPDATE ON collection_tally
WHEN NEW.reports < OLD.reports
BEGIN
    SELECT RAISE(ABORT, 'a collection never forgets reports');
END;

CREATE TRIGGER training_ticket_is_used_once
BEFORE UPDATE ON training_ticket
WHEN OLD.round IS NOT NULL
BEGIN
    SELECT RAISE(ABORT, 'a ticket is used once');
END;
