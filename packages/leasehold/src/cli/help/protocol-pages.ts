import {
  example,
  type HelpPage,
  STORE_ENVIRONMENT,
  STORE_FILES,
  storeExits,
  TELLING_FILES,
  TOKEN_ENVIRONMENT,
} from './page.ts';

/** The protocol for scripts that are no single command. */
export const PROTOCOL_PAGES: Readonly<Record<string, HelpPage>> = {
  acquire: {
    usage: 'acquire NAME --lease D [options]',
    about: [
      'Prints the token alone on stdout and its message on stderr, so that a script can keep it in a variable. Test the exit code: a reclaimed start is 0 as well. Nothing renews such a lease but renew, so make it longer than the longest gap between two of them.',
      'To repeat a call whose answer was lost give --run-id and --holder: the same start gets the same token. A token that nobody can read gives the lock back.',
    ],
    exitCodes: storeExits(
      ['0', 'go ahead: acquired, reclaimed or bypassed'],
      ['69', "the store can't be reached, timed out, is read-only or full; nothing was started"],
      ['74', 'the token could not be written to stdout; the lock has been given back'],
      ['75', 'skipped: another run holds the lock, or it is paused'],
      ['76', 'this slot has run to success already'],
      ['128 + n', 'ended by signal n; the lock has been given back'],
    ),
    examples: [
      example(
        'Keep the token, or end as a skipped start does',
        'token=$(leasehold acquire nightly --lease 2h) || exit $?',
      ),
      example(
        'Repeatable after a lost answer',
        'leasehold acquire nightly --lease 2h --run-id "$BUILD_ID" --holder "$HOSTNAME" --json',
      ),
      example('Once for each planned instant', 'leasehold acquire nightly --lease 2h --slot 2026-11-30T01:00:00Z'),
    ],
    environment: STORE_ENVIRONMENT,
    files: TELLING_FILES,
    seeAlso: ['leasehold help renew', 'leasehold help release', 'leasehold help run', 'docs/cli.md'],
  },
  renew: {
    usage: 'renew NAME [--token T] [--lease D] [--progress TEXT]',
    about: [
      'Extends a live lease from now on, by its own length unless --lease says otherwise. An expired lease is lost even if nobody took it: stop the work then. The progress is what the next holder reads after a crash, and a sign of life for run --stall.',
    ],
    exitCodes: storeExits(['0', 'renewed'], ['77', 'lost: stop the work']),
    examples: [
      example('Between two steps of a script', "leasehold renew nightly --progress 'step one done' || exit 1"),
      example('Longer than before, for a step that takes long', 'leasehold renew nightly --lease 6h'),
    ],
    environment: TOKEN_ENVIRONMENT,
    files: STORE_FILES,
    seeAlso: ['leasehold help acquire', 'leasehold help release', 'docs/cli.md'],
  },
  release: {
    usage: 'release NAME [--token T] [--status success|failure] [--after D]',
    about: [
      'Gives the lock back and says how the run went. Without a status it counts as neither, and its slot may run again. Repeating a release is harmless, and may add a status that was missing. --after frees the lock only then, for work that may still be writing.',
    ],
    exitCodes: storeExits(
      ['0', 'the lock is free, or will be: also where the lease had ended'],
      ['77', 'another holds the lock'],
    ),
    examples: [
      example('At the end of a script', 'leasehold release nightly --status success'),
      example('On every other path', "trap 'leasehold release nightly --status failure' EXIT"),
      example('A step was cancelled and may still be writing', 'leasehold release nightly --status failure --after 2m'),
    ],
    environment: TOKEN_ENVIRONMENT,
    files: STORE_FILES,
    seeAlso: ['leasehold help acquire', 'leasehold help renew', 'docs/cli.md'],
  },
};
