import type pg from 'pg';

/**
 * Takes a guard out of one SQL function of the schema, in the database of a negative control. Throws
 * where the text is not there: a control that changes nothing proves nothing.
 */
export async function mutate(admin: pg.Client, name: string, from: string, to: string): Promise<void> {
  const { rows } = await admin.query<{ body: string }>(
    `select pg_get_functiondef(p.oid) as body from pg_proc p
     where p.pronamespace = 'leasehold'::regnamespace and p.proname = $1`,
    [name],
  );
  const body = rows[0]?.body ?? '';
  if (!body.includes(from)) throw new Error(`function ${name} does not have: ${from}`);
  await admin.query(body.replaceAll(from, () => to));
}
