-- An account's books only move forward, one entry at a time, and nothing is ever refunded.

${postgresql}CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
${postgresql}    RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation', MESSAGE = TG_ARGV[0]; END $$;

CREATE TRIGGER account_moves_forward BEFORE UPDATE ON account FOR EACH ROW WHEN (
    (NEW.account, NEW.accountant) IS DISTINCT FROM (OLD.account, OLD.accountant)
    OR NEW.head_sequence IS DISTINCT FROM OLD.head_sequence + 1
    OR NEW.spent_epsilon_nanos < OLD.spent_epsilon_nanos
    OR NEW.spent_delta_attos < OLD.spent_delta_attos
    OR NEW.spent_rho_picos < OLD.spent_rho_picos)
    ${refuse}'an account only moves forward, one entry at a time')${end};
CREATE TRIGGER account_keeps_its_blocks BEFORE UPDATE ON account FOR EACH ROW WHEN (
    NEW.blocks IS DISTINCT FROM OLD.blocks)
    ${refuse}'an account keeps its blocks')${end};
CREATE TRIGGER account_stays BEFORE ${removal} ON account ${refuse}'an account is never removed')${end};

CREATE TRIGGER allotment_spends_forward BEFORE UPDATE ON allotment FOR EACH ROW WHEN (
    (NEW.account, NEW.analyst) IS DISTINCT FROM (OLD.account, OLD.analyst)
    OR NEW.spent_epsilon_nanos < OLD.spent_epsilon_nanos
    OR NEW.spent_delta_attos < OLD.spent_delta_attos
    OR NEW.spent_rho_picos < OLD.spent_rho_picos)
    ${refuse}'nothing is refunded to an allotment')${end};
CREATE TRIGGER allotment_stays BEFORE ${removal} ON allotment ${refuse}'an allotment is never removed')${end};

CREATE TRIGGER block_spends_forward BEFORE UPDATE ON block_spent FOR EACH ROW WHEN (
    (NEW.account, NEW.holder, NEW.block) IS DISTINCT FROM (OLD.account, OLD.holder, OLD.block)
    OR NEW.epsilon_nanos < OLD.epsilon_nanos OR NEW.delta_attos < OLD.delta_attos OR NEW.rho_picos < OLD.rho_picos)
    ${refuse}'nothing is refunded to a block')${end};
CREATE TRIGGER block_spent_stays BEFORE ${removal} ON block_spent
    ${refuse}'what is spent of a block is never removed')${end};

CREATE TRIGGER entry_is_never_changed BEFORE UPDATE ON entry ${refuse}'an entry is never changed')${end};
CREATE TRIGGER entry_is_never_removed BEFORE ${removal} ON entry ${refuse}'an entry is never removed')${end};

-- A question changes once in its life: it gets its answer.

CREATE TRIGGER question_is_answered_once BEFORE UPDATE ON question FOR EACH ROW WHEN (
    OLD.body IS NOT NULL OR NEW.body IS NULL
    OR (NEW.query_id, NEW.account, NEW.sequence, NEW.dataset_id, NEW.principal, NEW.operation, NEW.idempotency_key,
            NEW.request_digest)
        IS DISTINCT FROM (OLD.query_id, OLD.account, OLD.sequence, OLD.dataset_id, OLD.principal, OLD.operation,
            OLD.idempotency_key, OLD.request_digest))
    ${refuse}'a question is answered once and never changed')${end};
CREATE TRIGGER question_stays BEFORE ${removal} ON question ${refuse}'a question is never removed')${end};
CREATE TRIGGER canonical_question_is_never_changed BEFORE UPDATE ON canonical_question
    ${refuse}'what was asked is never changed')${end};
CREATE TRIGGER canonical_question_stays BEFORE ${removal} ON canonical_question
    ${refuse}'what was asked is never removed')${end};

