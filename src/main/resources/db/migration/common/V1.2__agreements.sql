-- A trigger here has a condition with a query of its own. PostgreSQL allows this in functions only, so the lines around
-- a condition differ. The lines of one database are comments for the other.

-- The account's row is a summary of its last entry, and each can only be written in agreement with the other. A charge
-- of an analyst with an allotment is charged to the allotment too.

${sqlite}CREATE TRIGGER entry_agrees_with_account BEFORE INSERT ON entry WHEN
${postgresql}CREATE FUNCTION entry_agrees_with_account() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF
    NOT EXISTS (
        SELECT 1 FROM account WHERE (account, head_sequence, head_hash) = (NEW.account, NEW.sequence, NEW.hash)
            AND (limit_epsilon_nanos, limit_delta_attos, limit_rho_picos)
                = (NEW.limit_after_epsilon_nanos, NEW.limit_after_delta_attos, NEW.limit_after_rho_picos)
            AND (spent_epsilon_nanos, spent_delta_attos, spent_rho_picos)
                = (NEW.spent_after_epsilon_nanos, NEW.spent_after_delta_attos, NEW.spent_after_rho_picos))
    OR (NEW.allotted_analyst IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM allotment WHERE (account, analyst) = (NEW.account, NEW.allotted_analyst)
            AND (limit_epsilon_nanos, limit_delta_attos, limit_rho_picos)
                = (NEW.allotted_limit_epsilon_nanos, NEW.allotted_limit_delta_attos, NEW.allotted_limit_rho_picos)
            AND (spent_epsilon_nanos, spent_delta_attos, spent_rho_picos)
                = (NEW.allotted_spent_epsilon_nanos, NEW.allotted_spent_delta_attos, NEW.allotted_spent_rho_picos)))
    OR (NEW.type = 'charge' AND NEW.allotted_analyst IS DISTINCT FROM (
        SELECT analyst FROM allotment WHERE (account, analyst) = (NEW.account, NEW.analyst)))
${sqlite}BEGIN SELECT RAISE(ABORT, 'an entry agrees with its account'); END;
${postgresql}THEN RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation',
${postgresql}    MESSAGE = 'an entry agrees with its account'; END IF; RETURN NEW; END $$;
${postgresql}CREATE TRIGGER entry_agrees_with_account BEFORE INSERT ON entry
${postgresql}    FOR EACH ROW EXECUTE FUNCTION entry_agrees_with_account();

-- What a crash or a slower attempt left may go.

${sqlite}CREATE TRIGGER attachment_piece_stays BEFORE DELETE ON attachment_piece WHEN
${postgresql}CREATE FUNCTION attachment_piece_stays() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF
    EXISTS (SELECT 1 FROM attachment WHERE query_id = OLD.query_id AND draw = OLD.draw)
${sqlite}BEGIN SELECT RAISE(ABORT, 'a piece of an attachment is never removed'); END;
${postgresql}THEN RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation',
${postgresql}    MESSAGE = 'a piece of an attachment is never removed'; END IF; RETURN OLD; END $$;
${postgresql}CREATE TRIGGER attachment_piece_stays BEFORE DELETE ON attachment_piece
${postgresql}    FOR EACH ROW EXECUTE FUNCTION attachment_piece_stays();

-- A charge of an account with blocks is written after it was added to every block of its window.

${sqlite}CREATE TRIGGER entry_agrees_with_blocks BEFORE INSERT ON entry WHEN
${postgresql}CREATE FUNCTION entry_agrees_with_blocks() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF
    NEW.blocks IS DISTINCT FROM (SELECT blocks FROM account WHERE account = NEW.account AND NEW.sequence = 1)
    OR (NEW.first_block IS NULL) IS DISTINCT FROM (
        SELECT blocks IS NULL OR NEW.type = 'limit' FROM account WHERE account = NEW.account)
    OR (NEW.allotted_after_epsilon_nanos IS NULL)
        IS DISTINCT FROM (NEW.first_block IS NULL OR NEW.allotted_analyst IS NULL)
    OR (NEW.first_block IS NOT NULL AND NOT EXISTS (
        SELECT count(*) FROM block_spent
        WHERE account = NEW.account AND holder = '' AND block BETWEEN NEW.first_block AND NEW.last_block
        HAVING count(*) = NEW.last_block - NEW.first_block + 1
            AND (max(epsilon_nanos), max(delta_attos), max(rho_picos))
                = (NEW.window_after_epsilon_nanos, NEW.window_after_delta_attos, NEW.window_after_rho_picos)))
    OR (NEW.allotted_after_epsilon_nanos IS NOT NULL AND NOT EXISTS (
        SELECT count(*) FROM block_spent
        WHERE account = NEW.account AND holder = NEW.allotted_analyst
            AND block BETWEEN NEW.first_block AND NEW.last_block
        HAVING count(*) = NEW.last_block - NEW.first_block + 1
            AND (max(epsilon_nanos), max(delta_attos), max(rho_picos))
                = (NEW.allotted_after_epsilon_nanos, NEW.allotted_after_delta_attos, NEW.allotted_after_rho_picos)))
${sqlite}BEGIN SELECT RAISE(ABORT, 'an entry agrees with what is spent of its blocks'); END;
${postgresql}THEN RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation',
${postgresql}    MESSAGE = 'an entry agrees with what is spent of its blocks'; END IF; RETURN NEW; END $$;
${postgresql}CREATE TRIGGER entry_agrees_with_blocks BEFORE INSERT ON entry
${postgresql}    FOR EACH ROW EXECUTE FUNCTION entry_agrees_with_blocks();
