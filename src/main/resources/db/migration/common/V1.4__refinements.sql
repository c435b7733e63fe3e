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

CREATE TRIGGER released_integers_only_end
BEFORE UPDATE ON released_integers
FOR EACH ROW
WHEN (length(NEW.content) > 0
    OR NEW.query_id IS DISTINCT FROM OLD.query_id
    OR NEW.dataset_id IS DISTINCT FROM OLD.dataset_id
    OR NEW.series IS DISTINCT FROM OLD.series
    OR NEW.epsilon_nanos IS DISTINCT FROM OLD.epsilon_nanos)
${refuse}'what was released is never changed')${end};

CREATE TRIGGER released_integers_stay
BEFORE DELETE${or_truncate} ON released_integers
${refuse}'what was released is never removed')${end};

CREATE TRIGGER refinement_is_never_changed
BEFORE UPDATE ON refinement
${refuse}'a refinement is never changed')${end};

CREATE TRIGGER refinement_stays
BEFORE DELETE${or_truncate} ON refinement
${refuse}'a refinement is never removed')${end};
