-- As 0001: nobody may execute a function by default, and grant_to gives a role those without a leading underscore.

revoke all on all functions in schema leasehold from public;
