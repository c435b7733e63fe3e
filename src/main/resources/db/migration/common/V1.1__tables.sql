-- Amounts are whole nano-epsilon (1e-9), atto-delta (1e-18) and pico-rho (1e-12). Times are milliseconds since 1970, in
-- UTC. The rules are stated again here although the program keeps them: a statement that would break one fails.

-- An account may have blocks: a budget for each block of the rows. The column blocks has their width, first
-- label, number and column. Of such an account and its allotments, what is spent is the most that is spent of a block.
CREATE TABLE account (
    account ${text} NOT NULL PRIMARY KEY,
    accountant ${text} NOT NULL,
    limit_epsilon_nanos ${long} NOT NULL, limit_delta_attos ${long} NOT NULL, limit_rho_picos ${long} NOT NULL,
    spent_epsilon_nanos ${long} NOT NULL, spent_delta_attos ${long} NOT NULL, spent_rho_picos ${long} NOT NULL,
    head_sequence ${long} NOT NULL CHECK (head_sequence >= 1),
    head_hash ${text} NOT NULL CHECK (length(head_hash) = 64),
    blocks ${text},
    CHECK (spent_epsilon_nanos BETWEEN 0 AND limit_epsilon_nanos),
    CHECK (spent_delta_attos BETWEEN 0 AND limit_delta_attos),
    CHECK (spent_rho_picos BETWEEN 0 AND limit_rho_picos)
)${strict_without_rowid};

-- The first entry of an account has its blocks. A charge has the places of the first and the last block that it was
-- charged to, from 0, and the most that was then spent of one of them: by all, and of the asker's allotment.
CREATE TABLE entry (
    account ${text} NOT NULL REFERENCES account,
    sequence ${long} NOT NULL CHECK (sequence >= 1),
    at_millis ${long} NOT NULL,
    type ${text} NOT NULL CHECK (type IN ('charge', 'limit')),
    analyst ${text} NOT NULL,
    query_id ${text},
    kind ${text},
    request_hash ${text} CHECK (length(request_hash) = 64),
    charge_epsilon_nanos ${long} NOT NULL, charge_delta_attos ${long} NOT NULL, charge_rho_picos ${long} NOT NULL,
    limit_after_epsilon_nanos ${long} NOT NULL,
    limit_after_delta_attos ${long} NOT NULL,
    limit_after_rho_picos ${long} NOT NULL,
    spent_after_epsilon_nanos ${long} NOT NULL,
    spent_after_delta_attos ${long} NOT NULL,
    spent_after_rho_picos ${long} NOT NULL,
    allotted_analyst ${text},
    allotted_limit_epsilon_nanos ${long}, allotted_limit_delta_attos ${long}, allotted_limit_rho_picos ${long},
    allotted_spent_epsilon_nanos ${long}, allotted_spent_delta_attos ${long}, allotted_spent_rho_picos ${long},
    previous_hash ${text} NOT NULL CHECK (length(previous_hash) = 64),
    hash ${text} NOT NULL CHECK (length(hash) = 64),
    blocks ${text} CHECK (blocks IS NULL OR sequence = 1),
    first_block INTEGER CHECK (first_block >= 0),
    last_block INTEGER CHECK (last_block >= first_block),
    window_after_epsilon_nanos ${long} CHECK (window_after_epsilon_nanos <= spent_after_epsilon_nanos),
    window_after_delta_attos ${long} CHECK (window_after_delta_attos <= spent_after_delta_attos),
    window_after_rho_picos ${long} CHECK (window_after_rho_picos <= spent_after_rho_picos),
    allotted_after_epsilon_nanos ${long}, allotted_after_delta_attos ${long}, allotted_after_rho_picos ${long},
    PRIMARY KEY (account, sequence),
    CHECK (charge_epsilon_nanos >= 0 AND charge_delta_attos >= 0 AND charge_rho_picos >= 0),
    CHECK ((type = 'charge') = (charge_epsilon_nanos > 0 OR charge_delta_attos > 0 OR charge_rho_picos > 0)),
    CHECK ((type = 'charge') = (query_id IS NOT NULL)),
    CHECK ((type = 'charge') = (kind IS NOT NULL)),
    CHECK ((type = 'charge') = (request_hash IS NOT NULL)),
    CHECK (spent_after_epsilon_nanos BETWEEN 0 AND limit_after_epsilon_nanos),
    CHECK (spent_after_delta_attos BETWEEN 0 AND limit_after_delta_attos),
    CHECK (spent_after_rho_picos BETWEEN 0 AND limit_after_rho_picos),
    CHECK (allotted_analyst IS NULL OR coalesce(
        allotted_spent_epsilon_nanos BETWEEN 0 AND allotted_limit_epsilon_nanos
        AND allotted_spent_delta_attos BETWEEN 0 AND allotted_limit_delta_attos
        AND allotted_spent_rho_picos BETWEEN 0 AND allotted_limit_rho_picos, FALSE)),
    CHECK ((first_block IS NULL) = (last_block IS NULL)),
    CHECK ((first_block IS NULL) = (window_after_epsilon_nanos IS NULL)),
    CHECK ((first_block IS NULL) = (window_after_delta_attos IS NULL)),
    CHECK ((first_block IS NULL) = (window_after_rho_picos IS NULL)),
    CHECK (allotted_after_epsilon_nanos IS NULL
        OR coalesce(allotted_after_epsilon_nanos <= allotted_spent_epsilon_nanos, FALSE)),
    CHECK (allotted_after_delta_attos IS NULL
        OR coalesce(allotted_after_delta_attos <= allotted_spent_delta_attos, FALSE)),
    CHECK (allotted_after_rho_picos IS NULL
        OR coalesce(allotted_after_rho_picos <= allotted_spent_rho_picos, FALSE))
)${strict_without_rowid};
-- The last entry of an allotment says what is left of it. Before every charge, the allotment is compared with it.
CREATE INDEX entry_of_allotment ON entry (account, allotted_analyst, sequence) WHERE allotted_analyst IS NOT NULL;
-- Before every charge, an earlier charge of the same request is looked for. It is there where somebody removed the
-- question that a retry would find.
CREATE INDEX entry_of_request ON entry (account, analyst, request_hash, sequence) WHERE request_hash IS NOT NULL;

