import { type Finding, ok, problem, warning } from './doctor.ts';
import { isSupportedNode, unsupportedNodeMessage } from './node-version.ts';

/** A user of this host, as `/etc/passwd` has him. */
export interface Account {
  readonly name: string;
  readonly id: number;
  readonly home: string;
}

/** What the host says of itself and of this process. */
export interface HostFacts {
  /** Without a leading `v`. */
  readonly nodeVersion: string;
  /** `linux`, `darwin`, `win32` … */
  readonly system: string;
  /** Names the current boot; null where the system doesn't. */
  readonly bootId: string | null;
  /** When this process started, in clock ticks since boot; null where the system doesn't tell. */
  readonly startTicks: number | null;
  /** Whose process this is; null where users have no numbers. */
  readonly userId: number | null;
  /** Empty where the system keeps no such list. */
  readonly accounts: readonly Account[];
}

/** Node.js, and whether a process of this host can be proven to have ended. */
export function judgeHost({ nodeVersion, system, bootId, startTicks }: HostFacts): Finding[] {
  const node = isSupportedNode(nodeVersion)
    ? ok('node', `Node.js ${nodeVersion}.`)
    : problem('node', unsupportedNodeMessage(nodeVersion));
  return [node, judgePlatform(system, bootId, startTicks)];
}

function judgePlatform(system: string, bootId: string | null, startTicks: number | null): Finding {
  const missing = [
    ...(bootId === null ? ['no id of its boot'] : []),
    ...(startTicks === null ? ['no start time of a process'] : []),
  ];
  if (missing.length === 0) return ok('platform', `${system}; the end of a process of this host can be proven.`);
  return warning(
    'platform',
    `${system} tells ${missing.join(' and ')}: that a killed run has ended can't be proven here, so only its lease decides. Keep leases short.`,
  );
}
