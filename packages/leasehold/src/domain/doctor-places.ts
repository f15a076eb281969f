import { type Finding, ok, problem, unknown, warning } from './doctor.ts';

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
  const deciding = facts.places.find(decides) ?? null;
  return [...judgeConfiguration(facts, deciding), ...judgeStores(facts, deciding)];
}

/** A place that makes no sense is not passed by: whoever comes to it is refused. */
function decides({ store, fault }: StorePlace): boolean {
  return store !== null || fault !== null;
}

function judgeConfiguration({ places, files, userId }: PlaceFacts, deciding: StorePlace | null): Finding[] {
  const check = 'config';
  const others = places.filter((place) => place !== deciding);
  const faults = others.flatMap(({ fault }) =>
    fault === null ? [] : [warning(check, `${fault}. Whoever comes to it is refused (exit 78).`)],
  );
  return [judgeDeciding(deciding, others), ...faults, ...files.flatMap((file) => judgeFile(file, userId))];
}

function judgeDeciding(deciding: StorePlace | null, others: readonly StorePlace[]): Finding {
  const check = 'config';
  if (deciding === null) {
    return problem(check, 'Nothing names a store, and this user has no home directory for one; give --store URL.');
  }
  if (deciding.fault !== null) return problem(check, `${deciding.fault}. Nothing can start here until it is mended.`);
  const passedBy = others
    .filter(({ store, exists }) => store !== null && exists)
    .map(({ place, store }) => `${place} (${store})`);
  const behind = passedBy.length === 0 ? '' : `; passed by: ${passedBy.join(', ')}`;
  return ok(check, `The store is named by ${deciding.place}${behind}.`);
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
        `${path} belongs to user ${ownerId}, neither root nor this one, who may name another store in it. chown root ${path}`,
      ),
    );
  }
  return findings;
}

function judgeStores({ places, others, hiddenUsers }: PlaceFacts, deciding: StorePlace | null): Finding[] {
  const check = 'stores';
  const used = deciding?.store === null ? null : deciding;
  const ambient = places.find((place) => place.isAmbient && decides(place)) ?? null;
  const findings: Finding[] = [];
  if (used !== null && ambient !== null && ambient.exists && ambient.store !== null && ambient.store !== used.store) {
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
        `No second store can be seen, but this user may not look for that of ${who}; run doctor as root, too.`,
      ),
    ];
  }
  return [ok(check, 'Every user of this host that has a store has the same one.')];
}