-- One analyst's ceiling inside an account's limit.
CREATE TABLE allotment (
    account ${text} NOT NULL REFERENCES account,
    analyst ${text} NOT NULL,
    limit_epsilon_nanos ${long} NOT NULL, limit_delta_attos ${long} NOT NULL, limit_rho_picos ${long} NOT NULL,
    spent_epsilon_nanos ${long} NOT NULL, spent_delta_attos ${long} NOT NULL, spent_rho_picos ${long} NOT NULL,
    PRIMARY KEY (account, analyst),
    CHECK (spent_epsilon_nanos BETWEEN 0 AND limit_epsilon_nanos),
    CHECK (spent_delta_attos BETWEEN 0 AND limit_delta_attos),
    CHECK (spent_rho_picos BETWEEN 0 AND limit_rho_picos)
)${strict_without_rowid};

CREATE TABLE question (
    query_id ${text} NOT NULL PRIMARY KEY CHECK (length(query_id) = 26),
    account ${text} NOT NULL,
    sequence ${long} NOT NULL,
    dataset_id ${text} NOT NULL,
    principal ${text} NOT NULL,
    operation ${text} NOT NULL,
    idempotency_key ${text} NOT NULL CHECK (length(idempotency_key) BETWEEN 1 AND 255),
    request_digest ${bytes} NOT NULL CHECK (length(request_digest) = 32),
    request ${bytes},
    body ${bytes} CHECK (length(body) > 0),
    UNIQUE (principal, operation, idempotency_key),
    UNIQUE (account, sequence),
    FOREIGN KEY (account, sequence) REFERENCES entry,
    CHECK ((body IS NULL) = (request IS NOT NULL))
)${strict};
CREATE INDEX question_of_principal ON question (dataset_id, principal, sequence);
CREATE INDEX question_without_answer ON question (query_id) WHERE body IS NULL;

