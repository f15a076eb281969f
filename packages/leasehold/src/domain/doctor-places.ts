import { type Finding, ok, unknown, warning } from './doctor.ts';

/**
 * Which store which process of this host picks. Two that pick different ones guard nothing from each other,
 * and neither is told.
 *
 * Stores are compared by their names, which carry no credentials; files by their real paths.
 */

/** One place that may name a store, in the order in which they count. */
export interface StorePlace {
  /** `--store`, the name of a variable, the path of a file, or `the default`. */
  readonly place: string;
  /** Null where it is there and names none, or makes no sense. */
  readonly store: string | null;
  /** Why it makes no sense; null where it does. */
  readonly fault: string | null;
  /** True where a process gets it without an option or a variable of its own: cron's, say. */
  readonly isAmbient: boolean;
  /** Of the default: whether the file is there. True for all others. */
  readonly exists: boolean;
}

/** A configuration file as it lies on the disk. */
export interface ConfigurationFile {
  readonly path: string;
  readonly mode: number;
  readonly ownerId: number;
}

/** The store that another user of this host would get without being told of one. */
export interface OtherStore {
  readonly user: string;
  readonly store: string;
}

export interface PlaceFacts {
  readonly places: readonly StorePlace[];
  readonly files: readonly ConfigurationFile[];
  readonly others: readonly OtherStore[];
  /** Users in whose directories this one may not look. */
  readonly hiddenUsers: readonly string[];
  readonly userId: number | null;
}

const SUPERUSER_ID = 0;
const NAME_IT = 'name the store in /etc/leasehold.json, which counts for every user';

/** Which configuration is used and which is passed by, who may change it, and who picks another store. */
export function judgePlaces(facts: PlaceFacts): Finding[] {
  const used = facts.places.find(({ store }) => store !== null) ?? null;
  return [...judgeConfiguration(facts, used), ...judgeStores(facts, used)];
}

function judgeConfiguration({ places, files, userId }: PlaceFacts, used: StorePlace | null): Finding[] {
  const check = 'config';
  const shadowed = places.filter((place) => place !== used && place.store !== null && place.exists);
  const passedBy = shadowed.map(({ place, store }) => `${place} (${store})`).join(', ');
  const summary =
    used === null
      ? unknown(check, 'No place names a store that makes sense.')
      : ok(check, `The store is named by ${used.place}${passedBy === '' ? '.' : `; passed by: ${passedBy}.`}`);
  const faults = places.flatMap(({ fault }) =>
    fault === null ? [] : [warning(check, `${fault}. Who comes to it is refused (exit 78).`)],
  );
  return [summary, ...faults, ...files.flatMap((file) => judgeFile(file, userId))];
}

/** Who may write a configuration decides where locks are; who may read it learns no secret, since it holds none. */
function judgeFile({ path, mode, ownerId }: ConfigurationFile, userId: number | null): Finding[] {
  if (userId === null) return [];
  const findings: Finding[] = [];
  if ((mode & 0o022) !== 0) {
    const octal = (mode & 0o777).toString(8).padStart(4, '0');
    findings.push(
      warning('config', `${path} has mode ${octal}: others may name another store in it. chmod go-w ${path}`),
    );
  }
  if (ownerId !== userId && ownerId !== SUPERUSER_ID) {
    findings.push(
      warning(
        'config',
        `${path} belongs to user ${ownerId}, neither root nor this one, who may name another store in it.`,
      ),
    );
  }
  return findings;
}

function judgeStores({ places, others, hiddenUsers }: PlaceFacts, used: StorePlace | null): Finding[] {
  const check = 'stores';
  const ambient = places.find((place) => place.isAmbient && place.store !== null) ?? null;
  const findings: Finding[] = [];
  if (used !== null && ambient !== null && ambient.exists && ambient.store !== used.store) {
    findings.push(
      warning(
        check,
        `Two stores on this host: ${used.place} names ${used.store}, and a job that lacks it, of cron for one, uses ${ambient.store} (${ambient.place}). If they share jobs, ${NAME_IT}.`,
      ),
    );
  }
  const own = [used?.store, ambient?.exists === true ? ambient.store : null];
  for (const { user, store } of others) {
    if (own.includes(store)) continue;
    findings.push(
      warning(
        check,
        `Two stores on this host: user ${user} has ${store}, and this user has ${used?.store ?? 'none'}. If they share jobs, ${NAME_IT}.`,
      ),
    );
  }
  if (findings.length > 0) return findings;
  if (hiddenUsers.length > 0) {
    const who =
      hiddenUsers.slice(0, 3).join(', ') + (hiddenUsers.length > 3 ? ` and ${hiddenUsers.length - 3} more` : '');
    return [
      unknown(
        check,
        `One that can be seen. Whether ${who} picks another may not be seen by this user; run doctor there, too.`,
      ),
    ];
  }
  return [ok(check, 'Every user of this host that has one has the same.')];
}
