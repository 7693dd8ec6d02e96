-- The settings that the service pins on direct connections and cannot pin through a pooler. Run once as an administrator.
-- After a crash, a commit that was not durable assigns one code to two people.
ALTER ROLE metacode SET synchronous_commit = 'on';
-- At other levels, parallel requests of one app fail.
ALTER ROLE metacode SET default_transaction_isolation = 'read committed';
-- Plans use indexes even if they were made while a table was empty, and are never compiled.
ALTER ROLE metacode SET enable_seqscan = 'off';
ALTER ROLE metacode SET jit = 'off';
ALTER ROLE metacode SET statement_timeout = '5s';
ALTER ROLE metacode SET lock_timeout = '3s';
ALTER ROLE metacode SET idle_in_transaction_session_timeout = '15s';