-- A dataset's registration is kept as the bytes that were sent. Its id is never used again, so a row is never removed.
-- The instance in loaded_by began the last upload: it alone may end it, or find at its next start that it was torn.
-- rows_digest is that of the header of the file of rows. Without it, the dataset has no rows yet, or reads a table. The
-- registration is the last column: it may be long, and lists do not read it.
CREATE TABLE dataset (
    id ${text} NOT NULL PRIMARY KEY,
    title ${text},
    account ${text} NOT NULL REFERENCES account,
    custodian ${text} NOT NULL,
    registered_at_millis ${long} NOT NULL,
    state ${text} NOT NULL CHECK (state IN ('registered', 'loading', 'ready', 'failed', 'deleted')),
    loaded_by ${text},
    rows_digest ${bytes} CHECK (length(rows_digest) = 32),
    registration ${bytes} NOT NULL
)${strict_without_rowid};
-- Finds a custodian's dataset without its row: the work for another custodian's dataset must not depend on that row.
CREATE INDEX dataset_custodian ON dataset (custodian, id);
-- Every start reads the rows of each account.
CREATE INDEX dataset_account ON dataset (account);

-- Keys of everyone but the administrator of the file. A key's secret is not here, only its salted hash. A key without a
-- secret is for an identity, the subject of tokens of one issuer; an identity has one key for ever. A name is one
-- principal for ever: the first key of a name replaces none, and each key is replaced at most once, so only the last
-- key of a name can be valid. Grants are ids in ascending order, separated by spaces, or * for all.
CREATE TABLE access_key (
    key_id ${text} NOT NULL PRIMARY KEY CHECK (length(key_id) = 16),
    name ${text} NOT NULL CHECK (length(name) BETWEEN 1 AND 63 AND name <> 'admin'),
    role ${text} NOT NULL CHECK (role IN
        ('administrator', 'custodian', 'analyst', 'viewer', 'collector', 'auditor', 'operator')),
    datasets ${text} NOT NULL,
    collections ${text} NOT NULL,
    salt ${bytes} CHECK (length(salt) = 16),
    hash ${bytes} CHECK (length(hash) = 32),
    created_at_millis ${long} NOT NULL,
    expires_at_millis ${long},
    revoked_at_millis ${long},
    replaces ${text} UNIQUE,
    issuer ${text},
    subject ${text} CHECK (length(subject) BETWEEN 1 AND 255),
    UNIQUE (key_id, name),
    UNIQUE (issuer, subject),
    CHECK ((salt IS NULL) = (hash IS NULL)),
    CHECK ((subject IS NULL) = (hash IS NOT NULL)),
    CHECK ((issuer IS NULL) = (subject IS NULL)),
    FOREIGN KEY (replaces, name) REFERENCES access_key (key_id, name)
)${strict_without_rowid};
CREATE UNIQUE INDEX access_key_name ON access_key (name) WHERE replaces IS NULL;

-- The rows that were ever put, as keyed fingerprints, each with the one account that may spend on them. Kept for ever:
-- a deletion does not make budget new.
CREATE TABLE fingerprint (
    fingerprint ${text} NOT NULL PRIMARY KEY CHECK (length(fingerprint) = 64),
    account ${text} NOT NULL REFERENCES account
)${strict_without_rowid};
CREATE INDEX fingerprint_account ON fingerprint (account);

