import { describeMutants, type Mutant } from '../mutation.ts';

/** The guards of `leasehold run` that nothing but a test of real processes stands for. */
const SIGNALS = 'test/cli/run-signals.test.ts';
const LOST = 'test/cli/run-lost.test.ts';

const MUTANTS: readonly Mutant[] = [
  {
    broken: 'the wrapper passes no signal on',
    file: 'src/cli/guard/signals.ts',
    replace: '      host.signalGroup(groupId, signal);\n',
    by: '',
    testFile: SIGNALS,
    fails: 'SIGTERM goes on to it, its exit code comes back, and the lock is free',
  },
  {
    broken: 'a signal goes to the command alone and not to its group',
    file: 'src/platform/process-group.ts',
    replace: 'process.kill(-groupId, signal);',
    by: 'process.kill(groupId, signal);',
    testFile: SIGNALS,
    fails: 'one that ends the command is 128 + n, and its children get it too',
  },
  {
    broken: 'a signal does not end the wait for a busy lock',
    file: 'src/cli/guard/signals.ts',
    replace: '      abort.abort();\n',
    by: '',
    testFile: SIGNALS,
    fails: 'SIGTERM ends a start that waits for a busy lock at once, with 143, and nothing is run',
  },
  {
    broken: 'a signal after the end of the command ends the wrapper',
    file: 'src/cli/guard/signals.ts',
    replace: '    if (isOver) return;\n',
    by: '    if (isOver) process.exit(1);\n',
    testFile: SIGNALS,
    fails: 'TERM while the lock is being released changes nothing',
  },
  {
    broken: 'nobody looks at the lease before the command starts',
    file: 'src/cli/guard/guard.ts',
    replace: 'const isLate = isTooLate(guard, start);',
    by: 'const isLate = false && isTooLate(guard, start);',
    testFile: 'test/cli/late-start.test.ts',
    fails: 'for longer than the lease, starts nothing and ends with 77',
  },
  {
    broken: 'nothing follows TERM',
    file: 'src/cli/guard/stop.ts',
    replace: "  if (!host.signalGroup(groupId, 'SIGKILL')) return true;\n",
    by: '',
    testFile: LOST,
    fails: 'kills a command that ignores TERM, after its grace',
  },
  {
    broken: 'stopping ends with the leader of the group',
    file: 'src/cli/guard/guard.ts',
    replace: '  await stopped;\n',
    by: '  await Promise.race([stopped, child.ended]);\n',
    testFile: LOST,
    fails: 'kills what is left of the group when its leader has already gone',
  },
  {
    broken: 'a stopped command is not woken',
    file: 'src/cli/guard/stop.ts',
    replace: "  host.signalGroup(groupId, 'SIGCONT');\n",
    by: '',
    testFile: LOST,
    fails: 'wakes a command that was stopped, so that it can end by itself',
  },
  {
    broken: 'a loss comes before an end that has already happened',
    file: 'src/cli/guard/guard.ts',
    replace: '  await context.host.settleEvents();\n  return child.end === null;',
    by: '  return signal.aborted;',
    testFile: LOST,
    fails: 'gives back the exit code of a command that ended while it was stopped',
  },
  {
    broken: 'the lock is held until the output of the command is closed',
    file: 'src/cli/guard/child.ts',
    replace: "stdio: 'inherit', detached: true",
    by: "stdio: ['inherit', 'pipe', 'inherit'], detached: true",
    testFile: LOST,
    fails: 'frees the lock at its own end, although the daemon keeps its output open, and leaves the daemon alone',
  },
  {
    broken: 'a bypassed start keeps the token of the run around it',
    file: 'src/cli/guard/environment.ts',
    replace: 'holds ? start.token : undefined',
    by: "holds ? start.token : env['LEASEHOLD_TOKEN']",
    testFile: 'test/cli/run.test.ts',
    fails: 'under --bypass has no token, not even that of a run around it',
  },
  {
    broken: 'an ended process counts until it is reaped',
    file: 'src/platform/process-group.ts',
    replace: " && state !== 'Z'",
    by: '',
    testFile: 'test/platform/process-group.test.ts',
    fails: 'a group whose last process has ended is not alive, although nobody has reaped it',
  },
];

describeMutants('the guard of the command line', MUTANTS);
