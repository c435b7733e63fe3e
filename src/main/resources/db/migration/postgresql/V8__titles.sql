-- What custodians call their datasets, for lists: a registration may be long, and lists do not read it.

CREATE TABLE dataset_title (
    id    TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES dataset,
    title TEXT             NOT NULL
);

INSERT INTO dataset_title
SELECT id, convert_from(registration, 'UTF8')::json ->> 'title' FROM dataset
WHERE convert_from(registration, 'UTF8')::json ->> 'title' IS NOT NULL;

CREATE TRIGGER dataset_title_is_never_changed
BEFORE UPDATE ON dataset_title
FOR EACH STATEMENT EXECUTE FUNCTION refuse('a registration never changes');

CREATE TRIGGER dataset_title_stays
BEFORE DELETE OR TRUNCATE ON dataset_title
EXECUTE FUNCTION refuse('a registration never changes');