-- A question as it is compared. A line feed, which no name contains, stands before, between and after column names.
CREATE TABLE canonical_question (
    query_id ${text} NOT NULL PRIMARY KEY REFERENCES question,
    dataset_id ${text} NOT NULL,
    digest ${bytes} NOT NULL CHECK (length(digest) = 32),
    column_names ${text} NOT NULL
)${strict_without_rowid};
CREATE INDEX canonical_question_alike ON canonical_question (dataset_id, digest, query_id);

-- Running interactive mechanisms: what was opened, the sealed secret state, and every step that was answered.
CREATE TABLE interaction (
    interaction_id ${text} NOT NULL PRIMARY KEY CHECK (length(interaction_id) = 26),
    kind ${text} NOT NULL,
    account ${text} NOT NULL REFERENCES account,
    dataset_id ${text} NOT NULL,
    principal ${text} NOT NULL,
    operation ${text} NOT NULL,
    idempotency_key ${text} NOT NULL CHECK (length(idempotency_key) BETWEEN 1 AND 255),
    request ${bytes} NOT NULL,
    reply ${bytes} NOT NULL,
    opened_millis ${long} NOT NULL,
    expires_millis ${long} NOT NULL,
    charges ${long} NOT NULL,
    charged_epsilon_nanos ${long} NOT NULL, charged_delta_attos ${long} NOT NULL, charged_rho_picos ${long} NOT NULL,
    query_id ${text} REFERENCES question,
    version ${long} NOT NULL,
    steps ${long} NOT NULL,
    costly_steps_left ${long} NOT NULL CHECK (costly_steps_left >= 0),
    sealed_state ${bytes},
    closed_because ${text},
    UNIQUE (principal, operation, idempotency_key),
    CHECK (closed_because IS NULL OR sealed_state IS NULL)
)${strict};
CREATE INDEX interaction_of_principal ON interaction (dataset_id, principal, interaction_id);
CREATE INDEX interaction_open ON interaction (expires_millis) WHERE closed_because IS NULL;

CREATE TABLE interaction_step (
    interaction_id ${text} NOT NULL REFERENCES interaction,
    sequence ${long} NOT NULL CHECK (sequence >= 1),
    request_digest ${bytes} NOT NULL CHECK (length(request_digest) = 32),
    body ${bytes} NOT NULL,
    PRIMARY KEY (interaction_id, sequence)
)${strict};

-- Local-privacy collections. Reports are not kept: a collection keeps the sums of all its reports, and of each report
-- the first 16 bytes of SHA-256 of its id, so that it counts once. A collection's id is never used again. A training is
-- a collection whose sums begin anew each round; a device reports to it once, with a ticket. ids, tickets and rounds
-- are digests of what is kept of reports one by one, brought up to date with the row. ids and tickets are a nonce of 16
-- bytes and a masked digest of the set; rounds is the chained digest of all rounds, and the digest of the last.
CREATE TABLE collection (
    id ${text} NOT NULL PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 63),
    kind ${text} NOT NULL CHECK (kind IN ('collection', 'training')),
    number ${long} NOT NULL UNIQUE,
    custodian ${text} NOT NULL,
    opened_millis ${long} NOT NULL,
    closes_millis ${long},
    is_closed ${long} NOT NULL CHECK (is_closed IN (0, 1)),
    is_deleted ${long} NOT NULL CHECK (is_deleted IN (0, 1)),
    declaration ${bytes} NOT NULL,
    document ${bytes} NOT NULL
)${strict};
CREATE INDEX collection_of_custodian ON collection (custodian, id);

CREATE TABLE collection_tally (
    collection ${long} NOT NULL PRIMARY KEY REFERENCES collection (number),
    reports ${long} NOT NULL CHECK (reports >= 0),
    sums ${bytes} NOT NULL,
    ids ${bytes} CHECK (length(ids) = 48)
)${strict};

CREATE TABLE collection_report (
    collection ${long} NOT NULL,
    report ${bytes} NOT NULL CHECK (length(report) = 16),
    PRIMARY KEY (collection, report)
)${strict_without_rowid};

