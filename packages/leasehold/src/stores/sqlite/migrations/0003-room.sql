-- What a record will take up while it is worked, kept free in its page from its arrival on: its claim's token, instants, what
-- its provider says. Without it pages that arrived full are split by claims, begins and verdicts, which then write twice as
-- many. Emptied by its first claim.
alter table records add column room blob;

-- By the beginning of its token, which is random: of a hundred records that are claimed all entries are then in one page,
-- where whole tokens made three that each claim split and each verdict joined again.
drop index records_of_claim;
create index records_of_claim on records (pool, substr(token, 1, 8), is_begun) where state = 'claimed';
