-- Accounts with blocks: a budget for each block of the rows. Their text is the width, the first label, the number and
-- the column. Of such an account and its allotments, what is spent is the most that is spent of a block.

ALTER TABLE account ADD COLUMN blocks TEXT;

-- The first entry of an account has its blocks. A charge has the places of the first and the last block that it was
-- charged to, from 0, and the most that was then spent of one of them: by all, and of the asker's allotment.

ALTER TABLE entry ADD COLUMN blocks TEXT CHECK (blocks IS NULL OR sequence = 1);
ALTER TABLE entry ADD COLUMN first_block INTEGER CHECK (first_block >= 0);
ALTER TABLE entry ADD COLUMN last_block INTEGER
    CHECK ((last_block IS NULL) = (first_block IS NULL) AND (last_block IS NULL OR last_block >= first_block));
ALTER TABLE entry ADD COLUMN window_after_epsilon_nanos INTEGER
    CHECK ((window_after_epsilon_nanos IS NULL) = (first_block IS NULL)
        AND (window_after_epsilon_nanos IS NULL OR window_after_epsilon_nanos <= spent_after_epsilon_nanos));
ALTER TABLE entry ADD COLUMN window_after_delta_attos INTEGER
    CHECK ((window_after_delta_attos IS NULL) = (first_block IS NULL)
        AND (window_after_delta_attos IS NULL OR window_after_delta_attos <= spent_after_delta_attos));
ALTER TABLE entry ADD COLUMN window_after_rho_picos INTEGER
    CHECK ((window_after_rho_picos IS NULL) = (first_block IS NULL)
        AND (window_after_rho_picos IS NULL OR window_after_rho_picos <= spent_after_rho_picos));
ALTER TABLE entry ADD COLUMN allotted_after_epsilon_nanos INTEGER
    CHECK (allotted_after_epsilon_nanos IS NULL
        OR coalesce(allotted_after_epsilon_nanos <= allotted_spent_epsilon_nanos, FALSE));
ALTER TABLE entry ADD COLUMN allotted_after_delta_attos INTEGER
    CHECK (allotted_after_delta_attos IS NULL
        OR coalesce(allotted_after_delta_attos <= allotted_spent_delta_attos, FALSE));
ALTER TABLE entry ADD COLUMN allotted_after_rho_picos INTEGER
    CHECK (allotted_after_rho_picos IS NULL
        OR coalesce(allotted_after_rho_picos <= allotted_spent_rho_picos, FALSE));

-- What is spent of each block, from its first charge on. The holder is the account itself (empty), or an analyst with
-- an allotment.

CREATE TABLE block_spent (
    account       TEXT    NOT NULL REFERENCES account,
    holder        TEXT    NOT NULL,
    block         INTEGER NOT NULL CHECK (block >= 0),
    epsilon_nanos INTEGER NOT NULL CHECK (epsilon_nanos >= 0),
    delta_attos   INTEGER NOT NULL CHECK (delta_attos >= 0),
    rho_picos     INTEGER NOT NULL CHECK (rho_picos >= 0),
    PRIMARY KEY (account, holder, block)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER account_keeps_its_blocks
BEFORE UPDATE ON account
WHEN NEW.blocks IS NOT OLD.blocks
BEGIN
    SELECT RAISE(ABORT, 'an account keeps its blocks');
END;

CREATE TRIGGER block_spends_forward
BEFORE UPDATE ON block_spent
WHEN NEW.account IS NOT OLD.account
    OR NEW.holder IS NOT OLD.holder
    OR NEW.block IS NOT OLD.block
    OR NEW.epsilon_nanos < OLD.epsilon_nanos
    OR NEW.delta_attos < OLD.delta_attos
    OR NEW.rho_picos < OLD.rho_picos
BEGIN
    SELECT RAISE(ABORT, 'nothing is refunded to a block');
END;

CREATE TRIGGER block_spent_stays
BEFORE DELETE ON block_spent
BEGIN
    SELECT RAISE(ABORT, 'what is spent of a block is never removed');
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
