-- Keys that read what costs nothing.

ALTER TABLE access_key
    DROP CONSTRAINT access_key_role_check,
    ADD CONSTRAINT access_key_role_check CHECK (role IN
        ('administrator', 'custodian', 'analyst', 'viewer', 'collector', 'auditor', 'operator'));
