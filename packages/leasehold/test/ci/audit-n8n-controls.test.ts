/** Negative controls of the walk through workflows of n8n and of its rules: each guard taken out, and its test seen failing. */
import { describeMutantsInPairs, type Mutant } from '../mutation.ts';

const at = (file: string, testFile: string): Pick<Mutant, 'file' | 'testFile'> => ({
  file: `src/audit/${file}`,
  testFile: `test/audit/n8n/${testFile}.test.ts`,
});

describeMutantsInPairs('workflows of n8n', [
  {
    broken: 'a lock by SQL holds whatever its answer is',
    ...at('rules/n8n/unasked-lock.ts', 'sql-lock'),
    replace: 'isAnswer(doing(flow, at)?.asks ?? null) &&',
    by: 'at < 0 &&',
    fails: 'is no guard where nothing asks, where another thing is asked, and where no row goes on all the same',
  },
  {
    broken: 'every lock that nothing asks is told of, however many there are',
    ...at('rules/n8n/unasked-lock.ts', 'hostile'),
    replace: '.slice(0, LOCKS_MAX)',
    by: '',
    fails: 'of hundreds of locks that nothing asks ten are told of',
  },
  {
    broken: 'a lock before the mail keeps nothing out',
    ...at('rules/n8n/guard-fails-open.ts', 'hostile'),
    replace: 'before.has(node) && open.has(node)',
    by: 'before.has(node)',
    fails: 'a lock behind a mail that another lock stands before keeps something out',
  },
  {
    broken: 'a sum is a list of records',
    ...at('n8n-nodes/sql.ts', 'records'),
    replace: 'found.writes.length === 0 &&',
    by: 'found.writes.length < 0 &&',
    fails: 'is a figure of them: a daily report of a sum takes nothing from the next one',
  },
  {
    broken: "a loop's way back is cut like any other",
    ...at('graph/flow.ts', 'graph'),
    replace: 'if (loops.get(target.to)?.has(from) !== true) return [target];',
    by: 'if (loops.size >= 0) return [target];',
    fails: 'goes round a loop once, and marks that stand inside or behind it count its body',
  },
  {
    broken: 'each end of a loop leads to all that follows it, however many there are',
    ...at('graph/flow.ts', 'hostile'),
    replace: 'if (ends * exits <= LEADS_MAX) loops.set(at, body);',
    by: 'if (ends * exits >= 0) loops.set(at, body);',
    fails: 'a loop whose many ends would each lead to all that follows it counts as a plain node',
  },
  {
    broken: 'every version of a loop has "done" first',
    ...at('graph/flow.ts', 'graph'),
    replace: '>= DONE_FIRST_FROM ? 0 : 1',
    by: '>= 0 ? 0 : 1',
    fails: 'knows that older loops have their outputs the other way round',
  },
  {
    broken: 'ways back are not cut',
    ...at('graph/flow.ts', 'graph'),
    replace: 'if (state[to] === 1) cut.add(top.at * count + to);',
    by: 'if (state[to] === 1) cut.add(-1);',
    fails: 'ends in a circle that has no loop node',
  },
  {
    broken: 'a node that is switched off does what it would do',
    ...at('graph/flow.ts', 'graph'),
    replace: 'return flow.definition.nodes[at]?.isDisabled === true ? null : (flow.facts[at] ?? null);',
    by: 'return flow.facts[at] ?? null;',
    fails: 'passes a switched-off node, which does nothing and counts for nothing',
  },
  {
    broken: 'the first way to a node counts, not the longest',
    ...at('graph/paths.ts', 'graph'),
    replace: '(far.get(to)?.steps ?? -1) < steps',
    by: '!far.has(to)',
    fails: 'takes the longest way where branches meet again',
  },
  {
    broken: 'branches beside the way count for nothing',
    ...at('graph/paths.ts', 'graph'),
    replace: 'return above.length === 0 ? NOTHING : reachedFrom(flow, above, isMark);',
    by: 'return above.length >= 0 ? NOTHING : reachedFrom(flow, above, isMark);',
    fails: 'counts the effect of a branch that is drawn above the mark, since n8n runs it first',
  },
  {
    broken: 'a sub-workflow that is being worked out is worked out again',
    ...at('graph/calls.ts', 'graph'),
    replace: '  memory.set(flow, []);\n',
    by: '  if (depth > 40) throw new Error("no end");\n',
    fails: 'workflows that call each other in a circle end',
  },
  {
    broken: 'what is sent counts as a mark',
    ...at('graph/paths.ts', 'cases'),
    replace:
      "if (write.repeat === 'leaves') return false;\n  if (read.system !== 'http') return isSamePlace(read, write);",
    by: "if (read.system !== 'http') return write.repeat === 'leaves' || isSamePlace(read, write);",
    fails: 'a status that is written after the mail is found (C143)',
  },
  {
    broken: 'a statement is known by the first word of its text',
    ...at('n8n-nodes/sql.ts', 'cases'),
    replace: 'for (const statement of statements) readStatement(statement, found);',
    by: 'readStatement(words, found);',
    fails: 'a read that also creates a table is a read, and the ways to the two notes count 6 and 3 nodes (C142)',
  },
  {
    broken: 'every POST is a write',
    ...at('n8n-nodes/http.ts', 'cases'),
    replace: "if (method === 'POST' && isLookUp(address, parameters))",
    by: "if (method === 'LOOK' && isLookUp(address, parameters))",
    fails: 'a search by POST is a read, only its first result is used, nothing is marked, and nothing starts it (C144)',
  },
  {
    broken: 'the newest defaults hold for all versions',
    ...at('n8n-nodes/defaults/defaults.ts', 'nodes'),
    replace: 'versions?.find(({ from }) => version >= from) ?? versions?.at(-1) ?? null',
    by: 'versions?.[0] ?? null',
    fails: 'gmail 1 without parameters: write again',
  },
  {
    broken: 'a lock answers what a crash repeats',
    ...at('graph/gates.ts', 'rules'),
    replace: "(gate.kind === 'claim' || against === 'runs')",
    by: "(gate.kind === 'claim' || against !== 'nothing')",
    fails: 'a lock keeps other runs out, and leaves what a crash repeats',
  },
  {
    broken: 'workflows that are switched off share, too',
    ...at('rules/pools/pool-shared.ts', 'shapes'),
    replace: 'subject.definition === null || subject.definition.isActive === false ?',
    by: 'subject.definition === null ?',
    fails: 'what is switched off takes nothing from a pool',
  },
  {
    broken: 'the draft is looked at',
    ...at('readers/n8n-workflow/read-definition.ts', 'shapes'),
    replace: "Array.isArray(published['nodes']) ? published : value",
    by: "Array.isArray(published['never']) ? published : value",
    fails: 'the published version is looked at and not the draft',
  },
]);
