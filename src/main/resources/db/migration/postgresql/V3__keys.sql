-- Keys of everyone but the administrator of the file. A key's secret is not here, only its salted hash. A name is one
-- principal for ever: the first key of a name replaces none, and each key is replaced at most once, so only the last
-- key of a name can be valid. Grants are ids in ascending order, separated by spaces, or * for all.

CREATE TABLE access_key (
    key_id            TEXT   NOT NULL PRIMARY KEY CHECK (length(key_id) = 16),
    name              TEXT   NOT NULL CHECK (length(name) BETWEEN 1 AND 63 AND name <> 'admin'),
    role              TEXT   NOT NULL CHECK (role IN
        ('administrator', 'custodian', 'analyst', 'collector', 'auditor', 'operator')),
    datasets          TEXT   NOT NULL,
    collections       TEXT   NOT NULL,
    salt              BYTEA  NOT NULL CHECK (length(salt) = 16),
    hash              BYTEA  NOT NULL CHECK (length(hash) = 32),
    created_at_millis BIGINT NOT NULL,
    expires_at_millis BIGINT,
    revoked_at_millis BIGINT,
    replaces          TEXT UNIQUE,
    UNIQUE (key_id, name),
    FOREIGN KEY (replaces, name) REFERENCES access_key (key_id, name)
);

CREATE UNIQUE INDEX access_key_name ON access_key (name) WHERE replaces IS NULL;

-- A key changes once in its life: it is revoked, and that for good.

CREATE FUNCTION access_key_is_revoked_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.revoked_at_millis IS NOT NULL
        OR NEW.revoked_at_millis IS NULL
        OR NEW.key_id IS DISTINCT FROM OLD.key_id
        OR NEW.name IS DISTINCT FROM OLD.name
        OR NEW.role IS DISTINCT FROM OLD.role
        OR NEW.datasets IS DISTINCT FROM OLD.datasets
        OR NEW.collections IS DISTINCT FROM OLD.collections
        OR NEW.salt IS DISTINCT FROM OLD.salt
        OR NEW.hash IS DISTINCT FROM OLD.hash
        OR NEW.created_at_millis IS DISTINCT FROM OLD.created_at_millis
        OR NEW.expires_at_millis IS DISTINCT FROM OLD.expires_at_millis
        OR NEW.replaces IS DISTINCT FROM OLD.replaces THEN
        RAISE EXCEPTION 'a key is revoked once and never changed';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER access_key_is_revoked_once
BEFORE UPDATE ON access_key
FOR EACH ROW EXECUTE FUNCTION access_key_is_revoked_once();

CREATE FUNCTION access_key_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a key is never removed: its name is never used again';
END
$$;

CREATE TRIGGER access_key_stays
BEFORE DELETE ON access_key
FOR EACH ROW EXECUTE FUNCTION access_key_stays();

CREATE TRIGGER access_key_is_not_truncated
BEFORE TRUNCATE ON access_key
FOR EACH STATEMENT EXECUTE FUNCTION access_key_stays();

-- Whose a dataset is, without the dataset: what hides another's may not depend on its row.

CREATE INDEX dataset_custodian ON dataset (custodian, id);