CREATE TRIGGER dataset_registration_stays BEFORE UPDATE ON dataset FOR EACH ROW WHEN (
    OLD.state = 'deleted'
    OR (NEW.id, NEW.title, NEW.account, NEW.custodian, NEW.registered_at_millis, NEW.registration)
        IS DISTINCT FROM (OLD.id, OLD.title, OLD.account, OLD.custodian, OLD.registered_at_millis, OLD.registration)
    OR (OLD.rows_digest IS NOT NULL AND NEW.rows_digest IS DISTINCT FROM OLD.rows_digest))
    ${refuse}'a registration never changes, and a deleted dataset stays deleted')${end};
CREATE TRIGGER dataset_stays BEFORE ${removal} ON dataset ${refuse}'a dataset''s id is never used again')${end};

CREATE TRIGGER dataset_block_is_loaded_once BEFORE UPDATE ON dataset_block FOR EACH ROW WHEN (
    OLD.state = 'ready' OR (NEW.dataset_id, NEW.block) IS DISTINCT FROM (OLD.dataset_id, OLD.block))
    ${refuse}'a block is never loaded again')${end};
CREATE TRIGGER dataset_block_stays BEFORE ${removal} ON dataset_block ${refuse}'a block is never loaded again')${end};

-- Only grants and expiry of a key change, and it is revoked for good.

CREATE TRIGGER access_key_changes_its_grants_alone BEFORE UPDATE ON access_key FOR EACH ROW WHEN (
    OLD.revoked_at_millis IS NOT NULL
    OR (NEW.key_id, NEW.name, NEW.role, NEW.salt, NEW.hash, NEW.created_at_millis, NEW.replaces, NEW.issuer,
            NEW.subject)
        IS DISTINCT FROM (OLD.key_id, OLD.name, OLD.role, OLD.salt, OLD.hash, OLD.created_at_millis, OLD.replaces,
            OLD.issuer, OLD.subject)
    OR (NEW.revoked_at_millis IS NOT NULL
        AND (NEW.datasets, NEW.collections, NEW.expires_at_millis)
            IS DISTINCT FROM (OLD.datasets, OLD.collections, OLD.expires_at_millis)))
    ${refuse}'only grants and expiry of a key change, until it is revoked')${end};
CREATE TRIGGER access_key_stays BEFORE ${removal} ON access_key
    ${refuse}'a key is never removed: its name is never used again')${end};

CREATE TRIGGER fingerprint_is_never_changed BEFORE UPDATE ON fingerprint
    ${refuse}'a fingerprint is never changed')${end};
CREATE TRIGGER fingerprint_is_never_removed BEFORE ${removal} ON fingerprint
    ${refuse}'a fingerprint is never removed')${end};

-- Whoever claims rows writes the first key as it is: on other databases this makes claims wait for each other.

CREATE TRIGGER used_fingerprint_key_is_never_changed BEFORE UPDATE ON used_fingerprint_key FOR EACH ROW WHEN (
    NEW.position <> OLD.position OR NEW.check_value <> OLD.check_value)
    ${refuse}'a used fingerprint key is never changed')${end};
CREATE TRIGGER used_fingerprint_key_is_never_removed BEFORE ${removal} ON used_fingerprint_key
    ${refuse}'a used fingerprint key is never removed')${end};

CREATE TRIGGER interaction_moves_forward BEFORE UPDATE ON interaction FOR EACH ROW WHEN (
    OLD.closed_because IS NOT NULL OR NEW.version IS DISTINCT FROM OLD.version + 1
    OR NEW.steps < OLD.steps OR NEW.costly_steps_left > OLD.costly_steps_left
    OR (NEW.interaction_id, NEW.account, NEW.dataset_id, NEW.principal, NEW.request, NEW.reply)
        IS DISTINCT FROM (OLD.interaction_id, OLD.account, OLD.dataset_id, OLD.principal, OLD.request, OLD.reply))
    ${refuse}'an interaction only moves forward, and stays closed')${end};
CREATE TRIGGER interaction_stays BEFORE ${removal} ON interaction ${refuse}'an interaction is never removed')${end};
CREATE TRIGGER interaction_step_is_never_changed BEFORE UPDATE ON interaction_step
    ${refuse}'a step is never changed')${end};