CREATE TABLE training (
    collection ${long} NOT NULL PRIMARY KEY REFERENCES collection (number),
    round ${long} NOT NULL CHECK (round >= 1),
    round_reports ${long} NOT NULL CHECK (round_reports >= 0),
    unused ${long} NOT NULL CHECK (unused >= 0),
    parameters ${bytes} NOT NULL,
    tickets ${bytes} CHECK (length(tickets) = 48),
    rounds ${bytes} CHECK (length(rounds) = 64)
)${strict};

CREATE TABLE training_round (
    collection ${long} NOT NULL,
    round ${long} NOT NULL,
    parameters ${bytes} NOT NULL,
    gradient ${bytes} NOT NULL,
    squared_gradient ${double} NOT NULL,
    loss_change ${double} NOT NULL,
    PRIMARY KEY (collection, round)
)${strict};

-- The round in which a ticket was used; null before.
CREATE TABLE training_ticket (
    collection ${long} NOT NULL,
    ticket ${bytes} NOT NULL CHECK (length(ticket) = 16),
    round ${long},
    PRIMARY KEY (collection, ticket)
)${strict_without_rowid};

-- What was decided besides charges: one entry for each version of a deciding row. An entry's code is made with a key of
-- the home. Entries about one object are in one chain.
CREATE TABLE journal (
    chain ${text} NOT NULL,
    sequence ${long} NOT NULL CHECK (sequence >= 1),
    object ${text} NOT NULL,
    content ${bytes} NOT NULL CHECK (length(content) = 32),
    previous ${bytes} NOT NULL CHECK (length(previous) = 32),
    code ${bytes} NOT NULL CHECK (length(code) = 32),
    PRIMARY KEY (chain, sequence)
)${strict_without_rowid};
CREATE INDEX journal_of_object ON journal (object, sequence);

-- Every key under which a fingerprint was recorded, in the order of their first use. An instance that does not know all
-- of them would not recognize the rows that others recorded.
CREATE TABLE used_fingerprint_key (
    position ${long} NOT NULL PRIMARY KEY CHECK (position >= 1),
    check_value ${text} NOT NULL UNIQUE CHECK (length(check_value) = 64)
)${strict_without_rowid};

-- Plans that were bought: one row for a request of several questions. A line of items is the query id of the question
-- that answers it; of a reused answer, also what the asker had left and the limit, in whole epsilon, delta and rho.
CREATE TABLE plan (
    principal ${text} NOT NULL,
    operation ${text} NOT NULL,
    idempotency_key ${text} NOT NULL CHECK (length(idempotency_key) BETWEEN 1 AND 255),
    account ${text} NOT NULL REFERENCES account,
    dataset_id ${text} NOT NULL,
    request_digest ${bytes} NOT NULL CHECK (length(request_digest) = 32),
    items ${text} NOT NULL,
    PRIMARY KEY (principal, operation, idempotency_key)
)${strict_without_rowid};
CREATE INDEX plan_account ON plan (account);

-- An answer that is longer than 64 KB. Its first 64 KB are the body of its question. The others are pieces of 64 KB, so
-- that a part of it is read without all that is before it. One transaction writes body, pieces and digests. The journal
-- has the length and the digests with the answer. A piece is used if it has its digest. The digests are the SHA-256 of
-- the whole answer, of the body, and of each piece in its order.
CREATE TABLE long_answer (
    query_id ${text} NOT NULL PRIMARY KEY REFERENCES question,
    length ${long} NOT NULL CHECK (length > 0),
    digests ${bytes} NOT NULL CHECK (length(digests) > 0)
)${strict};

CREATE TABLE answer_piece (
    query_id ${text} NOT NULL REFERENCES question,
    piece ${long} NOT NULL CHECK (piece > 0),
    content ${bytes} NOT NULL CHECK (length(content) > 0),
    PRIMARY KEY (query_id, piece)
)${strict};

