-- What a condition of a trigger says in a query of its own, which PostgreSQL allows in functions alone.

-- The account's row is a summary of its last entry, and each can only be written in agreement with the other. A charge
-- of an analyst with an allotment is charged to the allotment too.

CREATE TRIGGER entry_agrees_with_account
BEFORE INSERT ON entry
WHEN NOT EXISTS (
    SELECT 1 FROM account
    WHERE account = NEW.account
        AND head_sequence = NEW.sequence
        AND head_hash = NEW.hash
        AND limit_epsilon_nanos = NEW.limit_after_epsilon_nanos
        AND limit_delta_attos = NEW.limit_after_delta_attos
        AND limit_rho_picos = NEW.limit_after_rho_picos
        AND spent_epsilon_nanos = NEW.spent_after_epsilon_nanos
        AND spent_delta_attos = NEW.spent_after_delta_attos
        AND spent_rho_picos = NEW.spent_after_rho_picos)
    OR (NEW.allotted_analyst IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM allotment
        WHERE account = NEW.account
            AND analyst = NEW.allotted_analyst
            AND limit_epsilon_nanos = NEW.allotted_limit_epsilon_nanos
            AND limit_delta_attos = NEW.allotted_limit_delta_attos
            AND limit_rho_picos = NEW.allotted_limit_rho_picos
            AND spent_epsilon_nanos = NEW.allotted_spent_epsilon_nanos
            AND spent_delta_attos = NEW.allotted_spent_delta_attos
            AND spent_rho_picos = NEW.allotted_spent_rho_picos))
    OR (NEW.type = 'charge' AND NEW.allotted_analyst IS NOT (
        SELECT analyst FROM allotment WHERE account = NEW.account AND analyst = NEW.analyst))
BEGIN
    SELECT RAISE(ABORT, 'an entry agrees with its account');
END;

-- What a crash or a slower attempt left may go.

CREATE TRIGGER attachment_piece_stays
BEFORE DELETE ON attachment_piece
WHEN EXISTS (SELECT 1 FROM attachment WHERE query_id = OLD.query_id AND draw = OLD.draw)
BEGIN
    SELECT RAISE(ABORT, 'a piece of an attachment is never removed');
END;

-- A charge of an account with blocks is written after it was added to every block of its window.

CREATE TRIGGER entry_agrees_with_blocks
BEFORE INSERT ON entry
WHEN NEW.blocks IS NOT (SELECT blocks FROM account WHERE account = NEW.account AND NEW.sequence = 1)
    OR (NEW.first_block IS NULL) IS NOT (
        SELECT blocks IS NULL OR NEW.type = 'limit' FROM account WHERE account = NEW.account)
    OR (NEW.allotted_after_epsilon_nanos IS NULL) IS NOT (NEW.first_block IS NULL OR NEW.allotted_analyst IS NULL)
    OR (NEW.first_block IS NOT NULL AND NOT EXISTS (
        SELECT count(*) FROM block_spent
        WHERE account = NEW.account AND holder = '' AND block BETWEEN NEW.first_block AND NEW.last_block
        HAVING count(*) = NEW.last_block - NEW.first_block + 1
            AND max(epsilon_nanos) = NEW.window_after_epsilon_nanos
            AND max(delta_attos) = NEW.window_after_delta_attos
            AND max(rho_picos) = NEW.window_after_rho_picos))
    OR (NEW.allotted_after_epsilon_nanos IS NOT NULL AND NOT EXISTS (
        SELECT count(*) FROM block_spent
        WHERE account = NEW.account AND holder = NEW.allotted_analyst
            AND block BETWEEN NEW.first_block AND NEW.last_block
        HAVING count(*) = NEW.last_block - NEW.first_block + 1
            AND max(epsilon_nanos) = NEW.allotted_after_epsilon_nanos
            AND max(delta_attos) = NEW.allotted_after_delta_attos
            AND max(rho_picos) = NEW.allotted_after_rho_picos))
BEGIN
    SELECT RAISE(ABORT, 'an entry agrees with what is spent of its blocks');
END;
