-- What custodians call their datasets, for lists: a registration may be long, and lists do not read it.

CREATE TABLE dataset_title (
    id    TEXT NOT NULL PRIMARY KEY REFERENCES dataset,
    title TEXT NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO dataset_title
SELECT id, json_extract(CAST(registration AS TEXT), '$.title') FROM dataset
WHERE json_type(CAST(registration AS TEXT), '$.title') = 'text';

CREATE TRIGGER dataset_title_is_never_changed
BEFORE UPDATE ON dataset_title
BEGIN
    SELECT RAISE(ABORT, 'a registration never changes');
END;

CREATE TRIGGER dataset_title_stays
BEFORE DELETE ON dataset_title
BEGIN
    SELECT RAISE(ABORT, 'a registration never changes');
END;