CREATE TRIGGER interaction_step_stays BEFORE ${removal} ON interaction_step ${refuse}'a step is never removed')${end};

CREATE TRIGGER collection_declaration_stays BEFORE UPDATE ON collection FOR EACH ROW WHEN (
    OLD.is_deleted = 1 OR NEW.is_closed < OLD.is_closed
    OR (NEW.id, NEW.kind, NEW.number, NEW.custodian, NEW.opened_millis, NEW.declaration, NEW.document)
        IS DISTINCT FROM (OLD.id, OLD.kind, OLD.number, OLD.custodian, OLD.opened_millis, OLD.declaration,
            OLD.document))
    ${refuse}'a collection''s protocol never changes, and a deleted one stays deleted')${end};
CREATE TRIGGER collection_stays BEFORE ${removal} ON collection
    ${refuse}'a collection''s id is never used again')${end};
CREATE TRIGGER collection_tally_grows BEFORE UPDATE ON collection_tally FOR EACH ROW WHEN (NEW.reports < OLD.reports)
    ${refuse}'a collection never forgets reports')${end};
CREATE TRIGGER training_ticket_is_used_once BEFORE UPDATE ON training_ticket FOR EACH ROW WHEN (OLD.round IS NOT NULL)
    ${refuse}'a ticket is used once')${end};

CREATE TRIGGER journal_is_never_changed BEFORE UPDATE ON journal
    ${refuse}'an entry of the journal is never changed')${end};
CREATE TRIGGER journal_is_never_removed BEFORE ${removal} ON journal
    ${refuse}'an entry of the journal is never removed')${end};

CREATE TRIGGER plan_is_never_changed BEFORE UPDATE ON plan ${refuse}'a plan is never changed')${end};
CREATE TRIGGER plan_stays BEFORE ${removal} ON plan ${refuse}'a plan is never removed')${end};

CREATE TRIGGER long_answer_is_never_changed BEFORE UPDATE ON long_answer
    ${refuse}'the digests of an answer are never changed')${end};
CREATE TRIGGER long_answer_stays BEFORE ${removal} ON long_answer
    ${refuse}'the digests of an answer are never removed')${end};
CREATE TRIGGER answer_piece_is_never_changed BEFORE UPDATE ON answer_piece
    ${refuse}'a piece of an answer is never changed')${end};
CREATE TRIGGER answer_piece_stays BEFORE ${removal} ON answer_piece
    ${refuse}'a piece of an answer is never removed')${end};

CREATE TRIGGER attachment_is_never_changed BEFORE UPDATE ON attachment ${refuse}'an attachment is never changed')${end};
CREATE TRIGGER attachment_stays BEFORE ${removal} ON attachment ${refuse}'an attachment is never removed')${end};
CREATE TRIGGER attachment_piece_is_never_changed BEFORE UPDATE ON attachment_piece
    ${refuse}'a piece of an attachment is never changed')${end};
${postgresql}CREATE TRIGGER attachment_pieces_stay BEFORE TRUNCATE ON attachment_piece
${postgresql}    EXECUTE FUNCTION refuse('a piece of an attachment is never removed');

CREATE TRIGGER released_integers_only_end BEFORE UPDATE ON released_integers FOR EACH ROW WHEN (
    length(NEW.content) > 0
    OR (NEW.query_id, NEW.dataset_id, NEW.series, NEW.epsilon_nanos)
        IS DISTINCT FROM (OLD.query_id, OLD.dataset_id, OLD.series, OLD.epsilon_nanos))
    ${refuse}'what was released is never changed')${end};
CREATE TRIGGER released_integers_stay BEFORE ${removal} ON released_integers
    ${refuse}'what was released is never removed')${end};
CREATE TRIGGER refinement_is_never_changed BEFORE UPDATE ON refinement ${refuse}'a refinement is never changed')${end};
CREATE TRIGGER refinement_stays BEFORE ${removal} ON refinement ${refuse}'a refinement is never removed')${end};
