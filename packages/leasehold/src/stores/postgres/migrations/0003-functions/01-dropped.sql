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
