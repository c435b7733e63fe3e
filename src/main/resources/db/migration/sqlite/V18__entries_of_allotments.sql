-- The last entry of an allotment says what is left of it. Before every charge, the allotment is compared with it.

CREATE INDEX entry_of_allotment ON entry (account, allotted_analyst, sequence) WHERE allotted_analyst IS NOT NULL;
