/**
 * The processes of this host as far as this process can see them. Only `platform/` implements it. What is
 * not seen is told apart from what is not there: only the latter proves anything.
 */
export interface ProcessTable {
  place(): ProcessPlace;
  /** The process with that id. */
  look(pid: number): ProcessSight;
  /** Whether anybody runs in the process group, or in the session, that has this id. */
  company(groupId: number): 'nobody' | 'somebody' | 'hidden';
}

/** Where ids of processes count. Null for what this system doesn't tell. */
export interface ProcessPlace {
  readonly host: string;
  readonly bootId: string | null;
  readonly pidNamespace: string | null;
  /** Why processes may be there that can't be seen from here, or are seen as others; null where all are seen as they are. */
  readonly blindness: string | null;
}

/** `hidden`: there may be one, but it can't be read. */
export type ProcessSight =
  | { readonly kind: 'none' }
  | { readonly kind: 'hidden' }
  | {
      readonly kind: 'seen';
      /** When it started, in clock ticks since boot. */
      readonly startTicks: number;
      /** By a signal or a debugger: it does nothing until somebody wakes it. */
      readonly isStopped: boolean;
      /** It runs no more; its parent has not looked at its end yet. */
      readonly hasEnded: boolean;
    };
