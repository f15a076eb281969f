-- One instant for all that is read, no right to write, and bounds on the server, too. Tables are named with their schema;
-- nobody's own function may stand in front of one that is called.
begin transaction isolation level repeatable read, read only;
set local statement_timeout = '60s';
set local lock_timeout = '5s';
set local search_path = pg_catalog;
