/** Guards of probes taken out of a copy, outside the stores: each time a named test is seen failing. */
import { describeMutants } from '../mutation.ts';

const ENGINE = 'test/engine/probe.test.ts';
const PROCESS = 'test/probes/process.test.ts';
const TABLE = 'test/platform/process-table.test.ts';

describeMutants('asking after a holder', [
  {
    broken: 'a verdict of one that has ended is kept for a lease that was renewed since',
    file: 'src/engine/inquiry.ts',
    replace: " && before.state !== 'ended'",
    by: '',
    testFile: ENGINE,
    fails: 'a holder that renews each time it is asked after keeps its lock: after two probes the clock decides',
  },
  {
    broken: 'a probe is listened to for as long as it takes',
    file: 'src/engine/inquiry.ts',
    replace: 'Math.min(PROBE_MS_MAX, Math.floor(this.#parts.leaseMs / 5))',
    by: 'Math.max(PROBE_MS_MAX, this.#parts.leaseMs)',
    testFile: ENGINE,
    fails: 'a probe is listened to for a fifth of a short lease, and what it says later is not heard',
  },
  {
    broken: 'a probe that throws ends the start',
    file: 'src/engine/probe-asking.ts',
    replace: "    return { state: 'unknown', detail: `the ${probe.system} probe failed` };",
    by: '    throw error;',
    testFile: ENGINE,
    fails: 'a probe that throws, or talks nonsense, is as good as one that does not know',
  },
  {
    broken: 'each poll of a wait asks anew',
    file: 'src/engine/inquiry.ts',
    replace: 'const ASK_EVERY_MS = 3_000;',
    by: 'const ASK_EVERY_MS = 0;',
    testFile: ENGINE,
    fails: 'a start that waits asks after a live holder every few seconds at most, and afresh when its lease has ended',
  },
  {
    broken: 'what a holder tells of itself is told once only',
    file: 'src/engine/held-start.ts',
    replace: '    const holderInfo = this.#untold;',
    by: '    const holderInfo = this.#untold;\n    this.#untold = null;',
    testFile: ENGINE,
    fails: 'what a holder tells of itself in a renewal that fails is told by the next heartbeat',
  },
  {
    broken: 'a start that may be left to run out does not say so',
    file: 'src/engine/arguments.ts',
    replace: 'withholdRenewal === undefined ? info : { ...info, extendable: false }',
    by: 'info',
    testFile: ENGINE,
    fails: 'a start that may be left to run out says that it is not to be extended',
  },
]);

describeMutants('the process probe', [
  {
    broken: 'its command is not looked for',
    file: 'src/probes/process/probe.ts',
    replace: "if (childGroup === 'none')",
    by: 'if (childGroup !== null)',
    testFile: PROCESS,
    fails: 'has ended only when its command has, too',
  },
  {
    broken: 'a command that nobody wrote down is none',
    file: 'src/probes/process/probe.ts',
    replace: "if (childGroup === 'none')",
    by: "if (childGroup === 'none' || childGroup === null)",
    testFile: PROCESS,
    fails: 'is not proven ended where nobody wrote down whether it has a command, or wrote nonsense',
  },
  {
    broken: 'start times are not compared',
    file: 'src/probes/process/probe.ts',
    replace: ' && sight.startTicks === holder.startTicks',
    by: '',
    testFile: PROCESS,
    fails: 'whose id another process has now has ended: start times tell them apart',
  },
  ...(['host', 'bootId', 'pidNamespace'] as const).map((key) => ({
    broken: `its ${key} is not compared`,
    file: 'src/probes/process/probe.ts',
    replace: `if (holder.${key} !== place.${key}) return`,
    by: `if (holder.${key} === '' && place.${key} === '') return`,
    testFile: PROCESS,
    fails: 'of another host, boot or PID namespace is not known, whatever has its id here',
  })),
  {
    broken: 'a stopped process counts as alive',
    file: 'src/probes/process/probe.ts',
    replace: 'if (sight.isStopped) return',
    by: "if (holder.host === '') return",
    testFile: PROCESS,
    fails: 'a holder that is stopped is not known to be alive, and one that ended unseen has ended',
  },
  {
    broken: 'a wrapper whose command has ended counts as alive',
    file: 'src/probes/process/probe.ts',
    replace: 'return isThroughWith(holder, table)',
    by: "return holder.host === ''",
    testFile: PROCESS,
    fails: 'is not called alive for a lock whose command has ended: it only gives the lock back',
  },
  {
    broken: 'a process that has ended and was not reaped counts as alive',
    file: 'src/probes/process/probe.ts',
    replace: ' && !sight.hasEnded) {',
    by: ') {',
    testFile: PROCESS,
    fails: 'a holder that is stopped is not known to be alive, and one that ended unseen has ended',
  },
  {
    broken: 'it trusts a /proc that does not show all',
    file: 'src/probes/process/probe.ts',
    replace: 'return place.blindness;',
    by: 'return null;',
    testFile: PROCESS,
    fails: 'a holder that is stopped is not known to be alive, and one that ended unseen has ended',
  },
]);

