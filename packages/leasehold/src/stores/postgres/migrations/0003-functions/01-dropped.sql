-- Functions that version 2 made and the functions of today (../../functions) no longer have.

drop function if exists leasehold._take_new_in_pieces(
  leasehold.claims, text[], text[], timestamptz[], integer[], boolean, text, timestamptz, timestamptz
);
drop function if exists leasehold._take_new_patiently(
  leasehold.claims, text[], text[], timestamptz[], integer[], boolean, text, timestamptz, timestamptz
);
drop function if exists leasehold._arrive_in_pieces(
  leasehold.pools, text[], text[], text[], timestamptz[], integer[], text, timestamptz
);
drop function if exists leasehold._arrive_patiently(
  leasehold.pools, text[], text[], text[], timestamptz[], integer[], text, timestamptz
);
drop function if exists leasehold._work_plainly(leasehold.pools, text[], text[], text[], text[], text[]);
drop function if exists leasehold._has_two_versions(leasehold.records);
drop function if exists leasehold._begin_plain(leasehold.pools, text, text);
drop function if exists leasehold._check_work(text[], text[], text[], text[], text[], boolean[], text[], text[]);