-- Content that an answer refers to and that is too long for it. It is written in pieces before the answer is stored.
-- Two attempts under one debit may draw different noise: each is a draw of its own, and their pieces never mix. Pieces
-- are encrypted, and the key of a draw is written with the answer. Nobody can ever read another draw. No row here
-- decides anything. The answer, which is journaled, states the digest of its content, and whatever is read is compared
-- with that digest. A row of attachment says where to look, and which pieces stay.
CREATE TABLE attachment_piece (
    query_id ${text} NOT NULL REFERENCES question,
    draw ${bytes} NOT NULL CHECK (length(draw) = 32),
    piece ${long} NOT NULL CHECK (piece >= 0),
    content ${bytes} NOT NULL CHECK (length(content) > 0),
    PRIMARY KEY (query_id, draw, piece)
)${strict};

-- Written with the answer. The series is the query id of the first answer that this one adds to; its own, for a first.
CREATE TABLE attachment (
    query_id ${text} NOT NULL PRIMARY KEY REFERENCES question,
    dataset_id ${text} NOT NULL,
    series ${text} NOT NULL REFERENCES attachment,
    draw ${bytes} NOT NULL CHECK (length(draw) = 32),
    draw_key ${bytes} NOT NULL CHECK (length(draw_key) = 32)
)${strict_without_rowid};
CREATE INDEX attachment_of_series ON attachment (series, query_id);
CREATE INDEX attachment_first_of_series ON attachment (dataset_id, query_id) WHERE series = query_id;

-- What is spent of each block from its first charge on. The holder is the analyst of an allotment, or empty.
CREATE TABLE block_spent (
    account ${text} NOT NULL REFERENCES account,
    holder ${text} NOT NULL,
    block INTEGER NOT NULL CHECK (block >= 0),
    epsilon_nanos ${long} NOT NULL, delta_attos ${long} NOT NULL, rho_picos ${long} NOT NULL,
    PRIMARY KEY (account, holder, block),
    CHECK (epsilon_nanos >= 0 AND delta_attos >= 0 AND rho_picos >= 0)
)${strict_without_rowid};

-- The blocks of uploaded datasets whose load was begun, each with its file of rows. A block without a row was never
-- loaded. It is loaded once: its index is its place among the blocks of the registration. The instance in loaded_by
-- alone may end the load, or find at its next start that it was torn. The digest is that of the header of its file.
CREATE TABLE dataset_block (
    dataset_id ${text} NOT NULL REFERENCES dataset,
    block ${long} NOT NULL CHECK (block >= 0),
    state ${text} NOT NULL CHECK (state IN ('loading', 'ready', 'failed')),
    loaded_by ${text} NOT NULL,
    rows_digest ${bytes} CHECK (length(rows_digest) = 32),
    PRIMARY KEY (dataset_id, block),
    CHECK ((state = 'ready') = (rows_digest IS NOT NULL))
)${strict_without_rowid};

-- What an answer was made of, exactly as it was released. It is as public as the answer, and a refinement begins with
-- it. The series is that of all questions that differ in epsilon alone. Content that is empty is not refined any more.
CREATE TABLE released_integers (
    query_id ${text} NOT NULL PRIMARY KEY REFERENCES question,
    dataset_id ${text} NOT NULL,
    series ${bytes} NOT NULL CHECK (length(series) = 32),
    epsilon_nanos ${long} NOT NULL CHECK (epsilon_nanos > 0),
    content ${bytes} NOT NULL
)${strict_without_rowid};
CREATE INDEX released_integers_of_series ON released_integers (dataset_id, series, epsilon_nanos);

-- Which answer is made better by which question. An answer is refined once: two refinements of it are two releases.
CREATE TABLE refinement (
    refined ${text} NOT NULL PRIMARY KEY REFERENCES released_integers,
    query_id ${text} NOT NULL UNIQUE REFERENCES question,
    epsilon_nanos ${long} NOT NULL CHECK (epsilon_nanos > 0)
)${strict_without_rowid};