describeMutants('the table of processes', [
  {
    broken: 'only the group is looked at, not the session',
    file: 'src/platform/process-table.ts',
    replace: 'stat.group !== sessionId && stat.session !== sessionId',
    by: 'stat.group !== sessionId',
    testFile: TABLE,
    fails: 'has company in a group and in a session',
  },
  {
    broken: 'who takes signals and is not seen is not there',
    file: 'src/platform/process-table.ts',
    replace: "return signals(pid) ? { kind: 'hidden' } : { kind: 'none' };",
    by: "return { kind: 'none' };",
    testFile: TABLE,
    fails: 'that does not show who takes signals proves nothing',
  },
  {
    broken: 'what can not be read is not there',
    file: 'src/platform/process-table.ts',
    replace: "code === 'ENOENT' || code === 'ESRCH' ? 'gone' : 'hidden'",
    by: "code === '' ? 'hidden' : 'gone'",
    testFile: TABLE,
    fails: 'that can not be read proves nothing',
  },
  {
    broken: 'a leader whose threads go on has ended',
    file: 'src/platform/process-table.ts',
    replace: "(state === 'Z' && threads <= 1)",
    by: "state === 'Z'",
    testFile: TABLE,
    fails: 'tells a process that has ended and was not looked at by its parent from one that runs',
  },
  {
    broken: 'processes that go away under the look leave nobody behind',
    file: 'src/platform/process-table.ts',
    replace: "if (stat === 'gone') isMoving = true;",
    by: "if (stat === 'gone') continue;",
    testFile: TABLE,
    fails: 'under which processes keep going away settles nothing',
  },
]);

describeMutants('platforms that are asked by HTTP', [
  {
    broken: 'redirects are followed',
    file: 'src/probes/fetch-json.ts',
    replace: "redirect: 'manual'",
    by: "redirect: 'follow'",
    testFile: 'test/probes/n8n.test.ts',
    fails: 'follows no redirect, which would take the key along',
  },
  {
    broken: 'a canceled execution counts as ended',
    file: 'src/probes/n8n/probe.ts',
    replace: "  error: 'ended',",
    by: "  error: 'ended',\n  canceled: 'ended',",
    testFile: 'test/probes/n8n.test.ts',
    fails: 'says unknown of an execution that is canceled',
  },
  {
    broken: 'the word for any execution is taken',
    file: 'src/probes/n8n/probe.ts',
    replace: "if (String(execution['id']) !== id) return",
    by: "if (id === '') return",
    testFile: 'test/probes/n8n.test.ts',
    fails: 'does not take the word for another execution, nor for that of another workflow or instance',
  },
  {
    broken: 'a holder may lead up the path',
    file: 'src/domain/url-template.ts',
    replace: 'return depthOf(url) === depthOf(like) ? url : null;',
    by: 'return depthOf(url) === -1 ? null : url;',
    testFile: 'test/probes/http.test.ts',
    fails: 'asks nothing where the holder lacks what is to be asked for, or would lead elsewhere',
  },
]);
